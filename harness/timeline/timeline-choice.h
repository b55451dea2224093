// SPDX-License-Identifier: GPL-2.0-only
#ifndef TIMELINE_CHOICE_H
#define TIMELINE_CHOICE_H

#include "rails-timeline.h"

#include "ns3/cluster-run.h"

#include <memory>

namespace ns3::rails
{

/// \return what records a timeline of a run that begins now, with all that its engine knows;
/// nullptr when none is wanted
std::unique_ptr<TimelineRecorder> MakeTimeline(ClusterRun& run);

} // namespace ns3::rails

#endif // TIMELINE_CHOICE_H
