// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_OPERATIONS_H
#define TRAINING_OPERATIONS_H

#include "exchange-parties.h"
#include "slot-operations.h"
#include "training-collectives.h"
#include "training-plan.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * \param plan the training
 * \param parties who exchanges tokens apart from whom
 * \param collectives how GPUs do these
 * \param slot one of its slots
 * \return what GPUs of the stage do in it
 */
SlotOperations MakeSlotOperations(const TrainingPlan& plan,
                                  const ExchangeParties& parties,
                                  TrainingCollectives& collectives,
                                  const SlotKind& slot);

/// \return how long experts compute. \param tokens pairs of a token and an expert
/// \param times how often as long as forward
TimePs GetExpertTime(const TrainingPlan& plan, double tokens, double times);

/// \return how long a GPU computes in a layer with experts besides these and shared ones
/// \param times how often as long as forward
TimePs GetOtherTime(const TrainingPlan& plan, double times);

/// \return forward operations of a token in all layers and the head, in floating-point numbers
double GetTokenFlops(const TrainingPlan& plan);

} // namespace ns3::rails

#endif // TRAINING_OPERATIONS_H
