// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_BARRIER_H
#define GRAPH_BARRIER_H

#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// What circuits are moved for.
struct CircuitPurpose
{
    bool isForeseen{false};  //!< the members only expect what they announce
    bool isOnWayBack{false}; //!< what they announce belongs to the way back
};

/// GPUs that wait for each other: nodes of theirs point to it. Two barriers that are made for the
/// same nodes answer alike.
class GraphBarrier
{
  public:
    /// \param members how many GPUs of all servers
    explicit GraphBarrier(uint32_t members)
        : m_members(members)
    {
    }

    virtual ~GraphBarrier() = default;

    GraphBarrier(const GraphBarrier&) = delete;
    GraphBarrier& operator=(const GraphBarrier&) = delete;

    uint32_t CountMembers() const
    {
        return m_members;
    }

    /// \return what circuits are moved for, while the barrier delays its members; none: they stay
    virtual std::optional<CircuitPurpose> GetPurpose() const
    {
        return std::nullopt;
    }

    /// \return what a member of a barrier that moves circuits will send, sorted by destination
    virtual std::vector<Demand> GetAnnounced(uint32_t /* gpu */) const
    {
        return {};
    }

  private:
    uint32_t m_members;
};

} // namespace ns3::rails

#endif // GRAPH_BARRIER_H
