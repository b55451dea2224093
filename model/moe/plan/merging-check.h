// SPDX-License-Identifier: GPL-2.0-only
#ifndef MERGING_CHECK_H
#define MERGING_CHECK_H

#include "training-plan.h"

namespace ns3::rails
{

/// \throws ConfigurationError with the key when passes cannot be merged in a training whose
/// schedule asks for that
void CheckMerging(const TrainingPlan& plan);

} // namespace ns3::rails

#endif // MERGING_CHECK_H
