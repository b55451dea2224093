// SPDX-License-Identifier: GPL-2.0-only
#ifndef STAGE_NODE_H
#define STAGE_NODE_H

#include "ns3/graph-program.h"
#include "ns3/operation.h"
#include "ns3/pipeline-schedule.h"

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// A node of a training as all GPUs of a stage have it, in an iteration.
struct StageNode
{
    /// What it has to do with other stages.
    enum class Tie : uint8_t
    {
        None,
        Sends,
        Receives,
        Meets //!< several stages do it together
    };

    /// A pass of its slot: which one, and whether it comes once in an iteration.
    using PassSort = std::tuple<SlotPart, bool>;

    /// Nodes of a sort do the same, but for their layer and micro-batch.
    struct Sort
    {
        std::array<std::optional<PassSort>, kMostPasses> passes{}; //!< its own comes first
        TrainingKind kind{TrainingKind::Attention};
        uint32_t stream{0};
        bool isOfLayer{false};
        bool isDense{false};      //!< its layer
        bool isPrediction{false}; //!< likewise
        bool isServed{false};     //!< circuits stand as they are wanted
        bool isFirst{false};      //!< before it no circuits stand

        bool operator<(const Sort& other) const
        {
            const auto tie = [](const Sort& sort) {
                return std::tie(sort.passes,
                                sort.kind,
                                sort.stream,
                                sort.isOfLayer,
                                sort.isDense,
                                sort.isPrediction,
                                sort.isServed,
                                sort.isFirst);
            };
            return tie(*this) < tie(other);
        }
    };

    Sort sort;
    uint32_t part{0};       //!< of the pipeline, that its layer is in; or its stage
    uint32_t index{0};      //!< of its layer in the part
    uint32_t layers{1};     //!< of the part
    uint32_t nth{0};        //!< of its sort, in its layer and slot
    uint32_t microbatch{0}; //!< of its pass
    double size{0};         //!< what it computes or sends, to be compared with its sort alone
    bool isCounted{false};  //!< its size is that of what is moved: without any it takes no time
    Tie tie{Tie::None};
    uint32_t tieStep{0};                //!< of what several stages do
    uint32_t meeting{0};                //!< how many stages do it together
    std::vector<GraphNode::Wait> waits; //!< within the iteration
};

/// A program in which all GPUs of a stage have nodes in the same order.
class StagedProgram : public GraphProgram
{
  public:
    virtual uint32_t CountStages() const = 0;

    /// \return the stage of a GPU
    virtual uint32_t GetStage(uint32_t gpu) const = 0;

    /// \return the number of the group of GPUs of its stage that a GPU waits for again and again
    virtual uint32_t GetGroup(uint32_t gpu) const = 0;

    /// \return nodes of a stream of a stage in an iteration
    virtual uint64_t CountStageNodes(uint32_t stage, uint32_t stream) const = 0;

    /// \return one of them. \param place below that
    virtual StageNode DescribeStageNode(uint32_t stage, uint32_t stream, uint64_t place) const = 0;
};

} // namespace ns3::rails

#endif // STAGE_NODE_H
