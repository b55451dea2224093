// SPDX-License-Identifier: GPL-2.0-only
#ifndef MERGING_CHECK_H
#define MERGING_CHECK_H

#include "training-spec.h"

namespace ns3::rails
{

/// Checks a training whose schedule merges forward and backward passes.
/// \throws ConfigurationError with the key of a setting that rules out merging
void CheckMerging(const TrainingSpec& spec);

} // namespace ns3::rails

#endif // MERGING_CHECK_H
