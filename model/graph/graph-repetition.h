// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_REPETITION_H
#define GRAPH_REPETITION_H

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

class GraphProgram;

/// Nodes of a stream that repeat with each unit, in a program with fewer units. Neither they nor
/// the nodes before them depend on the number of units.
struct RepeatedNodes
{
    uint32_t gpu{0};
    uint32_t stream{0};
    /// For each of these nodes, the number of nodes of the stream that are over at its end, from
    /// the start of the run; equally many for each iteration, ascending.
    std::vector<uint64_t> over;
    uint32_t perUnit{0};
};

/// Equal units that an iteration of a program repeats: micro-batches. The time of all of them can
/// be extrapolated from a program with fewer units.
class GraphRepetition
{
  public:
    virtual ~GraphRepetition() = default;

    GraphRepetition() = default;
    GraphRepetition(const GraphRepetition&) = delete;
    GraphRepetition& operator=(const GraphRepetition&) = delete;

    /// \return number of units of an iteration of the whole program
    virtual uint32_t CountUnits() const = 0;

    /// \return period in units of the order and the loads of units
    virtual uint32_t GetCycle() const = 0;

    /// \return most units that are under way at once
    virtual uint32_t CountUnderWay() const = 0;

    /// \return true when activity without dependents goes on beside the units, at its own pace
    virtual bool IsLoose() const
    {
        return false;
    }

    /// \return a kind of nodes that may be over long before their unit, since they wait only for
    /// each other: equally many in each unit, one after the other on a GPU; nothing: no such kind
    virtual std::optional<uint16_t> FindAheadKind() const
    {
        return std::nullopt;
    }

    /// \return the program with fewer units, by a multiple of the cycle
    virtual std::shared_ptr<const GraphProgram> MakePart(uint32_t units) const = 0;

    /// \return the repeated nodes of MakePart(), by GPU: first of the stream on which all else
    /// depends, then of streams without dependents before the end of an iteration. All streams
    /// listed have equally many units.
    virtual std::vector<RepeatedNodes> ListRepeated(uint32_t units) const = 0;

    /// \return the repeated nodes of all streams that have any
    virtual std::vector<RepeatedNodes> ListAllRepeated(uint32_t units) const
    {
        return ListRepeated(units);
    }
};

} // namespace ns3::rails

#endif // GRAPH_REPETITION_H
