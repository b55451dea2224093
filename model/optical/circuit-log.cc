// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-log.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ns3::rails
{

CircuitLog::CircuitLog(std::shared_ptr<Wiring> wiring, CircuitSequence::SentCallback sent)
    : m_wiring(std::move(wiring)),
      m_sent(std::move(sent)),
      m_now(m_wiring->GetShape().GetNics())
{
    for (uint32_t nic = 0; nic < m_now.size(); ++nic)
    {
        m_now[nic].nic = nic;
        m_now[nic].to = nic;
    }
    m_wiring->AddListener(*this);
}

CircuitLog::~CircuitLog()
{
    m_wiring->RemoveListener(*this);
}

void
CircuitLog::BeforeChange()
{
}

void
CircuitLog::OnCableUp(uint32_t, const CutRules&)
{
}

void
CircuitLog::OnCableRate(uint32_t)
{
}

/// \return the circuit with an end now
CircuitLog::Light
CircuitLog::End(const Light& light) const
{
    Light ended = light;
    ended.end = NowPs();
    // The count of sent bytes decreases when a message is given up.
    const uint64_t sent = m_sent(light.nic);
    ended.bytes = sent > light.before ? sent - light.before : 0;
    return ended;
}

void
CircuitLog::OnCircuit(uint32_t nic, const CutRules&)
{
    Light& light = m_now[nic];
    const uint32_t to = m_wiring->GetCircuits().GetPeer(nic);
    if (light.to == to)
    {
        return;
    }
    if (light.to != nic)
    {
        light = End(light);
        m_ended.push_back(light);
        m_moves[m_wiring->GetEdge(nic)].ended = NowPs();
    }
    light.to = to;
    if (to != nic)
    {
        Moves& moves = m_moves[m_wiring->GetEdge(nic)];
        if (moves.lit != NowPs())
        {
            moves.dark = moves.ended > -1 && moves.ended >= moves.lit ? NowPs() - moves.ended : 0;
            moves.lit = NowPs();
        }
        light.dark = moves.dark;
        light.start = NowPs();
        light.before = m_sent(nic);
    }
}

std::vector<CircuitSpan>
CircuitLog::Collect() const
{
    const ClusterShape& shape = m_wiring->GetShape();
    const bool isDuplex = !m_wiring->GetCircuits().AreTimeSlotted();
    std::map<std::tuple<TimePs, TimePs, uint32_t, uint32_t>, CircuitSpan> spans;
    const auto add = [&](const Light& light) {
        uint32_t from = shape.GetNicServer(light.nic);
        uint32_t to = shape.GetNicServer(light.to);
        if (isDuplex && from > to)
        {
            std::swap(from, to);
        }
        CircuitSpan& span = spans[{light.start, light.end, from, to}];
        span.start = light.start;
        span.end = light.end;
        span.from = from;
        span.to = to;
        ++span.circuits; // of both directions
        span.bytes += light.bytes;
        span.dark = std::max(span.dark, light.dark);
    };
    std::for_each(m_ended.begin(), m_ended.end(), add);
    for (const Light& light : m_now)
    {
        if (light.to != light.nic)
        {
            add(End(light));
        }
    }
    std::vector<CircuitSpan> all;
    for (const auto& [key, span] : spans)
    {
        all.push_back(span);
        all.back().circuits /= isDuplex ? 2 : 1;
    }
    return all;
}

} // namespace ns3::rails
