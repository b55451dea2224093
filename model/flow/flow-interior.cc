// SPDX-License-Identifier: GPL-2.0-only
#include "flow-interior.h"

#include <algorithm>

namespace ns3::rails
{

FlowInterior::FlowInterior(const Wiring& wiring)
    : m_interior(wiring.GetInterior()),
      m_ends(m_interior->GetEnds()),
      m_ways(std::size_t{m_ends} * m_ends)
{
    FindWays();
    FindHolders(wiring);
}

void
FlowInterior::FindWays()
{
    const std::vector<ServerInterior::Link>& links = m_interior->GetLinks();
    for (uint32_t number = 0; number < m_ways.size(); ++number)
    {
        Way& way = m_ways[number];
        Crossing& crossing = way.crossing;
        for (const uint32_t hop : m_interior->GetWay(number / m_ends, number % m_ends))
        {
            double slowest = 0; // of this hop; a segment cuts through the links of a hop
            for (const uint32_t link : m_interior->GetHop(hop).links)
            {
                way.links.push_back(link);
                slowest =
                    std::max(slowest, kBytePicoseconds / static_cast<double>(links[link].rateBps));
            }
            way.isRead = m_interior->GetHop(hop).to >= m_interior->GetLayout().GetGpus();
            crossing.latency += m_interior->GetHop(hop).latency;
            crossing.storing += slowest;
            crossing.slowest = std::max(crossing.slowest, slowest);
        }
    }
}

// Adds up the full rates of all NICs on each link, by direction.
void
FlowInterior::FindHolders(const Wiring& wiring)
{
    const ClusterShape& shape = wiring.GetShape();
    const uint32_t gpus = shape.gpusPerServer;
    std::vector<uint64_t> most(m_interior->GetLinks().size(), 0); // bit/s
    for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
    {
        uint64_t rateBps = 0;
        for (uint32_t server = 0; server < shape.servers; ++server)
        {
            rateBps = std::max(rateBps, wiring.GetNicKind(shape.GetNic(server, rail)).rateBps);
        }
        const uint32_t nic = m_interior->GetNicEnd(rail);
        for (const bool sends : {true, false})
        {
            std::vector<bool> used(most.size(), false);
            for (uint32_t gpu = 0; gpu < gpus; ++gpu)
            {
                for (const uint32_t link : sends ? GetLinks(gpu, nic) : GetLinks(nic, gpu))
                {
                    used[link] = true;
                }
            }
            for (std::size_t link = 0; link < most.size(); ++link)
            {
                most[link] += used[link] ? rateBps : 0;
            }
        }
    }
    for (Way& way : m_ways)
    {
        way.holdsBack = std::any_of(way.links.begin(), way.links.end(), [&](uint32_t link) {
            return most[link] > m_interior->GetLinks()[link].rateBps;
        });
    }
}

} // namespace ns3::rails
