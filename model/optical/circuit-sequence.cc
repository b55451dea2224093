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

constexpr TimePs kFirstPause = 1000; // 1 ns

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
CircuitSequence::Start(CircuitPlan plan, const CircuitDemand& demand, TimePs dark, TimePs delay)
{
    m_event.Cancel();
    m_plan = std::move(plan);
    m_delay = delay;
    m_slot = 0;
    const auto servers = static_cast<uint32_t>(m_nics.size());
    m_left.assign(servers, std::vector<uint64_t>(servers));
    for (uint32_t from = 0; from < servers; ++from)
    {
        for (uint32_t to = 0; to < servers; ++to)
        {
            m_left[from][to] = from == to ? 0 : demand.GetBytes(from, to);
        }
    }
    m_event = Simulator::Schedule(PicoSeconds(dark - NowPs()), &CircuitSequence::Next, this);
}

/// Begins with the next slot that has something to do. Behind the last one circuits stay.
void
CircuitSequence::Next()
{
    while (!FindParts())
    {
        if (++m_slot >= m_plan.slots.size())
        {
            return;
        }
    }
    m_isDark = true;
    ++m_record.slots;
    m_record.dark += m_delay;
    m_wiring->PrepareChange();
    for (const std::vector<uint32_t>& nics : m_nics)
    {
        for (const uint32_t nic : nics)
        {
            m_wiring->EndCircuit(nic, m_rules);
        }
    }
    m_event = Simulator::Schedule(PicoSeconds(m_delay), &CircuitSequence::GoLive, this);
}

/// \return whether a server has something left to send in the slot
bool
CircuitSequence::FindParts()
{
    m_parts.clear();
    if (m_slot >= m_plan.slots.size())
    {
        return false;
    }
    const CircuitSlot& slot = m_plan.slots[m_slot];
    for (uint32_t from = 0; from < m_nics.size(); ++from)
    {
        for (uint32_t to = 0; to < m_nics.size(); ++to)
        {
            const uint32_t circuits = slot.circuits.Count(from, to);
            const uint64_t goal = std::min(slot.bytes, m_left[from][to]);
            if (circuits > 0 && goal > 0)
            {
                m_parts.push_back({from, to, circuits, goal, 0});
            }
        }
    }
    return !m_parts.empty();
}

void
CircuitSequence::GoLive()
{
    m_isDark = false;
    m_wiring->PrepareChange();
    for (Part& part : m_parts)
    {
        for (uint32_t place = 0; place < part.circuits; ++place)
        {
            m_wiring->Lead(m_nics[part.from][place], m_nics[part.to][place]);
        }
        part.before = CountSent(part.from);
        m_record.circuits += part.circuits;
    }
    m_pause = kFirstPause;
    Look();
}

/// Ends the slot when all servers have sent their parts, or looks again when they should have.
void
CircuitSequence::Look()
{
    TimePs longest = 0;
    for (const Part& part : m_parts)
    {
        const uint64_t sent = CountSent(part.from) - part.before;
        const uint64_t missing = part.goal - std::min(part.goal, sent);
        longest = std::max(longest, LongSerialisationTime(missing, part.circuits * m_rate));
    }
    if (longest > 0)
    {
        m_event = Simulator::Schedule(PicoSeconds(std::max(longest, m_pause)),
                                      &CircuitSequence::Look,
                                      this);
        m_pause *= 2;
        return;
    }
    for (const Part& part : m_parts)
    {
        uint64_t& left = m_left[part.from][part.to];
        left -= std::min(left, CountSent(part.from) - part.before);
    }
    ++m_slot;
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

bool
CircuitSequence::IsDark() const
{
    return m_isDark;
}

const CircuitSequence::Record&
CircuitSequence::GetRecord() const
{
    return m_record;
}

} // namespace ns3::rails
