// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_REPORT_H
#define TRAINING_REPORT_H

#include "ns3/graph-record.h"
#include "ns3/token-dispatch.h"
#include "ns3/training-spec.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * \param spec the training
 * \param experts figures of its expert policy
 * \param seconds of an iteration
 * \param record of the run, or null
 * \return further figures, by their keys in results
 */
std::vector<std::pair<std::string, double>> ListTrainingFigures(const TrainingSpec& spec,
                                                                const ExpertFigures& experts,
                                                                double seconds,
                                                                const GraphRecord* record);

/// \return notes for readers of the result. \param experts figures of the expert policy
std::vector<std::string> ListTrainingNotes(const TrainingSpec& spec, const ExpertFigures& experts);

} // namespace ns3::rails

#endif // TRAINING_REPORT_H
