// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-controller.h"

#include "ns3/rails-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>

namespace ns3::rails
{

namespace
{

/// Free NICs of a server, those of both halves of it (its sockets) in turn, so that parallel
/// circuits of two servers are at different ones (MixNet, Algorithm 1, line 16).
std::deque<uint32_t>
AlternateHalves(const std::vector<uint32_t>& nics)
{
    std::deque<uint32_t> order;
    const std::size_t half = (nics.size() + 1) / 2;
    for (std::size_t i = 0; i < half; ++i)
    {
        order.push_back(nics[i]);
        if (half + i < nics.size())
        {
            order.push_back(nics[half + i]);
        }
    }
    return order;
}

uint32_t
TakeFirst(std::deque<uint32_t>& nics)
{
    const uint32_t nic = nics.front();
    nics.pop_front();
    return nic;
}

} // namespace

CircuitController::CircuitController(std::shared_ptr<Wiring> wiring,
                                     Ptr<CircuitPlanner> planner,
                                     CutRules rules)
    : m_wiring(std::move(wiring)),
      m_planner(planner),
      m_rules(rules),
      m_shape(m_wiring->GetShape()),
      m_regions(FindRegions(*m_wiring))
{
}

std::vector<CircuitController::Region>
CircuitController::FindRegions(const Wiring& wiring)
{
    const ClusterShape& shape = wiring.GetShape();
    std::vector<Region> regions;
    std::map<uint32_t, uint32_t> regionOf; // by switch
    for (uint32_t nic = 0; nic < shape.GetNics(); ++nic)
    {
        if (!wiring.IsOptical(nic))
        {
            continue;
        }
        const auto [known, isNew] =
            regionOf.try_emplace(wiring.GetEdge(nic), static_cast<uint32_t>(regions.size()));
        if (isNew)
        {
            regions.emplace_back();
            regions.back().first = shape.GetNicDomain(nic);
            regions.back().plan.index = known->second;
            regions.back().plan.rate = wiring.GetNicKind(nic).rateBps;
        }
        Region& region = regions[known->second];
        region.nics.resize(shape.GetNicDomain(nic) - region.first + 1);
        region.nics.back().push_back(nic);
    }
    for (Region& region : regions)
    {
        for (const std::vector<uint32_t>& nics : region.nics)
        {
            region.plan.ports.push_back(static_cast<uint32_t>(nics.size()));
        }
    }
    return regions;
}

void
CircuitController::Check(const Wiring& wiring, const CircuitPlanner& planner)
{
    if (!planner.IsLasting())
    {
        throw ConfigurationError("type",
                                 "circuits of one direction, one slot after the other, are in the "
                                 "library alone, not in runs: expected greedy, exact or static");
    }
    for (const Region& region : FindRegions(wiring))
    {
        planner.Check(region.plan);
    }
}

uint32_t
CircuitController::FindRegion(uint32_t server) const
{
    const auto behind = std::upper_bound(
        m_regions.begin(),
        m_regions.end(),
        server,
        [](uint32_t wanted, const Region& region) { return wanted < region.first; });
    return static_cast<uint32_t>(behind - m_regions.begin() - 1);
}

CircuitDemand
CircuitController::MakeDemand(uint32_t region) const
{
    const Region& found = m_regions[region];
    return {m_shape, found.first, static_cast<uint32_t>(found.nics.size())};
}

void
CircuitController::Reconfigure(uint32_t region,
                               const CircuitDemand& demand,
                               TimePs dark,
                               TimePs live)
{
    CircuitPlan plan = m_planner->Plan(m_regions[region].plan, demand);
    const CircuitMap circuits = plan.slots.front().circuits;
    ++m_record.reconfigurations;
    m_record.circuits += circuits.GetTotal() / 2;
    m_record.servedBytes += CountServedBytes(plan, demand);
    m_record.totalBytes += demand.GetTotalBytes();
    m_record.dark += live - dark;
    Simulator::Schedule(PicoSeconds(dark - NowPs()), &CircuitController::GoDark, this, region);
    Simulator::Schedule(PicoSeconds(live - NowPs()),
                        &CircuitController::GoLive,
                        this,
                        region,
                        circuits);
}

const CircuitController::Record&
CircuitController::GetRecord() const
{
    return m_record;
}

void
CircuitController::GoDark(uint32_t region)
{
    m_wiring->PrepareChange();
    for (const std::vector<uint32_t>& nics : m_regions[region].nics)
    {
        for (const uint32_t nic : nics)
        {
            m_wiring->EndCircuit(nic, m_rules);
        }
    }
}

void
CircuitController::GoLive(uint32_t region, const CircuitMap& circuits)
{
    m_wiring->PrepareChange();
    std::vector<std::deque<uint32_t>> free;
    for (const std::vector<uint32_t>& nics : m_regions[region].nics)
    {
        free.push_back(AlternateHalves(nics));
    }
    for (uint32_t one = 0; one < circuits.GetServers(); ++one)
    {
        for (uint32_t other = one + 1; other < circuits.GetServers(); ++other)
        {
            for (uint32_t number = 0; number < circuits.Count(one, other); ++number)
            {
                m_wiring->AddCircuit(TakeFirst(free[one]), TakeFirst(free[other]));
            }
        }
    }
}

} // namespace ns3::rails
