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
 * Carries out a schedule of failures: cuts, mends and slows down the cables of a wiring at their
 * times, and lets the routing converge a given time after each change. All changes of an instant
 * happen before all else of that instant, in the order of the schedule, convergence last.
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
        std::string what;  //!< "link leaf0, spine1", "random", "gpu 12"
        std::string state; //!< "down", "up" or a rate
        uint32_t cables;   //!< how many cables it concerned
    };

    /// Two servers, one of which has something for the other.
    using ServerPair = std::pair<uint32_t, uint32_t>;

    /**
     * \param schedule what fails
     * \param wiring the cluster whose cables fail
     * \param router the routing, which learns of failures when it converges
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

    /**
     * Records something that took place now.
     * \param what "link leaf0, spine1", "gpu 12"
     * \param state "down", "up" or a rate
     * \param cables how many cables changed
     */
    void AddEvent(const std::string& what, const std::string& state, uint32_t cables);

    /// Does what happens at the start of the run, and schedules the rest.
    void Start();

    /// \return true when nothing gets from a NIC to another, and nothing will
    bool IsCutOff(uint32_t fromNic, uint32_t toNic) const;

    /// \return what took place so far, in order
    const std::vector<Event>& GetEvents() const;

    /// \return when the routing converged, in order
    const std::vector<TimePs>& GetConvergences() const;

    /// \return cables that were down or slower for some time, each counted once
    uint32_t GetFailedCables() const;

    /**
     * \return by NIC, the best rate that its cable had so far, 0 when it never worked; empty when
     * nothing fails
     */
    std::vector<uint64_t> GetBestNicRates() const;

  private:
    using Instant = FailureTimetable::Instant;
    using Action = FailureTimetable::Action;

    // What became of a cable.
    struct State
    {
        bool isDown{false};    // the cable itself, whatever the switches at its ends are
        bool hasFailed{false}; // ever
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
    std::vector<State> m_states;       // by cable
    std::vector<bool> m_switchDown;    // by switch
    uint32_t m_pendingReturns{0};      // instants to come in which something comes up
    uint32_t m_pendingConvergences{0}; // instants to come in which the routing converges
    std::vector<uint64_t> m_bestNicRates;
    std::vector<Event> m_events;
    std::vector<TimePs> m_convergences;
};

} // namespace ns3::rails

#endif // RAILS_FAILURES_H
