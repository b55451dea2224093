// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-sequence.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::rails
{

namespace
{

// Time between two checks whether a slot is over; it doubles while no bytes are sent.
constexpr TimePs kLeastPause = 100'000;      // 100 ns
constexpr TimePs kLongestPause = 10'000'000; // 10 us

} // namespace

CircuitSequence::CircuitSequence(std::shared_ptr<Wiring> wiring,
                                 std::vector<std::vector<uint32_t>> nics,
                                 uint64_t rate,
                                 CutRules rules,
                                 SentCallback sent)
    : m_wiring(std::move(wiring)),
      m_nics(std::move(nics)),
      m_rate(rate),
      m_rules(rules),
      m_sent(std::move(sent))
{
}

CircuitSequence::~CircuitSequence()
{
    m_event.Cancel();
}

void
CircuitSequence::Start(CircuitPlan plan,
                       const CircuitDemand& demand,
                       TimePs dark,
                       TimePs delay,
                       TimePs known)
{
    m_event.Cancel();
    m_plan = std::move(plan);
    m_delay = delay;
    m_known = known;
    m_slot = 0;
    m_parts.clear();
    const auto servers = static_cast<uint32_t>(m_nics.size());
    m_left.assign(servers, std::vector<uint64_t>(servers));
    m_lastSlots.assign(servers, std::vector<std::size_t>(servers));
    for (uint32_t from = 0; from < servers; ++from)
    {
        for (uint32_t to = 0; to < servers; ++to)
        {
            m_left[from][to] = from == to ? 0 : demand.GetBytes(from, to);
            for (std::size_t slot = 0; slot < m_plan.slots.size(); ++slot)
            {
                if (m_plan.slots[slot].circuits.Count(from, to) > 0)
                {
                    m_lastSlots[from][to] = slot;
                }
            }
        }
    }
    m_event = Simulator::Schedule(PicoSeconds(dark - NowPs()), &CircuitSequence::Next, this);
}

/// Ends a slot and starts the next slot with bytes left, if any. Time slots need the flow engine,
/// whose flows catch up themselves when circuits change: Wiring::PrepareChange() would bring up the
/// whole cluster, thousands of times.
void
CircuitSequence::Next()
{
    m_isDark = false;
    for (const std::vector<uint32_t>& nics : m_nics)
    {
        for (const uint32_t nic : nics)
        {
            m_wiring->GetCircuits().End(nic, m_rules);
        }
    }
    // Sent bytes are counted now and at the start of the next slot: no bytes are sent in between.
    for (const Part& part : m_parts)
    {
        uint64_t& left = m_left[part.from][part.to];
        left -= std::min(left, CountSent(part));
    }
    // The switch waits for the last bytes of a slot.
    const TimePs way = m_wiring->GetNicKind(m_nics.front().front()).delay;
    const TimePs through = m_parts.empty() ? 0 : way;
    do
    {
        if (m_slot == m_plan.slots.size())
        {
            m_parts.clear();
            return;
        }
        m_parts = FindParts(m_slot++);
    } while (m_parts.empty());
    m_isDark = true;
    ++m_record.slots;
    m_record.dark += m_delay;
    m_event = Simulator::Schedule(PicoSeconds(through + m_delay), &CircuitSequence::GoLive, this);
}

/// \return bytes left in a slot by pair of servers; all bytes left in the last slot of a pair
std::vector<CircuitSequence::Part>
CircuitSequence::FindParts(std::size_t number) const
{
    const CircuitSlot& slot = m_plan.slots[number];
    std::vector<Part> parts;
    for (uint32_t from = 0; from < m_nics.size(); ++from)
    {
        for (uint32_t to = 0; to < m_nics.size(); ++to)
        {
            const uint32_t circuits = slot.circuits.Count(from, to);
            const uint64_t left = m_left[from][to];
            if (circuits > 0 && left > 0)
            {
                const bool isLast = m_lastSlots[from][to] == number;
                parts.push_back(
                    {from, to, circuits, isLast ? left : std::min(slot.bytes, left), 0});
            }
        }
    }
    return parts;
}

void
CircuitSequence::GoLive()
{
    m_isDark = false;
    for (Part& part : m_parts)
    {
        for (uint32_t place = 0; place < part.circuits; ++place)
        {
            m_wiring->GetCircuits().JoinOneWay(m_nics[part.from][place], m_nics[part.to][place]);
        }
        part.before = CountSent(part.from);
        m_record.circuits += part.circuits;
    }
    m_seen = 0;
    m_pause = kLeastPause / 2;
    Examine();
}

/// Ends the slot when all servers have sent their parts; otherwise schedules the next check.
void
CircuitSequence::Examine()
{
    TimePs longest = 0;
    uint64_t seen = 0;
    for (const Part& part : m_parts)
    {
        const uint64_t sent = CountSent(part);
        const uint64_t missing = part.goal - std::min(part.goal, sent);
        longest = std::max(longest, LongSerialisationTime(missing, part.circuits * m_rate));
        seen += sent;
    }
    if (longest > 0)
    {
        m_pause = seen > m_seen ? kLeastPause : std::min(2 * m_pause, kLongestPause);
        m_seen = seen;
        const TimePs next = std::max(NowPs(), m_known) + std::max(longest, m_pause);
        m_event = Simulator::Schedule(PicoSeconds(next - NowPs()), &CircuitSequence::Examine, this);
        return;
    }
    Next();
}

uint64_t
CircuitSequence::CountSent(uint32_t server) const
{
    const std::vector<uint32_t>& nics = m_nics[server];
    return std::accumulate(nics.begin(), nics.end(), uint64_t{0}, [&](uint64_t sum, uint32_t nic) {
        return sum + m_sent(nic);
    });
}

/// \return bytes sent of a part, or more; a count in doubles may decrease by a byte
uint64_t
CircuitSequence::CountSent(const Part& part) const
{
    const uint64_t sent = CountSent(part.from);
    return sent - std::min(sent, part.before);
}

} // namespace ns3::rails
