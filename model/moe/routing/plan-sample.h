// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLAN_SAMPLE_H
#define PLAN_SAMPLE_H

#include "expert-groups.h"

#include "ns3/training-plan.h"

#include <optional>

namespace ns3::rails
{

/// What a policy of experts does in a layer of a micro-batch, about: the mean over a few plans.
struct PlanSample
{
    /// Copies of a layer on their way.
    struct Copies
    {
        double peers{0};   //!< that a GPU sends to
        double turns{0};   //!< steps that these take beside those of pieces: hops follow each other
        double bytes{0};   //!< that a GPU sends
        double outside{0}; //!< part of the bytes that goes to other servers
        double share{0};   //!< of these that go in the first of two windows
    };

    Copies weights{};
    Copies gradients{};
    double fetchedAgain{0}; //!< part of the plans whose weights travel a second time
    double replicas{0}; //!< messages that a GPU sends so that replicas of a layer agree, one way
    double seconds{0};  //!< of a processor, for planning a layer of a group
};

/**
 * Lets a policy plan a few layers for a micro-batch, when it has seen one iteration.
 * \param plan of a training whose load has been started
 * \param groups of it
 * \return nothing: no policy plans, or it cannot, or it is a program outside of the module
 */
std::optional<PlanSample> SamplePlans(const TrainingPlan& plan, const ExpertGroups& groups);

} // namespace ns3::rails

#endif // PLAN_SAMPLE_H
