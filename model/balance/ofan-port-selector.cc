// SPDX-License-Identifier: GPL-2.0-only
#include "ofan-port-selector.h"

#include "interleaved-schedule.h"

#include "ns3/abort.h"
#include "ns3/component-documentation.h"
#include "ns3/rails-switch.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(OfanPortSelector);

namespace
{

// Weights up to which a cycle repeats them exactly. Those of a fat-tree are numbers of cores behind
// an aggregation switch; only odd rates of degraded links need more.
constexpr uint64_t kLargestWeight = 256;

// Room for products of two.
constexpr uint64_t kLargestInterim = 1 << 24;

// Divides weights by their common divisor, and rounds them when they are still too large. Those
// above 0 stay above 0.
void
Reduce(std::vector<uint64_t>& weights, uint64_t largestAllowed)
{
    uint64_t divisor = 0;
    for (const uint64_t weight : weights)
    {
        divisor = std::gcd(divisor, weight);
    }
    if (divisor == 0)
    {
        return;
    }
    const uint64_t largest = *std::max_element(weights.begin(), weights.end()) / divisor;
    for (uint64_t& weight : weights)
    {
        const bool isUsed = weight > 0;
        weight /= divisor;
        if (largest > largestAllowed)
        {
            weight = (weight * largestAllowed + largest / 2) / largest;
        }
        weight = std::max<uint64_t>(weight, isUsed ? 1 : 0);
    }
}

// Weights toward one destination say nothing about those toward another, because each set lacks its
// own divisor. The ports that both have tell by what to multiply: the middle one of their ratios.
std::pair<uint64_t, uint64_t>
FindScale(const std::vector<uint64_t>& reference, const std::vector<uint64_t>& weights)
{
    std::vector<std::pair<uint64_t, uint64_t>> ratios;
    for (std::size_t port = 0; port < weights.size(); ++port)
    {
        if (reference[port] > 0 && weights[port] > 0)
        {
            ratios.emplace_back(reference[port], weights[port]);
        }
    }
    if (ratios.empty())
    {
        return {1, 1};
    }
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end(), [](const auto& a, const auto& b) {
        return a.first * b.second < b.first * a.second;
    });
    return *middle;
}

} // namespace

TypeId
OfanPortSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::OfanPortSelector").SetParent<PortSelector>(),
                         "Ofan: frames to one edge switch, further up to one region, take the "
                         "ports in turn as if they were one flow. (arXiv 2507.21372, section 5 "
                         "and appendix F)")
            .SetGroupName("Rails")
            .AddConstructor<OfanPortSelector>()
            .AddAttribute("SkipAfter",
                          "Cycles after which a pointer skips one position, so that it cannot stay "
                          "in step with senders of constant rate; 0: never. (arXiv 2507.21372, "
                          "appendix F, names the problem; the authors' simulator has a variant "
                          "with 10)",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OfanPortSelector::m_skipAfter),
                          MakeCountRange<uint32_t>());
    return tid;
}

void
OfanPortSelector::Prepare(const Switch& at)
{
    const std::vector<uint32_t>& regions = at.GetRegions();
    m_byEdge = at.HasNics();
    m_schedules.resize(*std::max_element(regions.begin(), regions.end()) + 1);
    m_pointers.resize(m_byEdge ? regions.size() : m_schedules.size());
}

void
OfanPortSelector::MakeSchedule(const Switch& at, uint32_t region, Schedule& schedule)
{
    const std::vector<uint32_t>& regions = at.GetRegions();
    std::vector<uint64_t> merged(at.GetPorts().size(), 0);
    for (uint32_t edge = 0; edge < regions.size(); ++edge)
    {
        const NextHops& hops = at.GetNextHops(edge);
        if (regions[edge] != region || hops.ports.empty())
        {
            continue;
        }
        std::vector<uint64_t> weights(merged.size(), 0);
        for (std::size_t i = 0; i < hops.ports.size(); ++i)
        {
            weights[hops.ports[i]] = hops.weights[i];
        }
        Reduce(weights, kLargestInterim);
        const auto [numerator, denominator] = FindScale(merged, weights);
        for (std::size_t port = 0; port < merged.size(); ++port)
        {
            merged[port] = std::max(merged[port] * denominator, weights[port] * numerator);
        }
        Reduce(merged, kLargestInterim);
    }
    Reduce(merged, kLargestWeight);
    std::vector<uint16_t> ports;
    for (std::size_t port = 0; port < merged.size(); ++port)
    {
        if (merged[port] > 0)
        {
            ports.push_back(static_cast<uint16_t>(port));
        }
    }
    m_draw.Shuffle(ports);
    std::vector<WeightedPort> order;
    for (const uint16_t port : ports)
    {
        order.push_back({port, static_cast<uint32_t>(merged[port])});
    }
    schedule.ports = MakeInterleavedSchedule(order);
    schedule.distinct = order.size();
}

uint16_t
OfanPortSelector::Select(const Switch& at, Frame& frame, const NextHops& hops)
{
    if (m_schedules.empty())
    {
        Prepare(at);
    }
    const uint32_t edge = frame.destination.edge;
    const uint32_t region = at.GetRegions()[edge];
    Schedule& schedule = m_schedules[region];
    if (schedule.ports.empty())
    {
        MakeSchedule(at, region, schedule);
    }
    const auto length = static_cast<uint32_t>(schedule.ports.size());
    const std::size_t bin = frame.kind == FrameKind::Data ? 0 : 1;
    std::array<Pointer, kBins>& pointers = m_pointers[m_byEdge ? edge : region];
    Pointer& pointer = pointers[bin];
    if (pointer.position == kUnset)
    {
        // Half a cycle apart, so that the data of one direction and the answers to the other do not
        // move in step.
        pointer.position = m_draw.Below(length);
        pointers[1 - bin].position = (pointer.position + length / 2) % length;
    }
    uint32_t position = pointer.position;
    if (hops.ports.size() != schedule.distinct)
    {
        // Toward this destination something is broken behind the region's other ports.
        uint32_t tried = 0;
        while (std::find(hops.ports.begin(), hops.ports.end(), schedule.ports[position]) ==
               hops.ports.end())
        {
            position = position + 1 == length ? 0 : position + 1;
            NS_ABORT_MSG_IF(++tried == length, at.GetName() << " was not told of new routes");
        }
    }
    const uint16_t port = schedule.ports[position];
    position = position + 1 == length ? 0 : position + 1;
    if (m_skipAfter > 0 && position <= pointer.position && ++pointer.cycles == m_skipAfter)
    {
        pointer.cycles = 0;
        position = position + 1 == length ? 0 : position + 1;
    }
    pointer.position = position;
    return port;
}

void
OfanPortSelector::OnRoutesChanged(const Switch& /* at */)
{
    m_schedules.clear();
    m_pointers.clear();
}

int64_t
OfanPortSelector::AssignStreams(int64_t stream)
{
    return m_draw.AssignStreams(stream);
}

std::size_t
OfanPortSelector::CountSchedules() const
{
    return static_cast<std::size_t>(
        std::count_if(m_schedules.begin(), m_schedules.end(), [](const Schedule& schedule) {
            return !schedule.ports.empty();
        }));
}

std::size_t
OfanPortSelector::CountPointers() const
{
    return static_cast<std::size_t>(
        std::count_if(m_pointers.begin(), m_pointers.end(), [](const auto& pointers) {
            return pointers[0].position != kUnset;
        }));
}

} // namespace ns3::rails
