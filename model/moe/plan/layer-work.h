// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAYER_WORK_H
#define LAYER_WORK_H

#include "training-plan.h"

#include "ns3/rails-units.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Which part of a layer's attention: while keys and values go round, it comes in pieces.
enum class AttentionPart : uint8_t
{
    Whole,
    Inputs, //!< projections to queries, keys and values, half of the operations of all projections
    Core,   //!< each token with those before it
    Outputs //!< the other projection, with the other half
};

// What a GPU computes in a layer with a micro-batch.

Work MakeAttentionWork(const TrainingPlan& plan, AttentionPart part, Pass pass);

/// Latent queries, keys and values are projected again from what was kept of them.
Work MakeProjectionWork(const TrainingPlan& plan);

/// Of a layer that predicts a token more: its vector and that token's embedding become one.
Work MakePredictionWork(const TrainingPlan& plan, Pass pass);

/// Gate, and all that is done to tokens on their way to experts.
Work MakeGateWork(const TrainingPlan& plan, Pass pass);

/// Both norms of a layer by themselves.
Work MakeNormWork(const TrainingPlan& plan);

/// The activation of experts by itself. \param rows of all experts of a GPU
Work MakeActivationWork(const TrainingPlan& plan, double rows);

Work MakeSharedWork(const TrainingPlan& plan, Pass pass);
Work MakeDenseWork(const TrainingPlan& plan, Pass pass);

/// Logits and loss.
Work MakeHeadWork(const TrainingPlan& plan, Pass pass);

/// \param tokens pairs of a token and an expert, and those of other GPUs that share the experts in
/// equal parts
/// \param rows of each expert, with those of the others; empty: all have as many
Work MakeExpertWork(const TrainingPlan& plan,
                    double tokens,
                    Pass pass,
                    std::vector<double> rows = {});

/// \return how long a host takes to launch the kernels of a layer
TimePs GetLaunchTime(const TrainingPlan& plan, uint32_t layer, Pass pass);

/// \return how long a GPU computes in a layer with experts besides these and shared ones
TimePs GetOtherTime(const TrainingPlan& plan, Pass pass);

/**
 * \param dropped part of the pairs of a token and an expert that no expert computes
 * \return forward operations of a token in all layers and the head, in floating-point numbers
 */
double GetTokenFlops(const TrainingPlan& plan, double dropped = 0);

} // namespace ns3::rails

#endif // LAYER_WORK_H
