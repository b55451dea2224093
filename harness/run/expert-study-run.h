// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_STUDY_RUN_H
#define EXPERT_STUDY_RUN_H

#include "ns3/rails-experiment.h"
#include "ns3/rails-result.h"
#include "ns3/rails-run-size.h"

namespace ns3::rails
{

/// \return true when an experiment is a study of a policy of experts, and nothing is simulated
bool IsExpertStudy(const Experiment& experiment);

/// \throws ConfigurationError with the path of the offending key from the top
void CheckExpertStudy(const Experiment& experiment);

/// \return how large a study is: pairs of a token and an expert
RunSize EstimateExpertStudy(const Experiment& experiment);

/**
 * Leads a policy through layers, micro-batches and iterations in the order of their time: it is
 * told of counts when a real system could tell it.
 * \param experiment a study
 * \throws ConfigurationError when its parts do not fit each other
 */
Result RunExpertStudy(const Experiment& experiment);

} // namespace ns3::rails

#endif // EXPERT_STUDY_RUN_H
