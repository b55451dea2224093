// SPDX-License-Identifier: GPL-2.0-only
#include "static-circuit-planner.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/csv-file.h"
#include "ns3/draw-permutation.h"
#include "ns3/rails-error.h"
#include "ns3/random-bits.h"
#include "ns3/seeded-bits.h"
#include "ns3/string.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(StaticCircuitPlanner);

TypeId
StaticCircuitPlanner::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::StaticCircuitPlanner").SetParent<CircuitPlanner>(),
                         "The same circuits whatever there is to send: drawn at random, or given.")
            .SetGroupName("Rails")
            .AddConstructor<StaticCircuitPlanner>()
            .AddAttribute("Path",
                          "CSV square of circuits: a row and a column for each server of a region, "
                          "no header, the same in both directions; every region gets them. Without "
                          "it circuits are drawn.",
                          StringValue(""),
                          MakeStringAccessor(&StaticCircuitPlanner::m_path),
                          MakeStringChecker())
            .AddAttribute("Parallel",
                          "Whether ports that are free when no other pair can be drawn go to "
                          "further circuits of pairs that have one. (MixNet's public code: false.)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&StaticCircuitPlanner::m_parallel),
                          MakeBooleanChecker());
    return tid;
}

StaticCircuitPlanner::StaticCircuitPlanner()
    : m_random(CreateObject<UniformRandomVariable>())
{
    m_traits.followsDemand = false;
}

void
StaticCircuitPlanner::Check(const CircuitRegion& region) const
{
    if (m_path.empty())
    {
        return;
    }
    const CircuitMap circuits = Read(static_cast<uint32_t>(region.ports.size()));
    for (uint32_t server = 0; server < region.ports.size(); ++server)
    {
        const uint32_t needed = circuits.CountLeaving(server);
        if (needed > region.ports[server])
        {
            throw ConfigurationError("path",
                                     m_path + ": server " + std::to_string(server) + " has " +
                                         std::to_string(needed) + " circuits, but only " +
                                         std::to_string(region.ports[server]) +
                                         " ports at the optical switch");
        }
    }
}

int64_t
StaticCircuitPlanner::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    m_key.clear();
    return 1;
}

CircuitMap
StaticCircuitPlanner::Read(uint32_t servers) const
{
    const std::string expected = "expected a row and a column for each of the " +
                                 std::to_string(servers) + " servers of a region, found ";
    CsvFile file(m_path);
    std::vector<std::vector<uint64_t>> square;
    CircuitMap circuits(servers);
    while (file.NextRow())
    {
        const auto one = static_cast<uint32_t>(square.size());
        if (one == servers)
        {
            file.FailRow(expected + "a row more");
        }
        if (file.GetColumns() != servers)
        {
            file.FailRow(expected + std::to_string(file.GetColumns()) + " columns");
        }
        std::vector<uint64_t>& row = square.emplace_back();
        for (uint32_t other = 0; other < servers; ++other)
        {
            row.push_back(file.GetNumber(other, std::numeric_limits<uint16_t>::max()));
            if (other == one && row[other] > 0)
            {
                file.Fail(other, "a server has no circuits to itself");
            }
            if (other < one && row[other] != square[other][one])
            {
                file.Fail(other,
                          "circuits are full-duplex: expected " +
                              std::to_string(square[other][one]) + ", as in the other direction");
            }
            if (other < one)
            {
                circuits.Join(one, other, static_cast<uint32_t>(row[other]));
            }
        }
    }
    if (square.size() < servers)
    {
        file.FailFile(expected + std::to_string(square.size()) + " rows");
    }
    return circuits;
}

CircuitMap
StaticCircuitPlanner::Draw(const CircuitRegion& region)
{
    const auto servers = static_cast<uint32_t>(region.ports.size());
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t one = 0; one < servers; ++one)
    {
        for (uint32_t other = one + 1; other < servers; ++other)
        {
            pairs.emplace_back(one, other);
        }
    }
    if (m_key.empty())
    {
        RandomBits bits(m_random);
        m_key = {bits(), bits()};
    }
    SeededBits bits{m_key[0], m_key[1], region.index};
    const std::vector<uint32_t> order = DrawPermutation(static_cast<uint32_t>(pairs.size()), bits);
    CircuitMap circuits(servers);
    for (bool goesOn = true; goesOn;)
    {
        goesOn = false;
        for (const uint32_t number : order)
        {
            const auto [one, other] = pairs[number];
            if (circuits.CountLeaving(one) < region.ports[one] &&
                circuits.CountLeaving(other) < region.ports[other])
            {
                circuits.Join(one, other);
                goesOn = m_parallel;
            }
        }
    }
    return circuits;
}

CircuitMap
StaticCircuitPlanner::ReadWorking(const CircuitRegion& region) const
{
    const auto servers = static_cast<uint32_t>(region.ports.size());
    const CircuitMap given = Read(servers);
    CircuitMap circuits(servers);
    for (uint32_t one = 0; one < servers; ++one)
    {
        for (uint32_t other = one + 1; other < servers; ++other)
        {
            const uint32_t free = std::min(region.ports[one] - circuits.CountLeaving(one),
                                           region.ports[other] - circuits.CountLeaving(other));
            circuits.Join(one, other, std::min(given.Count(one, other), free));
        }
    }
    return circuits;
}

CircuitPlan
StaticCircuitPlanner::DoPlan(const CircuitRegion& region, const CircuitDemand&)
{
    CircuitPlan plan;
    plan.slots.push_back({m_path.empty() ? Draw(region) : ReadWorking(region)});
    return plan;
}

} // namespace ns3::rails
