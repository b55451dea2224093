// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_MEMORY_H
#define TRAINING_MEMORY_H

#include "ns3/expert-router.h"
#include "ns3/training-plan.h"

namespace ns3::rails
{

/// Bytes of the GPU that needs most, by what they are for.
struct TrainingMemory
{
    double weights{0};
    double gradients{0};
    double optimizer{0};   //!< master weights and both moments of Adam, 4 bytes each
    double activations{0}; //!< what is kept for the way back
    double logits{0};      //!< of a micro-batch in the last stage, 4 bytes each
    double copies{0};      //!< parameters and gradients of copies of experts
    double experts{0};     //!< of all but activations, what experts take; of the stage with most

    double GetSum() const
    {
        return weights + gradients + optimizer + activations + logits + copies;
    }
};

/**
 * What a GPU keeps, by this count: of each parameter that it holds the weight, the gradient and its
 * share of the optimizer's states, which replicas divide. Of each layer and micro-batch that has
 * gone forward and not back yet, in elements of activations: 2 h for each token (inputs of
 * attention and of the experts), queries, keys, values and results of attention (of latent
 * attention as they are projected for the heads, unless they are computed again: then compressed,
 * and those of one layer), and for each row
 * that an expert computes its input and three intermediate widths (two where experts are not
 * gated); scores of attention are computed again. With recomputation 1 h for each token, and the
 * rest for one layer; of parts that are computed again theirs alone: all but the vector in front of
 * the network of a dense layer, or of experts with all around them; widths of shared experts; of
 * the widths of experts the one behind their activation. A layer that predicts a token more has 2 h
 * besides (1 h with recomputation), and its logits. As many chunks and micro-batches are kept
 * as the schedule has under way: a stage s of p has min(p - s, m) of m micro-batches with 1f1b, and
 * min(2 (p - s - 1) + (v - 1) p + 1, m v) chunks of v when it interleaves them. Copies of experts
 * take the place of weights and gradients of as many experts as a GPU gets at most: of a layer
 * where they are fetched again before the way back, otherwise of all layers together.
 *
 * Replicas that divide all have a share of each parameter and gradient; of as many layers as are
 * gathered at a time, and of embedding and head, all parameters; and of one layer, or these, all
 * gradients. Those that divide nothing have all of the optimizer's states.
 * \param plan the training
 * \param figures what its policy of experts did; before that, experts are equal and not copied
 */
TrainingMemory FindMemory(const TrainingPlan& plan, const ExpertFigures& figures = {});

} // namespace ns3::rails

#endif // TRAINING_MEMORY_H
