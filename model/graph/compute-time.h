// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPUTE_TIME_H
#define COMPUTE_TIME_H

#include "graph-program.h"
#include "program-walk.h"

#include "ns3/rails-units.h"
#include "ns3/transfer-bound.h"

#include <functional>
#include <memory>

namespace ns3::rails
{

/**
 * \param program what GPUs do
 * \return the time of all of it if every transfer were over as soon as all that take part in it
 * have come to it: the critical path without a network. A program in which some wait for ever
 * throws std::logic_error.
 */
TimePs FindComputeTime(const GraphProgram& program);

/**
 * \param program what GPUs do
 * \param transfers what transfers take at the least
 * \return the critical path without contention: the same if every transfer had the cluster for
 * itself. No run of the program is faster.
 */
TimePs FindPathTime(const GraphProgram& program, const TransferBound& transfers);

/// \return the same program, or one that has equal times and fewer GPUs with something to do
using ProgramFold =
    std::function<std::shared_ptr<const GraphProgram>(std::shared_ptr<const GraphProgram>)>;

/**
 * Both of a program, equal to the picosecond to what FindComputeTime() and FindPathTime() say of
 * all of it. Where equal units come again and again (GraphProgram::FindRepetition()), a part of
 * them is gone through until every node ends as much later as its counterpart some units before.
 */
ProgramTimes FindProgramTimes(const std::shared_ptr<const GraphProgram>& program,
                              const TransferBound& transfers,
                              const ProgramFold& fold,
                              const WalkCallback& callback = nullptr);

} // namespace ns3::rails

#endif // COMPUTE_TIME_H
