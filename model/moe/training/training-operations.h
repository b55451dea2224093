// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_OPERATIONS_H
#define TRAINING_OPERATIONS_H

#include "training-collectives.h"

#include "ns3/operation.h"
#include "ns3/replica-sync.h"
#include "ns3/training-context.h"

namespace ns3::rails
{

/**
 * \param context the training
 * \param collectives how GPUs do these
 * \param replicas the same of experts that a policy places; all have to live as long
 * \param slot one of its slots
 * \return what GPUs of the stage do in it
 */
SlotOperations MakeSlotOperations(const TrainingContext& context,
                                  TrainingCollectives& collectives,
                                  const ReplicaCollectives& replicas,
                                  const SlotKind& slot);

} // namespace ns3::rails

#endif // TRAINING_OPERATIONS_H
