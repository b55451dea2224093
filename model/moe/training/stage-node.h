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

/// A node of an iteration that all GPUs of a stage have in common.
struct StageNode
{
    /// Dependency on other stages.
    enum class Tie : uint8_t
    {
        None,
        Sends,
        Receives,
        Meets //!< common operation of several stages
    };

    /// A pass of a slot: its part, and whether it occurs once per iteration.
    using PassSort = std::tuple<SlotPart, bool>;

    /// Nodes of a sort do the same work, up to layer and micro-batch.
    struct Sort
    {
        std::array<std::optional<PassSort>, kMostPasses> passes{}; //!< the node's own pass first
        TrainingKind kind{TrainingKind::Attention};
        uint32_t stream{0};
        bool isOfLayer{false};
        bool isDense{false};      //!< the node's layer is dense
        bool isPrediction{false}; //!< the node's layer is for multi-token prediction
        bool isServed{false};     //!< no reconfiguration is needed
        bool isFirst{false};      //!< first reconfiguration of the iteration

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
    uint32_t part{0};       //!< part of the model that holds its layer; without a layer, the stage
    uint32_t index{0};      //!< index of its layer in the part
    uint32_t layers{1};     //!< layers of the part
    uint32_t nth{0};        //!< number among equal nodes of its layer and slot
    uint32_t microbatch{0}; //!< micro-batch of its pass
    double size{0};         //!< amount of work, comparable within its sort
    bool isCounted{false};  //!< `size` is a traffic volume; with size 0 the node takes no time
    Tie tie{Tie::None};
    uint32_t tieStep{0};                //!< step of the transfer or common operation
    uint32_t meeting{0};                //!< number of stages of a common operation
    std::vector<GraphNode::Wait> waits; //!< dependencies within the iteration
};

/// A program in which all GPUs of a stage have nodes in the same order.
class StagedProgram : public GraphProgram
{
  public:
    virtual uint32_t CountStages() const = 0;

    /// \return the stage of a GPU
    virtual uint32_t GetStage(uint32_t gpu) const = 0;

    /// \return number of the group of GPUs that synchronize most often, within the stage
    virtual uint32_t GetGroup(uint32_t gpu) const = 0;

    /// \return number of nodes of a stream of a stage in an iteration
    virtual uint64_t CountStageNodes(uint32_t stage, uint32_t stream) const = 0;

    /// \return a node. \param place less than CountStageNodes()
    virtual StageNode DescribeStageNode(uint32_t stage, uint32_t stream, uint64_t place) const = 0;
};

} // namespace ns3::rails

#endif // STAGE_NODE_H
