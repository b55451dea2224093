// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FAILURES_H
#define RAILS_FAILURES_H

#include "cable-reach.h"
#include "failure-timetable.h"
#include "rails-router.h"
#include "rails-wiring.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Executes a schedule of failures: cuts, repairs and slows down links of a wiring, and lets routing
 * converge a given time after each change. The changes of an instant happen before all its other
 * events, in the order of the schedule, convergence last.
 *
 * A link works when it is not down itself and no switch at its ends is.
 */
class Failures
{
  public:
    /// A change that took place.
    struct Event
    {
        TimePs at;
        std::string what;  //!< "link leaf0, spine1", "random", "gpu 12"
        std::string state; //!< "down", "up" or a rate
        uint32_t cables;   //!< number of links that changed
    };

    /// A source and a destination server.
    using ServerPair = std::pair<uint32_t, uint32_t>;

    /**
     * \param schedule failures
     * \param wiring the cluster whose links fail
     * \param router learns of failures when it converges
     * \throws ConfigurationError with a path from the top of the descriptor when the schedule does
     * not fit the wiring
     */
    Failures(FailureSchedule schedule, Wiring& wiring, Router& router);
    Failures(const Failures&) = delete;
    Failures& operator=(const Failures&) = delete;

    /**
     * Fixes the random stream.
     * \param stream stream to use
     * \return how many streams were used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Draws the random failures until every pair has a path: within one rail, or between any rails
     * where the rail balancer changes rail in the fabric. At most 1000 draws.
     * \param pairs servers with traffic
     * \param crossesRails whether paths may change rail
     * \throws ConfigurationError when no draw succeeds
     */
    void Draw(const std::vector<ServerPair>& pairs, bool crossesRails);

    /// \param callback called after the changes of an instant, with true when routing converged
    void SetChangedCallback(std::function<void(bool)> callback);

    /**
     * Records a change that takes place now.
     * \param what "link leaf0, spine1", "gpu 12"
     * \param state "down", "up" or a rate
     * \param cables number of links that changed
     */
    void AddEvent(const std::string& what, const std::string& state, uint32_t cables);

    /// Executes the changes of time 0, and schedules the others.
    void Start();

    /// \return true when one NIC does not reach another, and no later event of the schedule can
    /// change that
    bool IsCutOff(uint32_t fromNic, uint32_t toNic) const;

    /// \return the changes so far, in order
    const std::vector<Event>& GetEvents() const
    {
        return m_events;
    }

    /// \return times of convergence, in order
    const std::vector<TimePs>& GetConvergences() const
    {
        return m_convergences;
    }

    /// \return number of links that were down or slowed down for some time
    uint32_t GetFailedCables() const;

    /**
     * \return by NIC, the highest rate of its link so far in bit/s, 0 when it never worked; empty
     * without link failures
     */
    std::vector<uint64_t> GetBestNicRates() const
    {
        return m_bestNicRates;
    }

  private:
    using Instant = FailureTimetable::Instant;
    using Action = FailureTimetable::Action;

    // State of a link.
    struct State
    {
        bool isDown{false};    // the link itself, whatever the state of the switches at its ends
        bool hasFailed{false}; // was down or slowed down at some time
    };

    bool DrawOnce(const std::vector<ServerPair>& pairs, bool crossesRails);
    bool HasPath(const CableReach& reach, const ServerPair& pair, bool crossesRails) const;
    void Run(const Instant& instant);
    void Execute(const Action& action);
    bool Settle(uint32_t cable);
    void NoteNicRates();

    FailureTimetable m_timetable;
    Wiring& m_wiring;
    Router& m_router;
    CableReach m_reach;
    Ptr<UniformRandomVariable> m_random;
    std::function<void(bool)> m_changed;
    std::vector<State> m_states;       // by link
    std::vector<bool> m_switchDown;    // by switch
    uint32_t m_pendingReturns{0};      // future instants with an action Up
    uint32_t m_pendingConvergences{0}; // future instants with a convergence
    std::vector<uint64_t> m_bestNicRates;
    std::vector<Event> m_events;
    std::vector<TimePs> m_convergences;
};

} // namespace ns3::rails

#endif // RAILS_FAILURES_H
