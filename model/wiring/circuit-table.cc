// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-table.h"

#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rails
{

CircuitTable::CircuitTable(const ClusterShape& shape, FindSwitch findSwitch, Tell tell)
    : m_shape(shape),
      m_findSwitch(std::move(findSwitch)),
      m_tell(std::move(tell))
{
}

void
CircuitTable::Check(uint32_t nic, uint32_t other, bool isFree) const
{
    const std::optional<uint32_t> at = m_findSwitch(nic);
    if (nic == other || !at || at != m_findSwitch(other) || !isFree)
    {
        throw std::logic_error("no circuit can join NICs " + std::to_string(nic) + " and " +
                               std::to_string(other));
    }
}

void
CircuitTable::Join(uint32_t nic, uint32_t other)
{
    Check(nic, other, GetPeer(nic) == nic && GetPeer(other) == other);
    Set(nic, other, {});
    Set(other, nic, {});
}

void
CircuitTable::JoinOneWay(uint32_t nic, uint32_t other)
{
    Check(nic, other, GetPeer(nic) == nic && GetSource(other) == other);
    Set(nic, other, {});
    m_tell(other, {});
}

void
CircuitTable::End(uint32_t nic, const CutRules& rules)
{
    const uint32_t other = GetPeer(nic);
    if (other == nic)
    {
        return;
    }
    if (m_peers[other] == nic)
    {
        m_peers[other] = other;
        m_sources[nic] = nic;
    }
    Set(nic, nic, rules);
    m_tell(other, rules);
}

void
CircuitTable::Set(uint32_t nic, uint32_t other, const CutRules& rules)
{
    if (m_peers.empty())
    {
        m_peers.resize(m_shape.GetNics());
        std::iota(m_peers.begin(), m_peers.end(), 0);
        m_sources = m_peers;
    }
    const uint32_t before = std::exchange(m_peers[nic], other);
    if (before != nic)
    {
        m_sources[before] = before;
    }
    if (other != nic)
    {
        m_sources[other] = nic;
    }
    m_tell(nic, rules);
}

uint32_t
CircuitTable::GetPeer(uint32_t nic) const
{
    return m_peers.empty() ? nic : m_peers[nic];
}

uint32_t
CircuitTable::GetSource(uint32_t nic) const
{
    return m_peers.empty() ? nic : m_sources[nic];
}

void
CircuitTable::SetTimeSlotted()
{
    m_areTimeSlotted = true;
}

bool
CircuitTable::MayJoin(uint32_t fromNic, uint32_t toNic) const
{
    const std::optional<uint32_t> at = m_findSwitch(fromNic);
    return !at || at != m_findSwitch(toNic) || GetPeer(fromNic) == toNic;
}

bool
CircuitTable::WillJoin(uint32_t fromNic, uint32_t toNic) const
{
    return MayJoin(fromNic, toNic) ||
           (m_areTimeSlotted && m_shape.GetRail(fromNic) == m_shape.GetRail(toNic));
}

std::optional<CircuitTable::Detour>
CircuitTable::FindDetour(uint32_t fromNic, uint32_t toNic) const
{
    const bool leaves = m_findSwitch(fromNic).has_value();
    const uint32_t optical = leaves ? fromNic : toNic;
    const uint32_t electrical = leaves ? toNic : fromNic;
    const uint32_t far = GetPeer(optical);
    if (leaves == m_findSwitch(toNic).has_value() || far == optical)
    {
        return std::nullopt;
    }
    const uint32_t server = m_shape.GetNicServer(far);
    const uint32_t other = m_shape.GetNic(server, m_shape.GetRail(electrical));
    if (server == m_shape.GetNicServer(electrical) || m_findSwitch(other).has_value())
    {
        return std::nullopt;
    }
    return leaves ? Detour{far, other} : Detour{other, far};
}

} // namespace ns3::rails
