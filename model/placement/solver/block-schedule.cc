// SPDX-License-Identifier: GPL-2.0-only
#include "block-schedule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3::rails
{

namespace
{

using Kind = BlockOperation::Kind;
using Stream = BlockOperation::Stream;

constexpr std::size_t kNothing = std::numeric_limits<std::size_t>::max();

/// Builds a list of operations.
class ScheduleMaker
{
  public:
    /// \param after operations to wait for, or kNothing
    std::size_t Add(const BlockOperation& operation, std::initializer_list<std::size_t> after)
    {
        m_operations.push_back(operation);
        for (const std::size_t before : after)
        {
            if (before != kNothing)
            {
                m_operations.back().after.push_back(before);
            }
        }
        return m_operations.size() - 1;
    }

    std::size_t Compute(Kind kind, uint32_t block, std::initializer_list<std::size_t> after)
    {
        return Add({kind, block, 0, 1, Stream::COMPUTE, {}}, after);
    }

    std::size_t Exchange(uint32_t block, uint32_t part, std::initializer_list<std::size_t> after)
    {
        return Add({Kind::ALL_TO_ALL, block, part, 1, Stream::COMMUNICATION, {}}, after);
    }

    std::size_t Transfer(Kind kind,
                         uint32_t block,
                         uint32_t part,
                         double share,
                         std::initializer_list<std::size_t> after)
    {
        return Add({kind, block, part, share, Stream::COMMUNICATION, {}}, after);
    }

    std::vector<BlockOperation> Take()
    {
        return std::move(m_operations);
    }

  private:
    std::vector<BlockOperation> m_operations;
};

double
GetDuration(const BlockOperation& operation, const LayerTime& time, double planning)
{
    switch (operation.kind)
    {
    case Kind::PLAN:
        return planning;
    case Kind::PARAMETERS:
        return operation.share * time.parameters;
    case Kind::ALL_TO_ALL:
        return time.allToAll;
    case Kind::FORWARD_EXPERTS:
        return time.forwardExperts;
    case Kind::FORWARD_OTHER:
        return time.otherForward;
    case Kind::BACKWARD_EXPERTS:
        return time.backwardExperts;
    case Kind::BACKWARD_OTHER:
        return time.otherBackward;
    case Kind::GRADIENTS:
        return operation.share * time.gradients;
    }
    return 0;
}

} // namespace

std::string
GetName(const BlockOperation& operation)
{
    constexpr std::array<const char*, 8>
        names{"Plan", "Trans", "A2A", "FEC", "FNEC", "BEC", "BNEC", "Agg"};
    const bool isInParts =
        operation.kind == Kind::ALL_TO_ALL ||
        ((operation.kind == Kind::PARAMETERS || operation.kind == Kind::GRADIENTS) &&
         operation.block > 0);
    return std::string(names[operation.kind]) + " " + std::to_string(operation.block + 1) +
           (isInParts ? " part " + std::to_string(operation.part + 1) : "");
}

double
FindShare(double transfer, uint32_t experts, double window)
{
    if (experts == 0 || transfer <= window)
    {
        return 1;
    }
    return std::floor(window / transfer * experts) / experts;
}

BlockCut
FindCut(const LayerTime& before, const LayerTime& own)
{
    const auto fit = [](double transfer, double window) {
        return transfer > window ? window / transfer : 1;
    };
    return {fit(own.parameters, before.otherForward), fit(own.gradients, before.otherBackward)};
}

std::vector<BlockOperation>
MakeBlockSchedule(const std::vector<BlockCut>& cuts)
{
    ScheduleMaker maker;
    const auto blocks = static_cast<uint32_t>(cuts.size());
    std::size_t before = kNothing; // latest computing
    std::size_t early = kNothing;  // first part of a block's parameters
    std::size_t late = blocks > 0 ? maker.Transfer(Kind::PARAMETERS, 0, 0, 1, {}) : kNothing;
    for (uint32_t block = 0; block < blocks; ++block)
    {
        const bool isLast = block + 1 == blocks;
        const double underOther = isLast ? 0 : cuts[block + 1].parameters;
        const std::size_t dispatch = maker.Exchange(block, 0, {before});
        maker.Compute(Kind::PLAN, block, {before});
        const std::size_t experts =
            maker.Compute(Kind::FORWARD_EXPERTS, block, {dispatch, early, late});
        early =
            isLast ? kNothing : maker.Transfer(Kind::PARAMETERS, block + 1, 0, 1 - underOther, {});
        const std::size_t combine = maker.Exchange(block, 1, {experts});
        before = maker.Compute(Kind::FORWARD_OTHER, block, {combine});
        late = isLast ? kNothing : maker.Transfer(Kind::PARAMETERS, block + 1, 1, underOther, {});
    }
    std::size_t experts = kNothing; // backward experts of the next block
    for (uint32_t block = blocks; block-- > 0;)
    {
        const bool isLast = block + 1 == blocks;
        const double underOther = isLast ? 0 : cuts[block + 1].gradients;
        const std::size_t other = maker.Compute(Kind::BACKWARD_OTHER, block, {before});
        if (!isLast)
        {
            maker.Transfer(Kind::GRADIENTS, block + 1, 0, underOther, {experts});
        }
        const std::size_t dispatch = maker.Exchange(block, 2, {other});
        const std::size_t behind = experts;
        experts = maker.Compute(Kind::BACKWARD_EXPERTS, block, {dispatch});
        if (!isLast)
        {
            maker.Transfer(Kind::GRADIENTS, block + 1, 1, 1 - underOther, {behind});
        }
        before = maker.Exchange(block, 3, {experts});
    }
    if (blocks > 0)
    {
        maker.Transfer(Kind::GRADIENTS, 0, 0, 1, {experts});
    }
    return maker.Take();
}

std::vector<BlockSpan>
RunBlockSchedule(const std::vector<BlockOperation>& schedule,
                 const std::vector<LayerTime>& times,
                 double planning)
{
    std::vector<BlockSpan> spans;
    std::array<double, 2> free{}; // time when a stream becomes free
    for (const BlockOperation& operation : schedule)
    {
        double start = free[operation.stream];
        for (const std::size_t before : operation.after)
        {
            start = std::max(start, spans[before].end);
        }
        const double end = start + GetDuration(operation, times[operation.block], planning);
        free[operation.stream] = end;
        spans.push_back({start, end});
    }
    return spans;
}

} // namespace ns3::rails
