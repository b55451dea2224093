// SPDX-License-Identifier: GPL-2.0-only
#include "reachability-view.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return the NICs on the optical switch of a NIC; none if the NIC is in the packet fabric
std::vector<uint32_t>
FindOptical(const Wiring& wiring, uint32_t nic)
{
    return wiring.IsOptical(nic) ? wiring.GetSwitches()[wiring.GetEdge(nic)].cables
                                 : std::vector<uint32_t>{};
}

bool
IsAny(const std::vector<bool>& ways)
{
    return std::find(ways.begin(), ways.end(), true) != ways.end();
}

} // namespace

ReachabilityView::ReachabilityView(ClusterShape shape, bool crossesRails, bool takesDetours)
    : m_shape(shape),
      m_crossesRails(crossesRails),
      m_takesDetours(takesDetours)
{
}

void
ReachabilityView::SetRouter(std::shared_ptr<const Router> router)
{
    m_router = std::move(router);
    const std::shared_ptr<const ServerInterior>& interior = m_router->GetWiring().GetInterior();
    m_layout = {interior, &interior->GetLayout()};
}

void
ReachabilityView::SetFrames(const FrameFormat& frames)
{
    m_frames = frames;
}

uint64_t
ReachabilityView::GetKnownRate(uint32_t nic) const
{
    return m_router ? m_router->GetKnownRate(nic) : 0;
}

void
ReachabilityView::ShowTo(ServerView& view) const
{
    view.layout = m_layout;
    view.frames = m_frames;
    view.reach.clear();
    view.circuits.clear();
    if (!m_router)
    {
        return;
    }
    view.getNicRate = [this, self = view.server](uint32_t server, uint32_t rail) {
        return GetNicRate(self, server, rail);
    };
    const Wiring& wiring = m_router->GetWiring();
    if (wiring.HasOptical())
    {
        ShowCircuitsTo(view);
    }
    else if (!wiring.WasCut())
    {
        return;
    }
    std::set<uint32_t> servers;
    for (const LocalDemand& demand : view.demands)
    {
        servers.insert(m_shape.GetServer(demand.destination));
    }
    for (const uint32_t to : servers)
    {
        Ways ways = FindWays(view.server, to);
        if (!IsAny(ways) && m_takesDetours && m_router->AllowsDetours())
        {
            ways = FindDetours(view.server, to);
        }
        if (IsAny(ways))
        {
            view.reach.emplace(to, std::move(ways));
        }
    }
}

bool
ReachabilityView::LeadsToAll(const ServerView& view) const
{
    if (!m_router || !(m_router->GetWiring().HasOptical() || m_router->GetWiring().WasCut()))
    {
        return true;
    }
    ServerView shown = view;
    ShowTo(shown);
    return std::all_of(view.demands.begin(), view.demands.end(), [&](const LocalDemand& demand) {
        return shown.reach.count(m_shape.GetServer(demand.destination)) > 0;
    });
}

/// \return rate of a NIC as known to a server: current for its own NICs, announced by routing for
///     others
uint64_t
ReachabilityView::GetNicRate(uint32_t self, uint32_t server, uint32_t rail) const
{
    const uint32_t nic = m_shape.GetNic(server, rail);
    const Cable& cable = m_router->GetWiring().GetCables()[nic];
    return server != self ? m_router->GetKnownRate(nic) : cable.isUp ? cable.rateBps : 0;
}

/// \return working paths between the NICs of two servers, without circuits: these are temporary and
///     used only on request
ReachabilityView::Ways
ReachabilityView::FindWays(uint32_t from, uint32_t to) const
{
    const Wiring& wiring = m_router->GetWiring();
    const uint32_t rails = m_shape.nicsPerServer;
    Ways ways(rails * rails);
    for (uint32_t tx = 0; tx < rails; ++tx)
    {
        if (wiring.IsOptical(m_shape.GetNic(from, tx)))
        {
            continue;
        }
        for (uint32_t rx = 0; rx < rails; ++rx)
        {
            const uint32_t nic = m_shape.GetNic(to, rx);
            ways[tx * rails + rx] = (tx == rx || m_crossesRails) && !wiring.IsOptical(nic) &&
                                    m_router->Reaches(m_shape.GetNic(from, tx), nic);
        }
    }
    return ways;
}

/// \return paths over circuits, direct or through a forwarding server
ReachabilityView::Ways
ReachabilityView::FindDetours(uint32_t from, uint32_t to) const
{
    const Wiring& wiring = m_router->GetWiring();
    const uint32_t rails = m_shape.nicsPerServer;
    Ways ways(rails * rails);
    for (uint32_t tx = 0; tx < rails; ++tx)
    {
        for (uint32_t rx = 0; rx < rails; ++rx)
        {
            const uint32_t one = m_shape.GetNic(from, tx);
            const uint32_t other = m_shape.GetNic(to, rx);
            const bool exists = wiring.GetCircuits().GetPeer(one) == other ||
                                wiring.GetCircuits().FindDetour(one, other).has_value();
            ways[tx * rails + rx] = exists && m_router->Reaches(one, other);
        }
    }
    return ways;
}

void
ReachabilityView::ShowCircuitsTo(ServerView& view) const
{
    const Wiring& wiring = m_router->GetWiring();
    const uint32_t rails = m_shape.nicsPerServer;
    for (uint32_t rail = 0; rail < rails; ++rail)
    {
        const uint32_t nic = view.server * rails + rail;
        const auto show = [&](uint32_t other) {
            if (other != nic && m_router->Reaches(nic, other))
            {
                NicWay way{static_cast<uint16_t>(rail), static_cast<uint16_t>(other % rails)};
                way.speed = static_cast<double>(wiring.GetCircuitRate(nic, other)) /
                            static_cast<double>(wiring.GetNicKind(nic).rateBps);
                view.circuits[other / rails].push_back(way);
            }
        };
        if (!wiring.GetCircuits().AreTimeSlotted())
        {
            show(wiring.GetCircuits().GetPeer(nic));
            continue;
        }
        for (const uint32_t other : FindOptical(wiring, nic))
        {
            if (wiring.GetCircuits().WillJoin(nic, other))
            {
                show(other);
            }
        }
    }
}

bool
ReachabilityView::IsCut(const Message& message) const
{
    const uint32_t from = m_shape.GetServer(message.source);
    const uint32_t to = m_shape.GetServer(message.destination);
    const uint32_t rails = m_shape.nicsPerServer;
    return m_router && from != to &&
           !m_router->Reaches(from * rails + message.txRail, to * rails + message.rxRail);
}

} // namespace ns3::rails
