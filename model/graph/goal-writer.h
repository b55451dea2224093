// SPDX-License-Identifier: GPL-2.0-only
#ifndef GOAL_WRITER_H
#define GOAL_WRITER_H

#include "goal-schedule.h"
#include "graph-program.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Writes out a program as a GOAL schedule, in which each GPU is the rank of its number. A
 * GoalProgram of it computes as long as the program and moves the same bytes, except for what GOAL
 * cannot say:
 *
 * - Times are whole nanoseconds. What is left of a node counts for the next one of its stream, so
 *   that no stream is a nanosecond off.
 * - Kinds are lost, and that a server plans when the last of its GPUs has come to a step.
 *
 * Nodes of stream k compute on cpu k, those of unit u on cpu u behind these. Each message has the
 * number of its step as its tag. Of a transfer in steps, a GPU sends its part of a step when it has
 * received all of the step before. A `calc 0` gathers what all of a transfer's messages, or several
 * streams, are waited for.
 * \param program what GPUs do
 * \param limit how many operations the schedule may have
 * \throws ConfigurationError when the program has barriers, or takes more operations
 */
GoalSchedule MakeGoal(const GraphProgram& program, uint64_t limit);

} // namespace ns3::rails

#endif // GOAL_WRITER_H
