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
 * Checks that the options fit a descriptor.
 * \throws PlanError for an option of sweeps when the descriptor runs in this process
 */
void CheckRunOptions(const Descriptor& descriptor, const RunOptions& options);

/**
 * Runs a descriptor: one experiment in this process, or each point of its sweep in a child process.
 * Prints a summary to standard output and errors to standard error.
 * \return the exit status of the run, or the highest of the points
 */
int RunDescriptor(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks);

/// A task of a sweep that was submitted to a cluster.
struct SweepTask
{
    std::string folder;   //!< of the sweep
    std::size_t round{0}; //!< number of the job array
    std::size_t task{0};  //!< index in the job array
    std::string snapshot; //!< SweepSnapshot::Hash() of the submitted sweep
};

/**
 * Runs the points of a task on this machine. Takes only the names of the points and the submitted
 * descriptor from the folder.
 * \param options limits, processes and libraries
 * \return 0 when all points have ended, with a result or a recorded failure
 * \throws PlanError when another program or another descriptor started the sweep
 */
int RunTask(const SweepTask& task, const RunOptions& options, const RunHooks& hooks);

/// A sweep to resume, with the settings that must come from the user, as the folder is untrusted.
struct ResumedSweep
{
    std::string folder;
    /// Libraries, programs of policies, launcher and its options from the command line.
    RunOptions given;
    /// Take libraries, launcher, its options and outside files from the folder where the user gives
    /// none.
    bool isTrusted{false};
};

/**
 * Resumes a sweep with its original descriptor and options.
 * \param check further checks of a descriptor, possibly none
 * \return the exit status
 * \throws PlanError with the settings of the folder that the user must give
 */
int ResumeSweep(const ResumedSweep& sweep, const ExperimentCheck& check, const RunHooks& hooks);

/**
 * Cancels all tasks of a sweep in the queue of a cluster.
 * \throws OutputError when the folder has no sweep
 * \throws SlurmError when Slurm rejects this or does not answer
 */
void CancelSweep(const std::string& folder);

} // namespace ns3::rails

#endif // RAILS_RUNNER_H
