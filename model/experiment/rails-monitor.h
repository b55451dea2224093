// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_MONITOR_H
#define RAILS_MONITOR_H

#include "rails-failures.h"
#include "rails-watchdog-options.h"

#include "ns3/event-id.h"
#include "ns3/gpu-cluster.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/**
 * Watches a run: ends it when nothing moves any more, or when ports wait for each other in a circle
 * (a PFC deadlock), or when no path is left to one that has traffic and none will come back, and
 * says who is stuck; reports ports that are paused for too long. It looks now
 * and then, and costs the fast path nothing.
 */
class Monitor
{
  public:
    /**
     * \param cluster what it watches
     * \param options its patience
     * \param isWaiting tells whether nothing is meant to move just now
     * \param failures what fails in the cluster; nullptr for nothing
     */
    Monitor(Ptr<GpuCluster> cluster,
            Ptr<const WatchdogOptions> options,
            std::function<bool()> isWaiting,
            const Failures* failures = nullptr);
    ~Monitor();
    Monitor(const Monitor&) = delete;
    Monitor& operator=(const Monitor&) = delete;

    /// Ends the run when somebody with traffic is cut off for good.
    void LookForCuts();

    /// \return why the run was ended; empty while all is well
    const std::string& GetVerdict() const;

    /// \return who waits for what, in lines
    std::string DescribeStuck() const;

    /// \return the pause storms seen, a line each
    const std::vector<std::string>& GetStorms() const;

  private:
    // A paused egress, its class and those that it waits for.
    struct Waiting
    {
        const Port* port;
        uint8_t trafficClass;

        bool operator<(const Waiting& other) const
        {
            return std::tie(port, trafficClass) < std::tie(other.port, other.trafficClass);
        }
    };

    // How long it has been part of a circle during one pause.
    struct Standstill
    {
        TimePs pausedSince;
        TimePs since;
    };

    void Check();
    bool CheckProgress();
    bool CheckDeadlock();
    bool CheckCuts();
    std::string DescribeCut(const GpuServer& server, uint32_t rail, const SendQueue& queue) const;
    void CheckStorms();
    std::vector<Waiting> FindPaused() const;
    std::vector<Waiting> FindNext(const Waiting& waiting) const;
    std::vector<std::vector<Waiting>> FindCircles() const;
    std::string Describe(const Port& port) const;
    const Switch* FindSwitch(const Port& port) const;

    Ptr<GpuCluster> m_cluster;
    Ptr<const WatchdogOptions> m_options;
    std::function<bool()> m_isWaiting;
    const Failures* m_failures;
    EventId m_event;
    Time m_interval;
    uint64_t m_lastBytes{0};
    TimePs m_progressAt{0};
    std::map<Waiting, Standstill> m_standstills;
    std::map<const Port*, TimePs> m_storming; // by port: start of the pause that was reported
    std::vector<std::string> m_storms;
    std::string m_verdict;
};

} // namespace ns3::rails

#endif // RAILS_MONITOR_H
