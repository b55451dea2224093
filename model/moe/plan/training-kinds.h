// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_KINDS_H
#define TRAINING_KINDS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Kinds of nodes in the graph of a training.
enum class TrainingKind : uint16_t
{
    Attention,
    Gate,
    Experts,
    Shared,
    Dense,
    Head,
    Optimizer,
    Dispatch,         //!< tokens, to experts
    Combine,          //!< tokens, back from experts
    CombineBackward,  //!< gradients, to experts
    DispatchBackward, //!< gradients, back from experts
    Tensor,           //!< all-gather and reduce-scatter around attention and dense layers
    Context,          //!< keys and values on the ring of context parallelism
    Pipeline,         //!< activations to the next stage, gradients to the previous stage
    ExpertTensor,     //!< tokens among the GPUs of an expert-tensor group
    Data,             //!< gradients and parameters of replicas, except experts
    ExpertData,       //!< gradients and parameters of replicas of experts
    ExpertPlanning,   //!< planning of a policy, on the CPU of a server
    ExpertCounts,     //!< token counts, for a policy
    ExpertMoves,      //!< experts that change their placement, with optimizer states
    ExpertWeights,    //!< parameters of temporary replicas for a micro-batch
    ExpertGradients,  //!< gradients of temporary replicas
    Reconfiguration,  //!< reconfiguration of optical circuits
    Launch            //!< kernel launches of a layer, on the host
};

/// Communicators, each with queue pairs of its own.
enum class Communicator : uint16_t
{
    Dispatch, //!< also token counts, and experts that change their placement
    Copies,   //!< temporary replicas of experts, and gradients that a policy sends with them
    Combine,
    Tensor,
    Context,
    Pipeline,
    ExpertTensor,
    Data,
    ExpertData
};

/// \return communicator of a kind of transfer
Communicator GetCommunicator(TrainingKind kind);

/// \return true for dispatch and combine, of tokens or gradients
bool IsExchange(TrainingKind kind);

/// \return names of TrainingKind in results, in its order
const std::vector<std::string>& GetTrainingKindNames();

} // namespace ns3::rails

#endif // TRAINING_KINDS_H
