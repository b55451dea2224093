// SPDX-License-Identifier: GPL-2.0-only
#ifndef GOAL_WRITER_H
#define GOAL_WRITER_H

#include "goal-schedule.h"
#include "graph-program.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Converts a program to a GOAL schedule, in which each GPU is the rank of its number. A GoalProgram
 * of the schedule computes as long as the program and moves the same bytes, within the limits of
 * GOAL:
 *
 * - Times are whole nanoseconds. The rest of a node is added to the next node of its stream, so
 * that no stream is off by a nanosecond.
 * - Kinds are lost, and so is the rule that a server plans a step when its last GPU begins it.
 *
 * Nodes of stream k compute on cpu k, nodes of unit u on the u-th cpu behind the streams. The tag
 * of a message is the number of its step. A GPU sends its part of a step when it has received all
 * of the step before. A `calc 0` joins several messages or streams that an operation depends on.
 * \param limit most operations of the schedule
 * \throws ConfigurationError when the program has barriers, or needs more operations
 */
GoalSchedule MakeGoal(const GraphProgram& program, uint64_t limit);

} // namespace ns3::rails

#endif // GOAL_WRITER_H
