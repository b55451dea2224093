// SPDX-License-Identifier: GPL-2.0-only
#ifndef TIMELINE_CHOICE_H
#define TIMELINE_CHOICE_H

#include "rails-timeline.h"

#include "ns3/cluster-run.h"

#include <memory>

namespace ns3::rails
{

/// \return a recorder with the class for the run's engine, which records from now on; nullptr when
/// the run has no timeline
std::unique_ptr<TimelineRecorder> MakeTimeline(ClusterRun& run);

} // namespace ns3::rails

#endif // TIMELINE_CHOICE_H
