// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_FAILURE_PLAN_H
#define RAILS_FAILURE_PLAN_H

#include "scheduled-failure.h"

#include "ns3/failure-schedule.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <string>
#include <vector>

namespace ns3::rails
{

/// Failures at random: the component `failures.random`.
class RandomFailures : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the attributes as plain data
    FailureDraw Get() const;

  private:
    double m_probability{0};
    RandomCables m_cables{CABLES_FABRIC};
    std::string m_portClass;
    double m_switches{0};
    double m_servers{0};
};

/// Failures, and when the routing converges after them: the section `failures`.
class FailurePlan : public Object
{
  public:
    static TypeId GetTypeId();

    /// Treatment of frames that wait at a port whose link is down.
    enum Queued
    {
        QUEUED_DROPPED, //!< the port serves its queue, and each frame is lost
        QUEUED_HELD     //!< they wait until the link is back
    };

    /// Treatment of frames that are on the wire when a link goes down.
    enum InFlight
    {
        IN_FLIGHT_DELIVERED,
        IN_FLIGHT_LOST
    };

    /// \return true when nothing fails
    bool IsEmpty() const;

    /// \return the failures as plain data
    FailureSchedule MakeSchedule() const;

    /// \return true when the routing converges after failures during the run
    bool Converges() const;

    static constexpr int64_t kUsualConvergenceUs = 20; //!< default of `convergence`

    /// \return time from a change until the routing has converged; kNever: it does not
    TimePs GetConvergence() const
    {
        return Converges() ? m_convergence.GetPicoSeconds() : kNever;
    }

  private:
    Time m_convergence;
    Queued m_queued{QUEUED_DROPPED};
    InFlight m_inFlight{IN_FLIGHT_DELIVERED};
    std::vector<Ptr<ScheduledFailure>> m_schedule;
    Ptr<RandomFailures> m_random;
};

} // namespace ns3::rails

#endif // RAILS_FAILURE_PLAN_H
