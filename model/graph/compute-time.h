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
 * \return the critical path of a program without a network: each transfer is over as soon as all of
 * its members have begun it
 * \throws std::logic_error when the program deadlocks
 */
TimePs FindComputeTime(const GraphProgram& program);

/**
 * \param transfers lower bounds of the times of transfers
 * \return the critical path of a program without contention: each transfer has the cluster for
 * itself. A lower bound of the time of any run.
 * \throws std::logic_error when the program deadlocks
 */
TimePs FindPathTime(const GraphProgram& program, const TransferBound& transfers);

/// \return the program itself, or one with equal times and fewer busy GPUs
using ProgramFold =
    std::function<std::shared_ptr<const GraphProgram>(std::shared_ptr<const GraphProgram>)>;

/**
 * \return the results of FindComputeTime() and FindPathTime(), equal to the picosecond. Where a
 * program repeats equal units (GraphProgram::FindRepetition()), this walks through a part of the
 * units until every node ends later than its counterpart some units before by one constant time.
 */
ProgramTimes FindProgramTimes(const std::shared_ptr<const GraphProgram>& program,
                              const TransferBound& transfers,
                              const ProgramFold& fold,
                              const WalkCallback& callback = nullptr);

} // namespace ns3::rails

#endif // COMPUTE_TIME_H
