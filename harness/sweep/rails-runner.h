// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUNNER_H
#define RAILS_RUNNER_H

#include "rails-run-options.h"

#include "ns3/rails-descriptor.h"

#include <cstddef>
#include <string>

namespace ns3::rails
{

/**
 * Looks whether the options fit a descriptor.
 * \throws PlanError when an option is for sweeps, and the descriptor is run in this process
 */
void CheckRunOptions(const Descriptor& descriptor, const RunOptions& options);

/**
 * Runs a descriptor: one experiment in this process, or each point of its sweep in a process of its
 * own. Prints a summary to standard output and what went wrong to standard error.
 * \param descriptor the descriptor
 * \param options how to run it
 * \param hooks what runs an experiment
 * \return the exit status: that of the run, or the highest of the points
 */
int RunDescriptor(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks);

/// A task of a sweep that was submitted to a cluster.
struct SweepTask
{
    std::string folder;   //!< of the sweep
    std::size_t round{0}; //!< which of its job arrays
    std::size_t task{0};  //!< index there
};

/**
 * Runs the points of a task on the machine that the task is on.
 * \param task the task
 * \param options limits and processes
 * \param hooks what runs an experiment
 * \return 0 when all points have ended, well or with a recorded failure
 * \throws PlanError when the sweep was started with another program
 */
int RunTask(const SweepTask& task, const RunOptions& options, const RunHooks& hooks);

/**
 * Takes up a sweep where it was left, with the descriptor and the options it was started with.
 * \param folder folder of the sweep
 * \param policies programs of external policies, which the folder does not have
 * \param hooks what runs an experiment
 * \return the exit status
 */
int ResumeSweep(const std::string& folder, const PolicyCommands& policies, const RunHooks& hooks);

/**
 * Cancels what a sweep has in the queue of a cluster.
 * \throws OutputError when there is no sweep in the folder
 * \throws SlurmError when Slurm refuses or does not answer
 */
void CancelSweep(const std::string& folder);

} // namespace ns3::rails

#endif // RAILS_RUNNER_H
