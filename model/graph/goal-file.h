// SPDX-License-Identifier: GPL-2.0-only
#ifndef GOAL_FILE_H
#define GOAL_FILE_H

#include "goal-schedule.h"

#include <iosfwd>
#include <string>

namespace ns3::rails
{

/**
 * Reads a schedule in the GOAL text format of LogGOPSim and ATLAHS:
 *
 *     num_ranks 2
 *     rank 0 {
 *       l1: calc 100 cpu 0        // nanoseconds
 *       l2: send 10b to 1 tag 4 cpu 0 nic 0
 *       l2 requires l1
 *     }
 *     rank 1 {
 *       recv 10b from 0 tag 4
 *     }
 *
 * A line has an operation, with or without a label, or a dependency on an operation above:
 * `requires` its end, or `irequires` its begin. Omitted numbers are 0. An omitted rank does
 * nothing. Any source and any tag (-1) are not supported.
 * \return a valid schedule: MatchGoal() and OrderGoal() do not throw
 * \throws ConfigurationError with the key "path" and a message that begins with FILE:LINE
 */
GoalSchedule ReadGoal(const std::string& path);

/// Writes a schedule that ReadGoal() reads back equal. Labels are l1, l2 and so on in each rank.
void WriteGoal(const GoalSchedule& schedule, std::ostream& os);

} // namespace ns3::rails

#endif // GOAL_FILE_H
