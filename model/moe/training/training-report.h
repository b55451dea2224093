// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_REPORT_H
#define TRAINING_REPORT_H

#include "ns3/expert-router.h"
#include "ns3/training-plan.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * \param plan of a training
 * \param experts what was done with these
 * \param seconds that an iteration took
 * \return what follows from that, by names of keys in results
 */
std::vector<std::pair<std::string, double>> ListTrainingFigures(const TrainingPlan& plan,
                                                                const ExpertFigures& experts,
                                                                double seconds);

/// \return sentences that a reader of the result has to know. \param experts what was done with
/// these
std::vector<std::string> ListTrainingNotes(const TrainingPlan& plan, const ExpertFigures& experts);

} // namespace ns3::rails

#endif // TRAINING_REPORT_H
