// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_TRACE_EXPORT_H
#define RAILS_TRACE_EXPORT_H

#include "ns3/rails-experiment.h"

#include <cstdint>
#include <iosfwd>
#include <vector>

namespace ns3::rails
{

/**
 * Writes the random token counts of a study in the format of the matrix and the load `trace`: a
 * line for each iteration, layer, micro-batch and GPU.
 * \param experiment passes CheckExperiment()
 * \param iterations to write, in this order; empty: all of the study
 * \throws ConfigurationError when the experiment is no study
 */
void ExportTrace(const Experiment& experiment,
                 const std::vector<uint32_t>& iterations,
                 std::ostream& os);

} // namespace ns3::rails

#endif // RAILS_TRACE_EXPORT_H
