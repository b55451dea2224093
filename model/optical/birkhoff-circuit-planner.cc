// SPDX-License-Identifier: GPL-2.0-only
#include "birkhoff-circuit-planner.h"

#include "ns3/birkhoff-slots.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(BirkhoffCircuitPlanner);

TypeId
BirkhoffCircuitPlanner::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::BirkhoffCircuitPlanner").SetParent<CircuitPlanner>(),
                 "A sequence of matchings that together move all there is, each after a "
                 "reconfiguration. (Birkhoff and von Neumann.)")
            .SetGroupName("Rails")
            .AddConstructor<BirkhoffCircuitPlanner>()
            .AddAttribute("Slots",
                          "Matchings at most, the largest first; what they leave does not go by "
                          "circuits, so a run, where it would have no way, takes no limit. By "
                          "default as many as it takes.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<UintegerValue>(&BirkhoffCircuitPlanner::m_slots),
                          MakeCountRange<uint32_t>(1));
    return tid;
}

bool
BirkhoffCircuitPlanner::IsLasting() const
{
    return false;
}

void
BirkhoffCircuitPlanner::Check(const CircuitRegion&) const
{
    if (m_slots)
    {
        throw ConfigurationError("slots",
                                 "what too few slots leave would have no way in a run: leave it "
                                 "out, and as many are laid as it takes");
    }
}

CircuitPlan
BirkhoffCircuitPlanner::DoPlan(const CircuitRegion& region, const CircuitDemand& demand)
{
    const uint32_t servers = demand.GetServers();
    ByteSquare left(servers, std::vector<uint64_t>(servers));
    for (uint32_t from = 0; from < servers; ++from)
    {
        for (uint32_t to = 0; to < servers; ++to)
        {
            const bool works = region.ports[from] > 0 && region.ports[to] > 0;
            left[from][to] = works ? demand.GetBytes(from, to) : 0;
        }
    }
    std::vector<BirkhoffSlot> slots = DecomposeIntoSlots(PadToEqualSums(left));
    if (m_slots && slots.size() > *m_slots)
    {
        slots.resize(*m_slots);
    }
    CircuitPlan plan;
    for (const BirkhoffSlot& slot : slots)
    {
        CircuitSlot lit{CircuitMap(servers), slot.bytes, 0};
        const std::vector<uint64_t> sent = TakeSlot(slot, left);
        for (uint32_t from = 0; from < servers; ++from)
        {
            const uint32_t to = slot.destinations[from];
            if (sent[from] == 0)
            {
                continue; // the rest is padding
            }
            const uint32_t circuits = std::min(region.ports[from], region.ports[to]);
            lit.circuits.Lead(from, to, circuits);
            lit.duration =
                std::max(lit.duration, LongSerialisationTime(sent[from], circuits * region.rate));
        }
        plan.slots.push_back(std::move(lit));
    }
    return plan;
}

} // namespace ns3::rails
