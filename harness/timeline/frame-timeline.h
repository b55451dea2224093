// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_TIMELINE_H
#define FRAME_TIMELINE_H

#include "rails-timeline.h"

#include "ns3/downsampled-series.h"
#include "ns3/frame-engine.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::rails
{

/// The timeline of a packet-level simulation: adds PFC pauses by port and the queues of switch
/// ports, from trace sources of the ports.
class FrameTimeline : public TimelineRecorder
{
  public:
    /// Resolution: the finest for each queue that needs at most about a thousand values.
    static constexpr TimePs kAutomatic = kNever;

    /**
     * \param cluster to record from now on
     * \param resolution length of an interval of queue lengths, of which only the maximum is
     * recorded; 0 records every change
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
    // A pause or resume of a traffic class; the two alternate.
    struct Pause
    {
        TimePs at;
        uint8_t trafficClass;
    };

    // The recorded data of a port.
    struct Probe
    {
        void OnQueue(Time now, uint64_t before, uint64_t after);
        void OnPaused(Time now, uint8_t trafficClass, bool paused);

        Port* port;
        DownsampledSeries queue;
        std::vector<Pause> pauses;
    };

    static void AddPauses(const Probe& probe,
                          ChromeTrace& trace,
                          ChromeTrace::Id process,
                          const std::string& name);

    Ptr<FrameEngine> m_cluster;
    std::deque<Probe> m_probes; // by port of the cluster, NICs first
};

} // namespace ns3::rails

#endif // FRAME_TIMELINE_H
