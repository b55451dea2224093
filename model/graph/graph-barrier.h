// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_BARRIER_H
#define GRAPH_BARRIER_H

#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Purpose of a reconfiguration of circuits.
struct CircuitPurpose
{
    bool isForeseen{false};  //!< the announced demands are only predictions
    bool isOnWayBack{false}; //!< the announced demands belong to the backward pass
};

/// A barrier among GPUs; nodes of its members point to it. Two objects made for the same nodes
/// agree.
class GraphBarrier
{
  public:
    /// \param members number of GPUs in all servers
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

    /// \return why circuits are reconfigured while the barrier delays its members; none: they stay
    virtual std::optional<CircuitPurpose> GetPurpose() const
    {
        return std::nullopt;
    }

    /// \return demands that a member announces before circuits are reconfigured, sorted by
    /// destination
    virtual std::vector<Demand> GetAnnounced(uint32_t /* gpu */) const
    {
        return {};
    }

  private:
    uint32_t m_members;
};

} // namespace ns3::rails

#endif // GRAPH_BARRIER_H
