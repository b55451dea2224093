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

/// Nodes of a stream, of a program with fewer units, that come again with each unit. None of them,
/// nor what is before it, depends on how many units there are.
struct RepeatedNodes
{
    uint32_t gpu{0};
    uint32_t stream{0};
    /// How many nodes of the stream are over when each of them is, from the start on; for each
    /// iteration equally many, ascending.
    std::vector<uint64_t> over;
    uint32_t perUnit{0};
};

/// What is done again and again in an iteration of a program, equal units: micro-batches. A program
/// with fewer of them can tell how long all of it takes.
class GraphRepetition
{
  public:
    virtual ~GraphRepetition() = default;

    GraphRepetition() = default;
    GraphRepetition(const GraphRepetition&) = delete;
    GraphRepetition& operator=(const GraphRepetition&) = delete;

    /// \return units of an iteration, all of them
    virtual uint32_t CountUnits() const = 0;

    /// \return units after which all is as before, their order and their loads
    virtual uint32_t GetCycle() const = 0;

    /// \return units that are under way at once, at most
    virtual uint32_t CountUnderWay() const = 0;

    /// \return whether something that nothing waits for goes on beside the units, at its own pace
    virtual bool IsLoose() const
    {
        return false;
    }

    /// \return the kind of nodes, equally many in each unit and one after the other on a GPU, that
    /// may be over long before their unit: nothing but their own turn holds them; nothing: none
    virtual std::optional<uint16_t> FindAheadKind() const
    {
        return std::nullopt;
    }

    /// \return the same program with fewer units, by a multiple of the cycle
    virtual std::shared_ptr<const GraphProgram> MakePart(uint32_t units) const = 0;

    /// \return what comes again in such a program, by GPU: of the stream that all else waits for,
    /// behind it of others that nothing waits for before the end of an iteration; as many units for
    /// all that have any
    virtual std::vector<RepeatedNodes> ListRepeated(uint32_t units) const = 0;

    /// \return the same of all streams that have any
    virtual std::vector<RepeatedNodes> ListAllRepeated(uint32_t units) const
    {
        return ListRepeated(units);
    }
};

} // namespace ns3::rails

#endif // GRAPH_REPETITION_H
