// SPDX-License-Identifier: GPL-2.0-only
#ifndef OPERATION_H
#define OPERATION_H

#include "ns3/graph-program.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/slot-place.h"
#include "ns3/training-kinds.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Streams of a GPU in a training.
enum class TrainingStream : uint8_t
{
    Compute,
    Communication, //!< communication that computing waits for
    Pipeline,      //!< sends to other stages
    Data,          //!< gradients and parameters of replicas
    Copies,   //!< parameters and gradients of overlapped replicas; or parameters that are gathered
              //!< for computing
    Planning, //!< planning of a policy, on the CPU
    Circuits, //!< reconfiguration of circuits
    Exchange, //!< token exchanges that overlap with computing of another micro-batch
    Host      //!< kernel launches
};

constexpr uint32_t kTrainingStreams = 9;

/// Pieces of a layer in the order in which a merged forward and backward pass run them
/// (Megatron-LM's layer schedule plan).
enum class LayerPiece : uint8_t
{
    CombineBackward,
    Attention, //!< attention and gate
    ExpertsBackward,
    Dispatch,
    DispatchBackward, //!< dispatch backward, and delayed wgrad of experts
    Experts,
    Combine,
    AttentionBackward
};

constexpr uint32_t kLayerPieces = 8;

/// An operation of a stage's GPUs in a slot of the pipeline schedule: a node of the graph without
/// its place.
struct Operation
{
    /// Fills in the node of a GPU, whose kind, step and waits are set. Called during the run, when
    /// the dispatch of tokens exists.
    using MakeNode = std::function<void(uint32_t gpu, const SlotPlace& place, GraphNode& node)>;

    /// Estimates, as means over all draws.
    struct Estimate
    {
        double time{0};     //!< computing time in ps, upper bound over GPUs
        double bytes{0};    //!< bytes that all GPUs of the stage send
        double messages{0}; //!< messages of a GPU, in units of an exchange's message cost
        double outside{1};  //!< share of the bytes sent to other servers
    };

    /// Exchange that a reconfiguration serves.
    struct Served
    {
        uint32_t layer{0};
        uint32_t exchange{0}; //!< direction of the exchange, as a number
        bool isForeseen{false};
    };

    TrainingKind kind{TrainingKind::Attention};
    TrainingStream stream{TrainingStream::Compute};
    MakeNode makeNode{};
    uint32_t steps{0}; //!< number of steps: steps of a transfer, times parties or regions
    Estimate estimate{};
    std::optional<Served> served{}; //!< set for reconfigurations
    std::vector<uint32_t> after{};  //!< dependencies in the slot, on other streams
    /// Streams whose nodes of earlier slots must have ended.
    std::vector<TrainingStream> drains{};
    bool isEarly{false};    //!< the last of these nodes need not have ended
    bool isMirrored{false}; //!< common operation of the two stages with the same slot
    bool isOfAll{false};    //!< common operation of all stages, once per iteration

    /// \return simulation cost of a GPU's node, in messages of an exchange
    double GetWork() const
    {
        constexpr double node = 0.1; // base cost of any node
        // A ring step then counts as one message, as balancers split its large messages.
        constexpr double gradients = 4;
        const bool isOfReplicas = kind == TrainingKind::Data || kind == TrainingKind::ExpertData;
        return estimate.messages * (isOfReplicas ? gradients : 1) + node;
    }

    // Set by OperationList.
    uint32_t index{0};               //!< index on its stream, in the slot
    uint32_t firstStep{0};           //!< first step in the slot
    uint32_t turn{0};                //!< sort key that interleaves two merged passes
    std::optional<uint32_t> layer{}; //!< layer of the model
    uint32_t pass{0};                //!< index of its pass in the slot
};

constexpr uint32_t kMostPasses = 2; //!< passes of a slot; two if merged

/// All operations of a slot.
struct SlotOperations
{
    std::vector<Operation> operations;
    std::array<std::vector<uint32_t>, kTrainingStreams> streams; //!< operation numbers, in order
    std::array<double, kTrainingStreams> work{};                 //!< sum of GetWork() by stream
    uint32_t steps{0};
    uint32_t stepsOfAll{0}; //!< steps of the common operation of all stages
    /// By pass: step in which the pass's output is sent to another stage.
    std::array<std::optional<uint32_t>, kMostPasses> sent;
};

/// Kind of a slot: slots of a kind have the same operations.
struct SlotKind
{
    SlotPart part{SlotPart::Forward};
    uint32_t stage{0};
    uint32_t chunk{0};
    bool completesGradients{false}; //!< the pass completes the chunk's gradients of the iteration
    bool takesParameters{false};    //!< updated parameters of the chunk are gathered
};

} // namespace ns3::rails

#endif // OPERATION_H
