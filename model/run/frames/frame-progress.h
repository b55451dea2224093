// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_PROGRESS_H
#define FRAME_PROGRESS_H

#include "ns3/event-id.h"
#include "ns3/frame-engine.h"
#include "ns3/graph-runner.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-watchdog-options.h"
#include "ns3/standstill-watch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Watches a run: ends it when nothing moves any more, or when ports wait for each other in a circle
 * (a PFC deadlock), and says who is stuck and who is cut off; reports ports that are paused for too
 * long. It looks now and then, and costs the fast path nothing. What comes out of a run that ends
 * by itself does not depend on it.
 */
class FrameProgress
{
  public:
    /**
     * \param cluster what it watches
     * \param options its patience
     * \param runner what is meant to move
     * \param failures what fails in the cluster
     */
    FrameProgress(Ptr<FrameEngine> cluster,
                  Ptr<const WatchdogOptions> options,
                  const GraphRunner& runner,
                  const Failures& failures);
    ~FrameProgress();
    FrameProgress(const FrameProgress&) = delete;
    FrameProgress& operator=(const FrameProgress&) = delete;

    /// \return why the run was ended; empty while all is well
    const std::string& GetVerdict() const;

    /// \return who waits for what, in lines
    std::string DescribeStuck() const;

    /// \return the pause storms up to now, a line each
    std::vector<std::string> GetStorms() const;

  private:
    // A paused egress, with the class that is paused.
    struct Waiting
    {
        const Port* port;
        uint8_t trafficClass;

        bool operator<(const Waiting& other) const
        {
            return std::tie(port, trafficClass) < std::tie(other.port, other.trafficClass);
        }
    };

    // Since when a paused egress has been part of a circle.
    struct Standstill
    {
        TimePs pausedSince;
        TimePs since;
    };

    // A pause that lasted for too long.
    struct Storm
    {
        TimePs since;
        std::size_t port; // its place among the cluster's
    };

    // What is known of the pauses of one port.
    struct PauseProbe
    {
        void OnPaused(uint8_t trafficClass, bool paused);

        FrameProgress* monitor;
        std::size_t port;
        std::array<TimePs, kTrafficClasses> since;
    };

    void LookSoon();
    void LookForDeadlock();
    bool CheckDeadlock();
    void NoteStorm(std::size_t port, TimePs since, TimePs until);
    std::vector<std::pair<uint32_t, uint32_t>> FindCuts() const;
    std::vector<Waiting> FindPaused() const;
    std::vector<Waiting> FindNext(const Waiting& waiting) const;
    std::vector<std::vector<Waiting>> FindCircles() const;
    std::string Describe(const Port& port) const;
    const Switch* FindSwitch(const Port& port) const;

    Ptr<FrameEngine> m_cluster;
    Ptr<const WatchdogOptions> m_options;
    const Failures& m_failures;
    StandstillWatch m_standstillWatch;
    EventId m_deadlockEvent;
    Time m_interval;      // between two looks for deadlocks
    uint64_t m_paused{0}; // traffic classes of ports that are paused
    std::map<Waiting, Standstill> m_standstills;
    std::deque<PauseProbe> m_pauseProbes;
    std::vector<Storm> m_storms;
    std::string m_verdict;
};

} // namespace ns3::rails

#endif // FRAME_PROGRESS_H
