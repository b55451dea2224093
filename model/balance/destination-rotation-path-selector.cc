// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector.h"

#include "ns3/component-documentation.h"

#include <cstddef>
#include <cstdint>

namespace ns3::rails
{

/**
 * Host DR: each end of a queue pair sends its frames over all shortest paths in turn, by source
 * routes, from a random one on. (DRB, CoNEXT'13; arXiv 2507.21372, section 5)
 *
 * The paper has a pointer for each pair of source and destination host and size of frames. Here
 * each end of a queue pair has one: the sender's for data, the receiver's for answers. With one
 * queue pair from host to host that is the same.
 */
class DestinationRotationPathSelector
    : public Forkable<DestinationRotationPathSelector, PathSelector>
{
  public:
    static TypeId GetTypeId();

    DestinationRotationPathSelector()
    {
        m_traits.scattersFrames = true;
        m_traits.spread = PathSpread::Routes;
        m_traits.routesReplies = true;
    }

    void Start(TimePs now, const PathContext& context) override;
    void Choose(TimePs now, Frame& frame) override;

  private:
    void ReadRoutes();

    PathContext m_context;
    const std::vector<Route>* m_routes{nullptr}; // the router's, as long as its version stays
    uint32_t m_version{0};                       // of the router when they were read
    std::size_t m_next{0};                       // the route of the next frame
};

NS_OBJECT_ENSURE_REGISTERED(DestinationRotationPathSelector);

TypeId
DestinationRotationPathSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::DestinationRotationPathSelector").SetParent<PathSelector>(),
            "Host DR: the frames of a queue pair go over all shortest paths in "
            "turn, by source routes. (DRB, CoNEXT'13; arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<DestinationRotationPathSelector>();
    return tid;
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

} // namespace ns3::rails
