// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_TIMELINE_H
#define RAILS_TIMELINE_H

#include "ns3/circuit-record.h"
#include "ns3/graph-runner.h"
#include "ns3/rails-chrome-trace.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * What happened when in a run, to look at: phases, failures and messages by NIC, which keep their
 * times themselves. An engine that knows more of NICs and switches derives from it.
 */
class TimelineRecorder
{
  public:
    /// \param wiring the cluster
    explicit TimelineRecorder(const Wiring& wiring);
    virtual ~TimelineRecorder();
    TimelineRecorder(const TimelineRecorder&) = delete;
    TimelineRecorder& operator=(const TimelineRecorder&) = delete;

    /// To be called when messages may have been given up: nothing else tells when they were.
    void NoteAbandoned(const GraphRunner& runner);

    /// \return everything up to now, in the order of time
    ChromeTrace Collect(const GraphRunner& runner, const Failures& failures) const;

  protected:
    /**
     * Adds what else is known of a NIC, behind its messages; by default nothing.
     * \param trace where to
     * \param process of its server
     * \param nic its number
     * \param name what its tracks are called
     */
    virtual void AddToNic(ChromeTrace& trace,
                          ChromeTrace::Id process,
                          uint32_t nic,
                          const std::string& name) const;

    /// Adds what is known of switches, behind the servers; by default nothing.
    virtual void AddSwitches(ChromeTrace& trace) const;

  private:
    // A message from when its first byte moved until it was delivered or given up.
    struct Journey
    {
        const Message* message;
        TimePs begin;
        TimePs end;
    };

    // What of one GPU or NIC goes on one or more tracks.
    using Journeys = std::vector<Journey>;

    static void AddPhases(const GraphRunner& runner, ChromeTrace& trace, ChromeTrace::Id run);
    static void AddFailures(const Failures& failures, ChromeTrace& trace, ChromeTrace::Id run);
    static ChromeTrace::Id LabelMessage(const Message& message, ChromeTrace& trace);
    static void AddJourneys(Journeys journeys,
                            ChromeTrace& trace,
                            ChromeTrace::Id process,
                            const std::string& name);
    Journey MakeJourney(const Message& message) const;
    void AddServers(const GraphRunner& runner, ChromeTrace& trace) const;

    const Wiring& m_wiring;
    std::map<const Message*, TimePs> m_abandoned; // when messages were given up
};

/// Adds a track for each region of optical switches: when circuits have light, and when some are
/// dark while they move. \param circuits by their starts
void AddCircuitTracks(const std::vector<CircuitRecord>& circuits, ChromeTrace& trace);

} // namespace ns3::rails

#endif // RAILS_TIMELINE_H
