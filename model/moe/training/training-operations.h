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
 * \param collectives algorithms of collectives; must outlive the operations
 * \param replicas collectives of experts that a policy places; must outlive the operations
 * \param slot of a stage
 * \return operations of the stage's GPUs in the slot
 */
SlotOperations MakeSlotOperations(const TrainingContext& context,
                                  TrainingCollectives& collectives,
                                  const ReplicaCollectives& replicas,
                                  const SlotKind& slot);

} // namespace ns3::rails

#endif // TRAINING_OPERATIONS_H
