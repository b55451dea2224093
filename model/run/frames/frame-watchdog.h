// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_WATCHDOG_H
#define FRAME_WATCHDOG_H

#include "ns3/event-id.h"
#include "ns3/frame-engine.h"
#include "ns3/graph-runner.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-watchdog-options.h"
#include "ns3/stall-detector.h"

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
 * Watchdog of a packet-level run: ends it when nothing moves any more, or when ports wait for each
 * other in a cycle (a PFC deadlock), and describes the queue pairs that are stuck or cut off.
 * Reports ports that are paused for too long. It checks now and then, at no cost for the fast path,
 * and does not change the results of a run that ends by itself.
 */
class FrameWatchdog
{
  public:
    /**
     * \param cluster to be watched
     * \param options its patience
     * \param runner of the run
     * \param failures tell which NICs are cut off from each other
     */
    FrameWatchdog(Ptr<FrameEngine> cluster,
                  Ptr<const WatchdogOptions> options,
                  const GraphRunner& runner,
                  const Failures& failures);
    ~FrameWatchdog();
    FrameWatchdog(const FrameWatchdog&) = delete;
    FrameWatchdog& operator=(const FrameWatchdog&) = delete;

    /// \return why the run was ended; empty while all is well
    const std::string& GetVerdict() const
    {
        return m_verdict;
    }

    /// \return lines on queue pairs that are stuck, and on ports that are paused or held
    std::string DescribeStuck() const;

    /// \return the pause storms up to now, a line each
    std::vector<std::string> GetStorms() const;

  private:
    // A paused egress port, with its paused class.
    struct Waiting
    {
        const Port* port;
        uint8_t trafficClass;

        bool operator<(const Waiting& other) const
        {
            return std::tie(port, trafficClass) < std::tie(other.port, other.trafficClass);
        }
    };

    // A paused egress port that is part of a cycle.
    struct Standstill
    {
        TimePs pausedSince;
        TimePs since; // first check that found the cycle
    };

    // A pause that lasted for too long.
    struct Storm
    {
        TimePs since;
        std::size_t port; // index among all ports
    };

    // Pauses of one port.
    struct PauseProbe
    {
        void OnPaused(Time at, uint8_t trafficClass, bool paused);

        FrameWatchdog* monitor;
        std::size_t port;
        std::array<TimePs, kTrafficClasses> since;
    };

    void ExamineSoon();
    void FindDeadlock();
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
    StallDetector m_stallDetector;
    EventId m_deadlockEvent;
    Time m_interval;      // between two checks for deadlocks
    uint64_t m_paused{0}; // number of paused classes of all ports
    std::map<Waiting, Standstill> m_standstills;
    std::deque<PauseProbe> m_pauseProbes;
    std::vector<Storm> m_storms;
    std::string m_verdict;
};

} // namespace ns3::rails

#endif // FRAME_WATCHDOG_H
