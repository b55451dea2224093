// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FAILURES_H
#define RAILS_FAILURES_H

#include "rails-failure-plan.h"

#include "ns3/gpu-cluster.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Carries out a failure plan: cuts, mends and slows down the cables of a cluster at their times,
 * and lets the routing converge when it has had the time to hear of it. All changes of an instant
 * happen before anything else of it, in the order of the plan, convergence last.
 *
 * A cable works when it is not down itself and no switch at its ends is.
 */
class Failures
{
  public:
    /// Something that took place.
    struct Event
    {
        TimePs at;
        std::string what;  //!< "link leaf0, spine1", "random"
        std::string state; //!< "down", "up" or a rate
        uint32_t cables;   //!< how many cables it concerned
    };

    /// Two servers, one of which has something for the other.
    using ServerPair = std::pair<uint32_t, uint32_t>;

    /**
     * \param plan what fails
     * \param cluster where; it stays as it is
     * \throws ConfigurationError with a path from the top of the descriptor when the plan does not
     * fit the cluster
     */
    Failures(Ptr<const FailurePlan> plan, Ptr<GpuCluster> cluster);
    ~Failures();
    Failures(const Failures&) = delete;
    Failures& operator=(const Failures&) = delete;

    /**
     * Fixes the random stream.
     * \param stream stream to use
     * \return how many streams were used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Draws the random failures, again and again until every pair has a path, over one rail or,
     * where the scheme changes rail in the fabric, over any.
     * \param pairs servers with traffic
     * \param crossesRails whether the scheme changes rail
     * \throws ConfigurationError when no draw succeeds
     */
    void Draw(const std::vector<ServerPair>& pairs, bool crossesRails);

    /// \param callback called after the changes of an instant, with whether the routing has
    /// converged in it
    void SetChangedCallback(std::function<void(bool)> callback);

    /// Does what happens at the start of the run, and schedules the rest.
    void Start();

    /**
     * \return true when cables that work lead from a NIC to another, whatever the routing knows
     * \param from server
     * \param fromRail its NIC
     * \param to the other server
     * \param toRail its NIC
     */
    bool HasPath(uint32_t from, uint32_t fromRail, uint32_t to, uint32_t toRail) const;

    /**
     * \return true when nothing gets from a NIC to another, and nothing will
     * \param from server
     * \param fromRail its NIC
     * \param to the other server
     * \param toRail its NIC
     */
    bool IsCutOff(uint32_t from, uint32_t fromRail, uint32_t to, uint32_t toRail) const;

    /// \return what took place so far, in order
    const std::vector<Event>& GetEvents() const;

    /// \return when the routing converged, in order
    const std::vector<TimePs>& GetConvergences() const;

    /// \return cables that were down or slower for some time, each counted once
    uint32_t GetFailedCables() const;

    /**
     * \return by NIC, the best rate that its cable had so far, 0 when it never worked; empty when
     * the plan is
     */
    std::vector<uint64_t> GetBestNicRates() const;

  private:
    struct Cable
    {
        Ptr<Port> lowerPort;
        Ptr<Port> upperPort;
        uint32_t lower;        // number of the switch; of a NIC's cable, one that never fails
        uint32_t upper;        // number of the switch
        uint64_t fullRateBps;  // as laid
        bool isDown{false};    // by itself
        bool isUp{true};       // and its ends
        bool hasFailed{false}; // ever
    };

    struct Action
    {
        uint32_t entry;
        FailureEntry::Change change;
    };

    // What happens at one time.
    struct Instant
    {
        std::vector<Action> actions;
        bool converges{false};
    };

    void AddCables();
    void AddNames();
    void AddConvergences();
    std::vector<uint32_t> Resolve(uint32_t entry) const;
    std::vector<uint32_t> FindBetween(uint32_t entry) const;
    std::vector<uint32_t> GetCablesOf(const std::string& name) const;
    std::string DescribeNeighbours(const std::string& name) const;
    void CheckOrder() const;
    bool CanFailAtRandom(const Cable& cable) const;
    bool DrawOnce(const std::vector<ServerPair>& pairs, bool crossesRails);
    bool HasPath(const ServerPair& pair, bool crossesRails) const;
    void Run(const Instant& instant);
    void Execute(const Action& action);
    bool Settle(uint32_t cable);
    void NoteNicRates();
    static bool CanReturn(const Instant& instant);
    const std::vector<bool>& FindAbove(uint32_t edge) const;

    Ptr<const FailurePlan> m_plan;
    Ptr<GpuCluster> m_cluster;
    Ptr<UniformRandomVariable> m_random;
    std::function<void(bool)> m_changed;
    std::vector<Cable> m_cables; // NICs' first, by number of the NIC
    uint32_t m_nics{0};
    std::vector<std::vector<uint32_t>> m_cablesOf; // by switch
    std::vector<bool> m_switchDown;
    std::map<std::string, uint32_t> m_switches;       // by name
    std::map<std::string, uint32_t> m_nicCables;      // by name of the NIC
    std::vector<std::vector<uint32_t>> m_entryCables; // by entry of the schedule
    std::map<TimePs, Instant> m_instants;
    uint32_t m_pendingReturns{0};      // instants to come in which something comes up
    uint32_t m_pendingConvergences{0}; // instants to come in which the routing converges
    std::vector<uint64_t> m_bestNicRates;
    std::vector<Event> m_events;
    std::vector<TimePs> m_convergences;
    mutable std::map<uint32_t, std::vector<bool>> m_above; // of edge switches: what they reach
};

} // namespace ns3::rails

#endif // RAILS_FAILURES_H
