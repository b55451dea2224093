// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAYER_WORK_H
#define LAYER_WORK_H

#include "training-spec.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Part of a layer's attention. Ring attention is split, so that it overlaps with the ring of keys
/// and values.
enum class AttentionPart : uint8_t
{
    Whole,
    Inputs, //!< projections to queries, keys and values, counted as half of the operations of all
            //!< projections
    Core,   //!< core attention: each token with the tokens before it
    Outputs //!< output projection, counted as the other half
};

// The functions below return the computing of a GPU in one layer for one micro-batch.

Work MakeAttentionWork(const TrainingSpec& spec, AttentionPart part, Pass pass);

/// Recomputes the projections of latent queries, keys and values.
Work MakeProjectionWork(const TrainingSpec& spec);

/// Input projection of a multi-token prediction layer: the token's vector and the next token's
/// embedding become one vector.
Work MakePredictionWork(const TrainingSpec& spec, Pass pass);

/// Gate, and permutation of tokens before dispatch.
Work MakeGateWork(const TrainingSpec& spec, Pass pass);

/// Both norms of a layer, recomputed.
Work MakeNormWork(const TrainingSpec& spec);

/// The activation of experts, recomputed. \param rows rows of all experts of a GPU
Work MakeActivationWork(const TrainingSpec& spec, double rows);

Work MakeSharedWork(const TrainingSpec& spec, Pass pass);
Work MakeDenseWork(const TrainingSpec& spec, Pass pass);

/// Logits and loss.
Work MakeHeadWork(const TrainingSpec& spec, Pass pass);

/// \param tokens token-expert pairs of the expert-tensor group, divided by its GPUs
/// \param rows rows of each local expert, including tokens of other GPUs of its expert-tensor
///     group; empty: equal rows
Work MakeExpertWork(const TrainingSpec& spec,
                    double tokens,
                    Pass pass,
                    std::vector<double> rows = {});

/// \return time of a host to launch the kernels of a layer
TimePs GetLaunchTime(const TrainingSpec& spec, uint32_t layer, Pass pass);

/// \return computing time of a layer with experts, without routed and shared experts
TimePs GetOtherTime(const TrainingSpec& spec, Pass pass);

/**
 * \param dropped share of token-expert pairs that no expert computes
 * \return floating-point operations of the forward pass per token, all layers and the head
 */
double GetTokenFlops(const TrainingSpec& spec, double dropped = 0);

} // namespace ns3::rails

#endif // LAYER_WORK_H
