// SPDX-License-Identifier: GPL-2.0-only
#include "patient-circuit-planner.h"

#include "ns3/component-documentation.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-units.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PatientCircuitPlanner);

namespace
{

/// \return seconds; 0 for 0 bytes, also at rate 0
double
FindSeconds(uint64_t bytes, double rateBps)
{
    if (bytes == 0)
    {
        return 0;
    }
    return rateBps > 0 ? kBitsPerByte * static_cast<double>(bytes) / rateBps
                       : std::numeric_limits<double>::infinity();
}

} // namespace

double
EstimateExchange(const CircuitRegion& region,
                 const CircuitMap& circuits,
                 const CircuitDemand& demand)
{
    const uint32_t servers = demand.GetServers();
    double longest = 0;
    for (uint32_t one = 0; one < servers; ++one)
    {
        uint64_t sent = 0; // by the packet fabric
        uint64_t received = 0;
        for (uint32_t other = 0; other < servers; ++other)
        {
            const uint32_t joined = other == one ? 0 : circuits.Count(one, other);
            if (joined > 0)
            {
                longest = std::max(longest,
                                   FindSeconds(demand.GetBytes(one, other),
                                               static_cast<double>(region.rate) * joined));
            }
            else if (other != one)
            {
                sent += demand.GetBytes(one, other);
                received += demand.GetBytes(other, one);
            }
        }
        const auto packets = static_cast<double>(region.packetRate);
        longest = std::max(longest, FindSeconds(std::max(sent, received), packets));
    }
    return longest;
}

TypeId
PatientCircuitPlanner::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::PatientCircuitPlanner").SetParent<CircuitPlanner>(),
            "Circuits of another planner, where they save more time than the region is dark "
            "for; otherwise those that are there stay. (Ours.)")
            .SetGroupName("Rails")
            .AddConstructor<PatientCircuitPlanner>()
            .AddAttribute("Proposed",
                          "The other planner: greedy or exact.",
                          StringValue("ns3::rails::GreedyCircuitPlanner"),
                          MakePointerAccessor(&PatientCircuitPlanner::m_proposed),
                          MakePointerChecker<CircuitPlanner>())
            .AddAttribute(
                "Exchanges",
                "How often circuits carry what they are laid for: twice in a training, as "
                "tokens come back.",
                UintegerValue(2),
                MakeUintegerAccessor(&PatientCircuitPlanner::m_exchanges),
                MakeCountRange<uint32_t>(1));
    return tid;
}

void
PatientCircuitPlanner::Check(const CircuitRegion& region) const
{
    if (!m_proposed->GetTraits().followsDemand || !m_proposed->GetTraits().isLasting ||
        DynamicCast<PatientCircuitPlanner>(m_proposed))
    {
        throw ConfigurationError("proposed", "expected greedy or exact");
    }
    CheckNested("proposed", [&] { m_proposed->Check(region); });
}

int64_t
PatientCircuitPlanner::AssignStreams(int64_t stream)
{
    return m_proposed->AssignStreams(stream);
}

CircuitPlan
PatientCircuitPlanner::DoPlan(const CircuitRegion& region, const CircuitDemand& demand)
{
    CircuitPlan plan = m_proposed->Plan(region, demand);
    const double standing = EstimateExchange(region, region.standing, demand);
    const double proposed = EstimateExchange(region, plan.slots.front().circuits, demand);
    const double dark = static_cast<double>(region.delay) * 1e-12;
    const bool isWorthIt = proposed < standing && (standing - proposed) * m_exchanges > dark;
    if (!isWorthIt)
    {
        plan.slots.front() = {region.standing};
    }
    return plan;
}

} // namespace ns3::rails
