// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_TIMELINE_H
#define FRAME_TIMELINE_H

#include "rails-timeline.h"

#include "ns3/frame-engine.h"
#include "ns3/rails-step-envelope.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::rails
{

/// The timeline of a run that moves frames: also pauses by port and the queues of switch ports.
/// Listens to pauses and changes of queues.
class FrameTimeline : public TimelineRecorder
{
  public:
    /// With this resolution every queue gets the finest one that some thousand values allow.
    static constexpr TimePs kAutomatic = kNever;

    /**
     * \param cluster what is recorded from now on
     * \param resolution of the queues' lengths: of each such time only the maximum is kept; 0 for
     * every change
     */
    FrameTimeline(Ptr<FrameEngine> cluster, TimePs resolution);
    ~FrameTimeline() override;

  protected:
    void AddToNic(ChromeTrace& trace,
                  ChromeTrace::Id process,
                  uint32_t nic,
                  const std::string& name) const override;
    void AddSwitches(ChromeTrace& trace) const override;

  private:
    // When a class was paused or resumed, in turn.
    struct Pause
    {
        TimePs at;
        uint8_t trafficClass;
    };

    // What is noted of a port.
    struct Probe
    {
        void OnQueue(uint64_t before, uint64_t after);
        void OnPaused(uint8_t trafficClass, bool paused);

        Port* port;
        StepEnvelope queue;
        std::vector<Pause> pauses;
    };

    static void AddPauses(const Probe& probe,
                          ChromeTrace& trace,
                          ChromeTrace::Id process,
                          const std::string& name);

    Ptr<FrameEngine> m_cluster;
    std::deque<Probe> m_probes; // by port of the cluster: those of NICs come first
};

} // namespace ns3::rails

#endif // FRAME_TIMELINE_H
