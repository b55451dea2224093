// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_STUDY_RUN_H
#define EXPERT_STUDY_RUN_H

#include "ns3/rails-experiment.h"
#include "ns3/rails-result.h"
#include "ns3/rails-run-size.h"

namespace ns3::rails
{

/// \return true when an experiment is a study of an expert placement policy, without a simulation
bool IsExpertStudy(const Experiment& experiment);

/// \throws ConfigurationError with the path of the offending key from the top
void CheckExpertStudy(const Experiment& experiment);

/// \return the size of a study, from its number of pairs of a token and an expert
RunSize EstimateExpertStudy(const Experiment& experiment);

/**
 * Runs a policy through layers, micro-batches and iterations in the order of time. The policy
 * learns token counts only when a real system could know them.
 * \param experiment a study
 * \throws ConfigurationError when its parts do not fit each other
 */
Result RunExpertStudy(const Experiment& experiment);

} // namespace ns3::rails

#endif // EXPERT_STUDY_RUN_H
