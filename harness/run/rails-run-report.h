// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_REPORT_H
#define RAILS_RUN_REPORT_H

#include "rails-progress.h"

#include "ns3/cluster-run.h"
#include "ns3/rails-experiment.h"
#include "ns3/rails-result.h"
#include "ns3/rails-timeline.h"

namespace ns3::rails
{

/**
 * \param run finished or aborted
 * \param timeline of the run; nullptr when none was recorded
 * \param onProgress called during the computation of bounds; may be empty
 * \return the result with its lower bounds and its status
 */
Result ReportRun(const Experiment& experiment,
                 const ClusterRun& run,
                 const TimelineRecorder* timeline,
                 const ProgressCallback& onProgress);

} // namespace ns3::rails

#endif // RAILS_RUN_REPORT_H
