// SPDX-License-Identifier: GPL-2.0-only
#include "timeline-choice.h"

#include "frame-timeline.h"

namespace ns3::rails
{

std::unique_ptr<TimelineRecorder>
MakeTimeline(ClusterRun& run)
{
    const Ptr<const RecordOptions> record = run.GetSettings().record;
    if (!record->WantsTimeline())
    {
        return nullptr;
    }
    std::unique_ptr<TimelineRecorder> timeline;
    if (const Ptr<FrameEngine> frames = DynamicCast<FrameEngine>(run.GetEngine()))
    {
        const Time resolution = record->GetTimelineResolution();
        timeline = std::make_unique<FrameTimeline>(
            frames,
            resolution == Time::Max() ? FrameTimeline::kAutomatic : resolution.GetTimeStep());
    }
    else
    {
        timeline = std::make_unique<TimelineRecorder>(run.GetWiring());
    }
    run.SetFailureCallback([&run, recorder = timeline.get()](bool converged) {
        if (converged)
        {
            recorder->NoteAbandoned(run.GetRunner());
        }
    });
    return timeline;
}

} // namespace ns3::rails
