// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_MEMORY_H
#define TRAINING_MEMORY_H

#include "ns3/token-dispatch.h"
#include "ns3/training-spec.h"

namespace ns3::rails
{

/// Memory of the GPU that needs most, in bytes by purpose.
struct TrainingMemory
{
    double weights{0};
    double gradients{0};
    double optimizer{0};   //!< master weights and both moments of Adam, 4 bytes each
    double activations{0}; //!< kept for the backward pass, and one layer's recomputation
    double logits{0};      //!< logits of a micro-batch in the last stage, 4 bytes each
    double copies{0};      //!< parameters and gradients of temporary replicas
    double experts{0}; //!< share of experts in all entries except activations; maximum over stages

    double GetSum() const
    {
        return weights + gradients + optimizer + activations + logits + copies;
    }
};

/**
 * Memory model of a GPU. h is the hidden size.
 *
 * Parameters: weight, gradient and a share of the optimizer states, which replicas divide. With
 * `Divided::Nothing` each replica has all states. With `Divided::All` a GPU holds a share of each
 * parameter and gradient; in addition all parameters of the layers gathered at a time and of
 * embedding and head, and all gradients of one layer or of these ends.
 *
 * Activations, in elements per layer and micro-batch in flight:
 * - 2 h per token: inputs of attention and of the experts;
 * - queries, keys, values and results of attention. Latent attention keeps them as projected for
 *   the heads; with recomputed projections, compressed ones and one layer's projected ones.
 *   Attention scores are recomputed;
 * - per row of an expert: its input and three intermediate widths (two if experts are not gated);
 * - multi-token prediction layers: 2 h more (1 h with recomputation), and logits.
 *
 * Recomputation: a fully recomputed layer keeps 1 h per token, and one layer has its full
 * activations at a time. Selective recomputation leaves out the recomputed part: `mlp` and `moe`
 * all but the input of the network, `shared_experts` its widths, `moe_act` the width after the
 * activation.
 *
 * Chunks and micro-batches in flight follow from the schedule. Stage s of p has min(p - s, m) of m
 * micro-batches with 1f1b, and min(2 (p - s - 1) + (v - 1) p + 1, m v) chunks of v when it
 * interleaves them.
 *
 * Temporary replicas: weights and gradients of the most replicas that a GPU holds. These are
 * replicas of one layer where they are fetched again before the backward pass, otherwise of all
 * layers.
 * \param spec the training
 * \param figures of its expert policy; by default experts have equal loads and no replicas
 */
TrainingMemory FindMemory(const TrainingSpec& spec, const ExpertFigures& figures = {});

} // namespace ns3::rails

#endif // TRAINING_MEMORY_H
