// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLAN_SAMPLE_H
#define PLAN_SAMPLE_H

#include "ns3/gpu-partition.h"
#include "ns3/training-spec.h"

#include <optional>

namespace ns3::rails
{

/// Traffic and cost of an expert policy in a layer of a micro-batch, estimated as the mean over a
/// few plans.
struct PlanSample
{
    /// Transfers of temporary replicas of a layer.
    struct Copies
    {
        double peers{0};   //!< destinations of a GPU
        double turns{0};   //!< extra steps of a GPU, for dependent hops to one destination
        double bytes{0};   //!< bytes that a GPU sends
        double outside{0}; //!< share of the bytes sent to other servers
        double share{0};   //!< share of the bytes sent in the first of two windows
    };

    Copies weights{};
    Copies gradients{};
    double fetchedAgain{0}; //!< share of plans that fetch weights a second time
    double replicas{0};     //!< messages of a GPU in one ring pass over replicas of a layer
    double seconds{0};      //!< CPU seconds of planning a layer of a group
};

/**
 * Plans a few layers for a micro-batch, with one iteration of history.
 * \param spec a training whose load is started
 * \param groups of GPUs that are planned together
 * \return the sample; nothing if the training has no policy, the policy fails, or it is an external
 *     program
 */
std::optional<PlanSample> SamplePlans(const TrainingSpec& spec, const GpuPartition& groups);

} // namespace ns3::rails

#endif // PLAN_SAMPLE_H
