// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAILURE_TIMETABLE_H
#define FAILURE_TIMETABLE_H

#include "failure-schedule.h"
#include "rails-wiring.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A schedule of failures resolved to links of a wiring, by time. Failures of GPUs concern no link.
class FailureTimetable
{
  public:
    /// One entry of the schedule at one of its times.
    struct Action
    {
        uint32_t entry;
        FailureEntry::Change change; //!< Down, Up or Rate
    };

    /// The changes of one time.
    struct Instant
    {
        std::vector<Action> actions; //!< in the order of the schedule
        bool converges{false};       //!< routing converges after the actions

        /// \return true when some action is Up
        bool CanReturn() const;
    };

    /**
     * \param schedule failures
     * \param wiring the cluster whose links fail
     * \throws ConfigurationError with a path from the top of the descriptor when the schedule does
     * not fit the wiring
     */
    FailureTimetable(FailureSchedule schedule, const Wiring& wiring);

    const FailureSchedule& GetSchedule() const
    {
        return m_schedule;
    }

    const std::map<TimePs, Instant>& GetInstants() const
    {
        return m_instants;
    }

    /// \return numbers of the links of an entry of the schedule
    const std::vector<uint32_t>& GetCables(uint32_t entry) const;

    /// \return true when a link may be down at random from the start
    bool CanFailAtRandom(const Wiring& wiring, const Cable& cable) const;

  private:
    std::vector<uint32_t> Resolve(const Wiring& wiring, uint32_t entry) const;
    std::vector<uint32_t> FindBetween(const Wiring& wiring, uint32_t entry) const;
    void CheckName(const Wiring& wiring, uint32_t entry, const std::string& name) const;
    static void CheckNumber(const ClusterShape& shape, uint32_t number, const FailureEntry& entry);
    void CheckOrder() const;
    void AddInstants();
    void AddConvergences();

    FailureSchedule m_schedule;
    std::vector<std::vector<uint32_t>> m_cables; // by entry of the schedule
    std::map<TimePs, Instant> m_instants;
};

} // namespace ns3::rails

#endif // FAILURE_TIMETABLE_H
