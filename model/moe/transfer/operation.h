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
    Communication, //!< what computing waits for
    Pipeline,      //!< sends to other stages
    Data,          //!< gradients and parameters of replicas
    Copies,   //!< parameters and gradients of copies of experts, beside all else; or parameters
              //!< that are gathered for computing
    Planning, //!< where a policy decides: on the CPU
    Circuits, //!< their moves
    Exchange, //!< tokens and their gradients, beside all else, where another micro-batch
              //!< computes meanwhile
    Host      //!< it launches kernels
};

constexpr uint32_t kTrainingStreams = 9;

/// When a piece of a layer is begun where a pass forward and one backward are merged (Megatron-LM,
/// its plan of a layer's schedule).
enum class LayerPiece : uint8_t
{
    CombineBackward,
    Attention, //!< and the gate
    ExpertsBackward,
    Dispatch,
    DispatchBackward, //!< and gradients of experts' parameters, if these come later
    Experts,
    Combine,
    AttentionBackward
};

constexpr uint32_t kLayerPieces = 8;

/// What GPUs do in a slot of their pipeline's schedule: nodes of the graph, but for their place.
struct Operation
{
    /// Makes the node of a GPU, of which kind, step and waits are set: says what it does. Called
    /// when the run comes to it, so that a router is there.
    using MakeNode = std::function<void(uint32_t gpu, const SlotPlace& place, GraphNode& node)>;

    /// Means over all draws.
    struct Estimate
    {
        double time{0};     //!< in ps, of what computes, as long as it takes a GPU at most
        double bytes{0};    //!< that all GPUs of the stage send
        double messages{0}; //!< of a GPU, of those that cost as much as one in an exchange
        double outside{1};  //!< part of the bytes that goes to other servers
    };

    /// What moved circuits are for.
    struct Served
    {
        uint32_t layer{0};
        uint32_t exchange{0}; //!< a number of its kind
        bool isForeseen{false};
    };

    TrainingKind kind{TrainingKind::Attention};
    TrainingStream stream{TrainingStream::Compute};
    MakeNode makeNode{};
    uint32_t steps{0}; //!< numbers that it takes: steps of a transfer, one for each party or region
    Estimate estimate{};
    std::optional<Served> served{}; //!< of moved circuits
    std::vector<uint32_t> after{};  //!< operations of the slot, by number, on other streams
    /// Streams of which all nodes of earlier slots must be over.
    std::vector<TrainingStream> drains{};
    bool isEarly{false};    //!< the last of these nodes need not
    bool isMirrored{false}; //!< of two stages together, which have the same slot
    bool isOfAll{false};    //!< all stages do it together, once in an iteration

    /// \return what a GPU's node costs a run, in messages of an exchange
    double GetWork() const
    {
        constexpr double node = 0.1; // also of one that sends nothing
        // So that a step of a ring counts as one message: planners cut its large pieces.
        constexpr double gradients = 4;
        const bool isOfReplicas = kind == TrainingKind::Data || kind == TrainingKind::ExpertData;
        return estimate.messages * (isOfReplicas ? gradients : 1) + node;
    }

    // Its place, which OperationList sets.
    uint32_t index{0};               //!< on its stream, in the slot
    uint32_t firstStep{0};           //!< in the slot
    uint32_t turn{0};                //!< in which of two passes that are merged it comes
    std::optional<uint32_t> layer{}; //!< of the model, that it is of
    uint32_t pass{0};                //!< of the slot
};

constexpr uint32_t kMostPasses = 2; //!< of a slot: of which two are merged

/// All operations of a slot.
struct SlotOperations
{
    std::vector<Operation> operations;
    std::array<std::vector<uint32_t>, kTrainingStreams> streams; //!< their operations, in order
    std::array<double, kTrainingStreams> work{};                 //!< of these operations
    uint32_t steps{0};
    uint32_t stepsOfAll{0}; //!< of the operation that all stages do together
    /// By pass: the step in which another stage is sent what it goes on with.
    std::array<std::optional<uint32_t>, kMostPasses> sent;
};

/// Which slot of a stage.
struct SlotKind
{
    SlotPart part{SlotPart::Forward};
    uint32_t stage{0};
    uint32_t chunk{0};
    bool completesGradients{false}; //!< of the chunk, in the iteration
    bool takesParameters{false};    //!< of the chunk, which the optimizer has updated
};

} // namespace ns3::rails

#endif // OPERATION_H
