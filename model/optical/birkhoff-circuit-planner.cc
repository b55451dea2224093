// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-planner.h"

#include "ns3/birkhoff-slots.h"
#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace ns3::rails
{

/**
 * `birkhoff`: a sequence of matchings that together serve the whole demand (Birkhoff and von
 * Neumann), as in schedules of optical switches: see PadToEqualSums() and DecomposeIntoSlots(). In
 * a slot every server sends over all its ports to one server, and receives over all its ports from
 * one server, possibly another. Transmitters and receivers have separate fibres (MixNet, section 9,
 * default), set independently here and together in MixNet. A slot lasts until the last server has
 * sent its part, and the region is dark before each slot, so reconfiguration delays of milliseconds
 * make it slow; it is here to show that. A server without a working port is left out. In runs
 * CircuitSequence lays the slots.
 */
class BirkhoffCircuitPlanner : public CircuitPlanner
{
  public:
    static TypeId GetTypeId();

    BirkhoffCircuitPlanner()
    {
        m_traits.isLasting = false;
    }

    void Check(const CircuitRegion& region) const override;

  private:
    CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) override;

    std::optional<uint32_t> m_slots;
};

NS_OBJECT_ENSURE_REGISTERED(BirkhoffCircuitPlanner);

TypeId
BirkhoffCircuitPlanner::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::BirkhoffCircuitPlanner").SetParent<CircuitPlanner>(),
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
