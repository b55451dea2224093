// SPDX-License-Identifier: GPL-2.0-only
#ifndef SLOT_OPERATIONS_H
#define SLOT_OPERATIONS_H

#include "pipeline-schedule.h"
#include "training-kinds.h"

#include "ns3/collective-traffic.h"
#include "ns3/rails-units.h"

#include <array>
#include <cstdint>
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
    Copies,        //!< parameters and gradients of copies of experts, beside all else
    Planning,      //!< where a policy decides: on the CPU
    Circuits       //!< their moves
};

constexpr uint32_t kTrainingStreams = 7;

/// What a GPU does in a slot of its pipeline's schedule: a node of the graph, but for its place.
struct Operation
{
    enum class Type : uint8_t
    {
        Compute,
        ComputeExperts, //!< takes as long as the GPU has tokens
        Collective,     //!< of a buffer of each group
        ToExperts,      //!< rows of tokens
        FromExperts,    //!< the same, back
        ToServers,      //!< de-duplicated: a copy to each server, to the GPU in the same place
        ToServersGpus,  //!< de-duplicated: from there to each GPU with one of its experts
        FromServersGpus,
        FromServers,
        GatherTokens,  //!< what a GPU has got of them, to those that share its experts
        ScatterTokens, //!< the same, back
        Send,          //!< to another stage
        Receive,
        // Of policies of experts.
        Plan,           //!< a micro-batch of a layer
        PlanNext,       //!< the next iteration of a layer, at the end of this one
        PlanMoves,      //!< all layers, at the beginning of an iteration
        CountsNow,      //!< loads of the layer and micro-batch
        CountsAtEnd,    //!< loads of the layer in this iteration, with its last micro-batch
        CountsOfMoves,  //!< loads of all layers that are planned, at the beginning of an iteration
        Move,           //!< experts go to other GPUs for good
        Weights,        //!< parameters of copies
        Gradients,      //!< of copies
        ReduceReplicas, //!< gradients of experts that are held for good, to all that hold them
        GatherReplicas, //!< parameters of these, likewise
        MoveCircuits    //!< a region's, for an exchange of a layer and micro-batch
    };

    /// Which pieces of copies go.
    enum class Window : uint8_t
    {
        All,
        First,
        Second
    };

    /// Who does a collective together.
    enum class Group : uint8_t
    {
        Tensor,
        Context,
        Data,      //!< replicas of attention, context parallelism included
        ExpertData //!< replicas of an expert
    };

    Type type{Type::Compute};
    TrainingKind kind{TrainingKind::Attention};
    TrainingStream stream{TrainingStream::Compute};
    TimePs duration{0}; //!< of compute
    double times{1};    //!< of experts: how often as long as forward
    Group group{Group::Tensor};
    const CollectiveTraffic* collective{nullptr}; //!< of a collective
    uint64_t bytes{0};                            //!< of a collective: the buffer; of a send
    uint32_t layer{0};
    Window window{Window::All};
    bool isAgain{false};           //!< of weights: where they are fetched before the way back
    bool isForeseen{false};        //!< of moved circuits: for what is expected, not known
    bool isOnWayBack{false};       //!< of moved circuits: for what belongs to the way back
    Type served{Type::ToExperts};  //!< of moved circuits: the exchange that they are for
    std::vector<uint32_t> after{}; //!< operations of the slot, by number, on other streams
    /// Streams of which all nodes of earlier slots must be over.
    std::vector<TrainingStream> drains{};

    // Its place, which SlotOperations sets.
    uint32_t index{0};     //!< on its stream, in the slot
    uint32_t firstStep{0}; //!< in the slot
    uint32_t steps{0};     //!< of a transfer; of an exchange of tokens, one for
                           //!< each party; of moved circuits, one for each region
};

/// All operations of a slot.
struct SlotOperations
{
    std::vector<Operation> operations;
    std::array<std::vector<uint32_t>, kTrainingStreams> streams; //!< their operations, in order
    uint32_t steps{0};
};

/// Which slot of a stage.
struct SlotKind
{
    SlotPart part{SlotPart::Forward};
    uint32_t stage{0};
    uint32_t chunk{0};
    bool completesGradients{false}; //!< of the chunk, in the iteration
};

} // namespace ns3::rails

#endif // SLOT_OPERATIONS_H
