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
 * The timeline of a run for a viewer: phases, failures and messages by NIC, from their own
 * timestamps. A derived class adds an engine's data about NICs and switches.
 */
class TimelineRecorder
{
  public:
    /// \param wiring of the cluster, kept by reference
    explicit TimelineRecorder(const Wiring& wiring);
    virtual ~TimelineRecorder();
    TimelineRecorder(const TimelineRecorder&) = delete;
    TimelineRecorder& operator=(const TimelineRecorder&) = delete;

    /// Records the present time for abandoned messages, which have no timestamp of their own. Call
    /// it whenever messages may have been abandoned.
    void NoteAbandoned(const GraphRunner& runner);

    /// \return all events up to now, sorted by time
    ChromeTrace Collect(const GraphRunner& runner, const Failures& failures) const;

  protected:
    /**
     * Adds further tracks of a NIC after its messages; by default none.
     * \param process of its server
     * \param nic its number
     * \param name prefix of its tracks
     */
    virtual void AddToNic(ChromeTrace& trace,
                          ChromeTrace::Id process,
                          uint32_t nic,
                          const std::string& name) const;

    /// Adds tracks of switches after the servers; by default none.
    virtual void AddSwitches(ChromeTrace& trace) const;

  private:
    // A message from its first byte until it is delivered or abandoned.
    struct Journey
    {
        const Message* message;
        TimePs begin;
        TimePs end;
    };

    // The messages of one GPU or NIC, for one or more tracks.
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
    std::map<const Message*, TimePs> m_abandoned; // when messages were abandoned
};

/// Adds a track for each region of optical switches: times with active circuits, and times while
/// circuits are reconfigured.
/// \param circuits sorted by start
void AddCircuitTracks(const std::vector<CircuitRecord>& circuits, ChromeTrace& trace);

} // namespace ns3::rails

#endif // RAILS_TIMELINE_H
