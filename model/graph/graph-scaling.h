// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_SCALING_H
#define GRAPH_SCALING_H

#include "ns3/rails-units.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/// Estimates the time of a whole program from a run of a part of it.
class GraphScaling
{
  public:
    virtual ~GraphScaling() = default;

    GraphScaling() = default;
    GraphScaling(const GraphScaling&) = delete;
    GraphScaling& operator=(const GraphScaling&) = delete;

    /// A node of a GPU is over. \param over number of nodes of the stream that are over
    virtual void OnEnd(uint32_t gpu, uint32_t stream, uint64_t over, TimePs at) = 0;

    /// After the run. \return the time in ps by which an iteration of the whole program is longer
    /// than one of the part; nothing when the part does not suffice for an estimate
    virtual std::optional<double> FindAdded() const = 0;
};

} // namespace ns3::rails

#endif // GRAPH_SCALING_H
