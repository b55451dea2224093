// SPDX-License-Identifier: GPL-2.0-only
#include "destination-rotation-path-selector.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(DestinationRotationPathSelector);

TypeId
DestinationRotationPathSelector::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::DestinationRotationPathSelector").SetParent<PathSelector>(),
                 "Host DR: the frames of a queue pair go over all shortest paths in "
                 "turn, by source routes. (DRB, CoNEXT'13; arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<DestinationRotationPathSelector>();
    return tid;
}

Ptr<PathSelector>
DestinationRotationPathSelector::Fork()
{
    return CreateObject<DestinationRotationPathSelector>();
}

void
DestinationRotationPathSelector::Start(TimePs /* now */, const PathContext& context)
{
    m_context = context;
    ReadRoutes();
}

void
DestinationRotationPathSelector::ReadRoutes()
{
    m_version = m_context.router->GetVersion();
    m_routes = &m_context.router->GetRoutes(m_context.sourceEdge, m_context.destinationEdge);
    const auto routes = static_cast<uint32_t>(m_routes->size());
    m_next = routes > 1 ? m_context.random->GetInteger(0, routes - 1) : 0;
}

void
DestinationRotationPathSelector::Choose(TimePs /* now */, Frame& frame)
{
    if (m_context.router->GetVersion() != m_version)
    {
        ReadRoutes();
    }
    if (m_routes->empty())
    {
        return; // the same switch, or no way: the switches know what to do with either
    }
    frame.route = (*m_routes)[m_next];
    m_next = m_next + 1 == m_routes->size() ? 0 : m_next + 1;
}

bool
DestinationRotationPathSelector::ScattersFrames() const
{
    return true;
}

PathSpread
DestinationRotationPathSelector::GetSpread() const
{
    return PathSpread::Routes;
}

bool
DestinationRotationPathSelector::RoutesReplies() const
{
    return true;
}

} // namespace ns3::rails
