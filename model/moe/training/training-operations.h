// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_OPERATIONS_H
#define TRAINING_OPERATIONS_H

#include "training-collectives.h"

#include "ns3/operation.h"
#include "ns3/training-context.h"

namespace ns3::rails
{

/**
 * \param context the training
 * \param collectives how GPUs do these
 * \param slot one of its slots
 * \return what GPUs of the stage do in it
 */
SlotOperations MakeSlotOperations(const TrainingContext& context,
                                  TrainingCollectives& collectives,
                                  const SlotKind& slot);

} // namespace ns3::rails

#endif // TRAINING_OPERATIONS_H
