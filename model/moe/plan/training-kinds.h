// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_KINDS_H
#define TRAINING_KINDS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What the nodes of a training count as.
enum class TrainingKind : uint16_t
{
    Attention,
    Gate,
    Experts,
    Shared,
    Dense,
    Head,
    Optimizer,
    Dispatch,         //!< tokens to experts
    Combine,          //!< and back
    CombineBackward,  //!< gradients to experts
    DispatchBackward, //!< and back
    Tensor,           //!< all-gather and reduce-scatter around attention and dense layers
    Context,          //!< keys and values round the ring of a sequence
    Pipeline,         //!< activations to the next stage, gradients to the one before
    ExpertTensor,     //!< tokens among the GPUs that share an expert
    Data,             //!< gradients and parameters that all replicas have
    ExpertData,       //!< those of experts
    ExpertPlanning,   //!< a policy decides, on the CPU of a server
    ExpertCounts,     //!< loads, for a policy
    ExpertMoves,      //!< experts that move for good, with their optimizer
    ExpertWeights,    //!< parameters of copies for a micro-batch
    ExpertGradients,  //!< their gradients, back
    Reconfiguration,  //!< circuits are moved to where tokens will go
    Launch            //!< a host launches the kernels of a layer
};

/// Groups of processes that communicate by queue pairs of their own.
enum class Communicator : uint16_t
{
    Dispatch, //!< and loads, and experts that move before all else
    Copies,   //!< of experts, and gradients that a policy sends along with them
    Combine,
    Tensor,
    Context,
    Pipeline,
    ExpertTensor,
    Data,
    ExpertData
};

/// \return by which of them a kind of transfer goes
Communicator GetCommunicator(TrainingKind kind);

/// \return true of an exchange of tokens or their gradients
bool IsExchange(TrainingKind kind);

/// \return their names in results, by number
const std::vector<std::string>& GetTrainingKindNames();

} // namespace ns3::rails

#endif // TRAINING_KINDS_H
