// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_SCALING_H
#define GRAPH_SCALING_H

#include "ns3/rails-units.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/// Estimates what all of something takes, from a run of a program that is a part of it.
class GraphScaling
{
  public:
    virtual ~GraphScaling() = default;

    GraphScaling() = default;
    GraphScaling(const GraphScaling&) = delete;
    GraphScaling& operator=(const GraphScaling&) = delete;

    /// A node of a GPU is over. \param over how many of the stream are
    virtual void OnEnd(uint32_t gpu, uint32_t stream, uint64_t over, TimePs at) = 0;

    /// \return of a run that is done, the time in ps by which an iteration of all is longer than
    /// one of the part; nothing: that cannot be told from the part
    virtual std::optional<double> FindAdded() const = 0;
};

} // namespace ns3::rails

#endif // GRAPH_SCALING_H
