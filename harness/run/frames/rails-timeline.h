// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_TIMELINE_H
#define RAILS_TIMELINE_H

#include "ns3/collective-runner.h"
#include "ns3/frame-engine.h"
#include "ns3/rails-chrome-trace.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-step-envelope.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * What happened when in a run, to look at: phases, failures, messages by NIC, pauses by port and
 * the queues of switch ports. Listens to pauses and changes of queues; messages and phases keep
 * their times themselves.
 */
class TimelineRecorder
{
  public:
    /// With this resolution every queue gets the finest one that some thousand values allow.
    static constexpr TimePs kAutomatic = kNever;

    /**
     * \param cluster what is recorded from now on
     * \param resolution of the queues' lengths: of each such time only the maximum is kept; 0 for
     * every change
     */
    TimelineRecorder(Ptr<FrameEngine> cluster, TimePs resolution);
    ~TimelineRecorder();
    TimelineRecorder(const TimelineRecorder&) = delete;
    TimelineRecorder& operator=(const TimelineRecorder&) = delete;

    /// To be called when messages may have been given up: nothing else tells when they were.
    void NoteAbandoned(const CollectiveRunner& runner);

    /// \return everything up to now, in the order of time
    ChromeTrace Collect(const CollectiveRunner& runner, const Failures& failures) const;

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

    // A message from when its first byte moved until it was delivered or given up.
    struct Journey
    {
        const Message* message;
        TimePs begin;
        TimePs end;
    };

    // What of one GPU or NIC goes on one or more tracks.
    using Journeys = std::vector<Journey>;

    static void AddPhases(const CollectiveRunner& runner, ChromeTrace& trace, ChromeTrace::Id run);
    static void AddFailures(const Failures& failures, ChromeTrace& trace, ChromeTrace::Id run);
    static ChromeTrace::Id LabelMessage(const Message& message, ChromeTrace& trace);
    static void AddJourneys(Journeys journeys,
                            ChromeTrace& trace,
                            ChromeTrace::Id process,
                            const std::string& name);
    static void AddPauses(const Probe& probe,
                          ChromeTrace& trace,
                          ChromeTrace::Id process,
                          const std::string& name);
    Journey MakeJourney(const Message& message) const;
    void AddServers(const CollectiveRunner& runner, ChromeTrace& trace) const;
    void AddSwitches(ChromeTrace& trace) const;

    Ptr<FrameEngine> m_cluster;
    std::deque<Probe> m_probes;             // by port of the cluster
    std::map<uint32_t, TimePs> m_abandoned; // by id of the message, when it was given up
};

} // namespace ns3::rails

#endif // RAILS_TIMELINE_H
