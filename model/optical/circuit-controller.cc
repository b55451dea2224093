// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-controller.h"

#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Free NICs of a server, alternating between its two halves (sockets), so that parallel circuits
/// of two servers end at different sockets (MixNet, Algorithm 1, line 16).
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
                                     CircuitMoves moves,
                                     DarkPart darkPart,
                                     CutRules rules,
                                     CircuitSequence::SentCallback sent)
    : m_wiring(std::move(wiring)),
      m_planner(planner),
      m_moves(moves),
      m_darkPart(darkPart),
      m_rules(rules),
      m_shape(m_wiring->GetShape()),
      m_regions(FindRegions(*m_wiring))
{
    if (m_planner->GetTraits().isLasting)
    {
        return;
    }
    m_wiring->GetCircuits().SetTimeSlotted();
    for (const Region& region : m_regions)
    {
        m_sequences.push_back(std::make_unique<CircuitSequence>(m_wiring,
                                                                region.nics,
                                                                region.plan.rate,
                                                                m_rules,
                                                                sent));
    }
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
            regions.back().first = shape.GetNicServer(nic);
            regions.back().plan.index = known->second;
            regions.back().plan.rate = wiring.GetNicKind(nic).rateBps;
        }
        Region& region = regions[known->second];
        if (isNew)
        {
            for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
            {
                const uint32_t other = shape.GetNic(region.first, rail);
                region.plan.packetRate +=
                    wiring.IsOptical(other) ? 0 : wiring.GetNicKind(other).rateBps;
            }
        }
        region.nics.resize(shape.GetNicServer(nic) - region.first + 1);
        region.nics.back().push_back(nic);
    }
    // A region of one server is a spare server.
    regions.erase(std::remove_if(regions.begin(),
                                 regions.end(),
                                 [](const Region& region) { return region.nics.size() == 1; }),
                  regions.end());
    for (Region& region : regions)
    {
        for (const std::vector<uint32_t>& nics : region.nics)
        {
            region.plan.ports.push_back(static_cast<uint32_t>(nics.size()));
        }
        region.plan.standing = CircuitMap(static_cast<uint32_t>(region.nics.size()));
    }
    return regions;
}

CircuitController::Extent
CircuitController::FindExtent(const Wiring& wiring)
{
    const std::vector<Region> regions = FindRegions(wiring);
    return {static_cast<uint32_t>(regions.size()),
            static_cast<uint32_t>(regions.front().nics.size())};
}

void
CircuitController::SetLiveCallback(std::function<void()> callback)
{
    m_onLive = std::move(callback);
}

void
CircuitController::Check(const Wiring& wiring, const CircuitPlanner& planner, uint32_t ports)
{
    for (const Region& region : FindRegions(wiring))
    {
        CheckNested("circuits", [&] { planner.Check(region.plan); });
        const uint32_t wanted =
            std::accumulate(region.plan.ports.begin(), region.plan.ports.end(), 0U);
        if (wanted > ports)
        {
            throw ConfigurationError("device",
                                     "a region has " + std::to_string(wanted) +
                                         " NICs at its optical switch, which has " +
                                         std::to_string(ports) +
                                         " ports: choose a larger one, or make regions smaller");
        }
    }
}

std::optional<uint32_t>
CircuitController::FindRegion(uint32_t server) const
{
    const auto behind = std::upper_bound(
        m_regions.begin(),
        m_regions.end(),
        server,
        [](uint32_t wanted, const Region& region) { return wanted < region.first; });
    if (behind == m_regions.begin())
    {
        return std::nullopt;
    }
    const auto region = static_cast<uint32_t>(behind - m_regions.begin() - 1);
    return IsIn(region, server) ? std::optional(region) : std::nullopt;
}

bool
CircuitController::IsIn(uint32_t region, uint32_t server) const
{
    const Region& found = m_regions[region];
    return server >= found.first && server - found.first < found.nics.size();
}

uint32_t
CircuitController::GetPlace(uint32_t server) const
{
    return server - m_regions[FindRegion(server).value()].first;
}

CircuitDemand
CircuitController::MakeDemand(uint32_t region) const
{
    const Region& found = m_regions[region];
    return {m_shape, found.first, static_cast<uint32_t>(found.nics.size())};
}

void
CircuitController::Lay(CircuitPlanner& planner)
{
    for (uint32_t number = 0; number < m_regions.size(); ++number)
    {
        const Region& region = m_regions[number];
        const CircuitPlan plan = planner.Plan(DescribeWorking(region), MakeDemand(number));
        GoLive(FindChange(region, plan.slots.front()).added);
    }
}

std::vector<bool>
CircuitController::Reconfigure(uint32_t number,
                               const CircuitDemand& demand,
                               const Times& times,
                               bool isForeseen)
{
    const Region& region = m_regions[number];
    const TimePs pause = times.live - times.dark;
    if (!m_sequences.empty())
    {
        CircuitPlan plan = m_planner->Plan(region.plan, demand);
        m_record.servedBytes += CountServedBytes(plan, demand);
        m_record.totalBytes += demand.GetTotalBytes();
        m_sequences[number]->Start(std::move(plan), demand, times.dark, pause, times.kept);
        return std::vector<bool>(region.nics.size());
    }
    const CircuitDemand served = ServeCutOff(region, demand);
    CircuitRegion working = DescribeWorking(region);
    working.delay = pause;
    CircuitPlan plan = m_planner->Plan(working, served);
    CircuitMap& circuits = plan.slots.front().circuits;
    const CircuitMap& standing = working.standing;
    const bool stays =
        m_moves == MOVES_NEEDED && (served.GetTotalBytes() == 0 || circuits == standing);
    if (stays)
    {
        circuits = standing;
    }
    ++m_record.asked;
    m_record.circuits += circuits.GetTotal() / 2;
    m_record.servedBytes += isForeseen ? 0 : CountServedBytes(plan, demand);
    m_record.totalBytes += isForeseen ? 0 : demand.GetTotalBytes();
    if (stays)
    {
        return std::vector<bool>(region.nics.size());
    }
    const Change change = FindChange(region, plan.slots.front());
    m_record.moved += change.added.size();
    std::vector<bool> waits(region.nics.size(), m_darkPart == DARK_REGION);
    for (const uint32_t nic : change.ended)
    {
        waits[m_shape.GetNicServer(nic) - region.first] = true;
    }
    for (const auto& [one, other] : change.added)
    {
        waits[m_shape.GetNicServer(one) - region.first] = true;
        waits[m_shape.GetNicServer(other) - region.first] = true;
    }
    if (std::none_of(waits.begin(), waits.end(), [](bool isDark) { return isDark; }))
    {
        return waits;
    }
    ++m_record.reconfigurations;
    m_record.dark += pause;
    Simulator::Schedule(PicoSeconds(times.dark - NowPs()),
                        &CircuitController::GoDark,
                        this,
                        change.ended);
    Simulator::Schedule(PicoSeconds(times.live - NowPs()),
                        &CircuitController::GoLive,
                        this,
                        change.added);
    return waits;
}

bool
CircuitController::IsBetweenTurns() const
{
    return std::any_of(m_sequences.begin(), m_sequences.end(), [](const auto& sequence) {
        return sequence->IsDark();
    });
}

uint64_t
CircuitController::CountStanding() const
{
    uint64_t directed = 0;
    for (const Region& region : m_regions)
    {
        directed += FindStanding(region).GetTotal();
    }
    return directed / 2;
}

CircuitController::Record
CircuitController::GetRecord() const
{
    Record record = m_record;
    uint64_t directed = 0;
    for (const auto& sequence : m_sequences)
    {
        const CircuitSequence::Record& laid = sequence->GetRecord();
        record.asked += laid.slots;
        record.reconfigurations += laid.slots;
        record.dark += laid.dark;
        directed += laid.circuits;
    }
    record.circuits += directed / 2;
    record.moved += directed / 2;
    return record;
}

/// Gives a server without working NICs on packet switches a circuit to its largest peer, which then
/// forwards its other traffic.
/// \return the demand, with more than its total added between these two servers
CircuitDemand
CircuitController::ServeCutOff(const Region& region, CircuitDemand demand) const
{
    const auto servers = static_cast<uint32_t>(region.nics.size());
    const auto isCutOff = [&](uint32_t server) {
        for (uint32_t rail = 0; rail < m_shape.nicsPerServer; ++rail)
        {
            const uint32_t nic = m_shape.GetNic(region.first + server, rail);
            if (!m_wiring->IsOptical(nic) && m_wiring->GetCables()[nic].isUp)
            {
                return false;
            }
        }
        return true;
    };
    const auto getGpu = [&](uint32_t server) {
        return (region.first + server) * m_shape.gpusPerServer;
    };
    const uint64_t more = demand.GetTotalBytes() + 1;
    for (uint32_t server = 0; server < servers; ++server)
    {
        if (!isCutOff(server))
        {
            continue;
        }
        std::optional<uint32_t> peer;
        for (uint32_t other = 0; other < servers; ++other)
        {
            if (!isCutOff(other) &&
                (!peer || demand.GetPairBytes(server, other) > demand.GetPairBytes(server, *peer)))
            {
                peer = other;
            }
        }
        if (peer)
        {
            demand.Add(getGpu(server), getGpu(*peer), more);
        }
    }
    return demand;
}

/// \return the input of planners for a region, with the ports that work now
CircuitRegion
CircuitController::DescribeWorking(const Region& region) const
{
    CircuitRegion working = region.plan;
    bool isSlow = false;
    for (std::size_t server = 0; server < region.nics.size(); ++server)
    {
        std::vector<uint64_t>& rates = working.portRates.emplace_back();
        for (const uint32_t nic : region.nics[server])
        {
            const Cable& cable = m_wiring->GetCables()[nic];
            if (cable.isUp)
            {
                rates.push_back(cable.rateBps);
                isSlow = isSlow || cable.rateBps != working.rate;
            }
        }
        std::sort(rates.begin(), rates.end(), std::greater<>());
        working.ports[server] = static_cast<uint32_t>(rates.size());
    }
    if (!isSlow)
    {
        working.portRates.clear();
    }
    working.standing = FindStanding(region);
    return working;
}

/// \return present circuits on working links
CircuitMap
CircuitController::FindStanding(const Region& region) const
{
    CircuitMap standing(static_cast<uint32_t>(region.nics.size()));
    const std::vector<Cable>& cables = m_wiring->GetCables();
    for (uint32_t server = 0; server < standing.GetServers(); ++server)
    {
        for (const uint32_t nic : region.nics[server])
        {
            const uint32_t far = m_wiring->GetCircuits().GetPeer(nic);
            if (nic < far && cables[nic].isUp && cables[far].isUp)
            {
                standing.Join(server, m_shape.GetNicServer(far) - region.first);
            }
        }
    }
    return standing;
}

/// With DARK_CHANGES, pairs of servers keep their circuits up to the planned number.
CircuitController::Change
CircuitController::FindChange(const Region& region, const CircuitSlot& slot) const
{
    const CircuitMap& wanted = slot.circuits;
    Change change;
    CircuitMap kept(wanted.GetServers());
    std::vector<std::deque<uint32_t>> free;
    for (uint32_t server = 0; server < wanted.GetServers(); ++server)
    {
        std::vector<uint32_t> open;
        for (const uint32_t nic : region.nics[server])
        {
            const uint32_t far = m_wiring->GetCircuits().GetPeer(nic);
            const uint32_t other = m_shape.GetNicServer(far) - region.first;
            const bool works = m_wiring->GetCables()[nic].isUp && m_wiring->GetCables()[far].isUp;
            bool stays = m_darkPart == DARK_CHANGES && far != nic && works;
            if (stays && server < other)
            {
                stays = kept.Count(server, other) < wanted.Count(server, other);
                if (stays)
                {
                    kept.Join(server, other);
                }
            }
            else if (stays)
            {
                // Decided at the other end, which was examined before.
                stays =
                    std::find(change.ended.begin(), change.ended.end(), far) == change.ended.end();
            }
            if (stays)
            {
                continue;
            }
            if (far != nic)
            {
                change.ended.push_back(nic);
            }
            if (m_wiring->GetCables()[nic].isUp)
            {
                open.push_back(nic);
            }
        }
        free.push_back(AlternateHalves(open));
        std::stable_sort(free.back().begin(), free.back().end(), [&](uint32_t nic, uint32_t next) {
            return m_wiring->GetCables()[nic].rateBps > m_wiring->GetCables()[next].rateBps;
        });
    }
    const auto add = [&](uint32_t one, uint32_t other) {
        kept.Join(one, other);
        change.added.emplace_back(TakeFirst(free[one]), TakeFirst(free[other]));
    };
    for (const auto& [one, other] : slot.order)
    {
        if (kept.Count(one, other) < wanted.Count(one, other))
        {
            add(one, other);
        }
    }
    for (uint32_t one = 0; one < wanted.GetServers(); ++one)
    {
        for (uint32_t other = one + 1; other < wanted.GetServers(); ++other)
        {
            while (kept.Count(one, other) < wanted.Count(one, other))
            {
                add(one, other);
            }
        }
    }
    return change;
}

void
CircuitController::GoDark(const std::vector<uint32_t>& ended)
{
    m_wiring->PrepareChange();
    for (const uint32_t nic : ended)
    {
        m_wiring->GetCircuits().End(nic, m_rules);
    }
}

void
CircuitController::GoLive(const std::vector<NicPair>& added)
{
    m_wiring->PrepareChange();
    for (const auto& [one, other] : added)
    {
        m_wiring->GetCircuits().Join(one, other);
    }
    if (m_onLive)
    {
        m_onLive();
    }
}

} // namespace ns3::rails
