// SPDX-License-Identifier: GPL-2.0-only
#include "server-knowledge.h"

#include <set>
#include <utility>
#include <vector>

namespace ns3::rails
{

ServerKnowledge::ServerKnowledge(ClusterShape shape, bool crossesRails)
    : m_shape(shape),
      m_crossesRails(crossesRails)
{
}

void
ServerKnowledge::SetRouter(std::shared_ptr<const Router> router)
{
    m_router = std::move(router);
    const std::shared_ptr<const ServerInterior>& interior = m_router->GetWiring().GetInterior();
    m_layout = {interior, &interior->GetLayout()};
}

void
ServerKnowledge::ShowTo(ServerView& view) const
{
    view.layout = m_layout;
    view.reach.clear();
    view.circuits.clear();
    if (!m_router)
    {
        return;
    }
    const Wiring& wiring = m_router->GetWiring();
    if (wiring.HasOptical())
    {
        ShowCircuitsTo(view);
    }
    else if (!wiring.WasCut())
    {
        return;
    }
    const uint32_t rails = m_shape.nicsPerDomain;
    std::set<uint32_t> servers;
    for (const LocalDemand& demand : view.demands)
    {
        servers.insert(m_shape.GetDomain(demand.destination));
    }
    for (const uint32_t to : servers)
    {
        std::vector<bool> reach(rails * rails);
        bool any = false;
        for (uint32_t tx = 0; tx < rails; ++tx)
        {
            for (uint32_t rx = 0; rx < rails; ++rx)
            {
                const bool isUsed = tx == rx || m_crossesRails;
                const uint32_t from = view.domain * rails + tx;
                // Circuits are for those who ask for them, and may end.
                reach[tx * rails + rx] =
                    isUsed && !wiring.IsOptical(from) && m_router->Reaches(from, to * rails + rx);
                any = any || reach[tx * rails + rx];
            }
        }
        if (any)
        {
            view.reach.emplace(to, std::move(reach));
        }
    }
}

void
ServerKnowledge::ShowCircuitsTo(ServerView& view) const
{
    const uint32_t rails = m_shape.nicsPerDomain;
    for (uint32_t rail = 0; rail < rails; ++rail)
    {
        const uint32_t nic = view.domain * rails + rail;
        const uint32_t other = m_router->GetWiring().GetCircuit(nic);
        if (other != nic)
        {
            view.circuits[other / rails].emplace_back(rail, other % rails);
        }
    }
}

bool
ServerKnowledge::IsCut(const Message& message) const
{
    const uint32_t from = m_shape.GetDomain(message.source);
    const uint32_t to = m_shape.GetDomain(message.destination);
    const uint32_t rails = m_shape.nicsPerDomain;
    return m_router && from != to &&
           !m_router->Reaches(from * rails + message.txRail, to * rails + message.rxRail);
}

} // namespace ns3::rails
