// SPDX-License-Identifier: GPL-2.0-only
#ifndef SLURM_QUEUE_H
#define SLURM_QUEUE_H

#include "rails-command.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Slurm rejects a request or is missing; what() has its message, the command and a remedy.
class SlurmError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// A job array: tasks that run the same script. The environment variable SLURM_ARRAY_TASK_ID, which
/// counts from 0, is the index of a task.
struct SlurmJob
{
    std::string name; //!< a prefix without spaces and |, then a number; FindLive() searches it
    std::filesystem::path script;   //!< begins with #!
    std::size_t tasks{1};           //!< from 1 to GetLargestArray()
    std::size_t atOnce{0};          //!< largest number of running tasks; 0 is no limit
    std::filesystem::path folder{}; //!< working folder; empty: the current folder
    std::string output{};           //!< output file of a task; %A job, %a task
    std::string partition{};        //!< empty for Slurm's default
    double seconds{0};              //!< time limit, rounded up to minutes; 0 for the partition's
    uint64_t memoryBytes{0};        //!< limit; 0 for the partition's
    std::vector<std::string> options{}; //!< further options of sbatch, such as --account=physics
};

/// A live task of Slurm: waiting, running, suspended, requeued, ...
struct SlurmTask
{
    std::size_t number{0}; //!< number at the end of the job's name
    std::string job;       //!< job number of the array from Submit()
    std::size_t index{0};  //!< SLURM_ARRAY_TASK_ID
    std::string state;     //!< PENDING, RUNNING, COMPLETING, ...
    std::string reason;    //!< why it is not running, or "None"
};

/**
 * The queue of a Slurm cluster, by its commands sbatch, squeue, scancel and scontrol.
 *
 * The controller of a cluster may not answer for minutes (restart, overload). Functions then return
 * nothing, and the caller retries later; a missing answer says nothing about the tasks.
 *
 * Tasks are identified by names, as Slurm may reuse the number of a job that was submitted just
 * before a crash of the controller.
 */
class SlurmQueue
{
  public:
    /// \param limit time limit of one command
    explicit SlurmQueue(std::chrono::milliseconds limit = std::chrono::minutes(2));

    /**
     * \return the job number; nothing when Slurm did not answer. The job may still have been
     * accepted; then FindLive() finds it later.
     * \throws SlurmError when Slurm rejects the job
     */
    std::optional<std::string> Submit(const SlurmJob& job);

    /**
     * Finds this user's tasks that have not ended. It does not list ended tasks, as Slurm forgets
     * most of them after some minutes, and cancelled waiting tasks at once.
     * \param prefix of the job names, which a number completes
     * \return nothing when Slurm did not answer
     * \throws SlurmError when Slurm is missing
     */
    std::optional<std::vector<SlurmTask>> FindLive(const std::string& prefix);

    /**
     * Cancels this user's tasks that have not ended; running tasks end some seconds later.
     * \param prefix see FindLive()
     * \return false when Slurm did not answer
     * \throws SlurmError when Slurm rejects the request
     */
    bool Cancel(const std::string& prefix);

    /**
     * \return largest number of tasks in a job; nothing when Slurm did not answer
     * \throws SlurmError when Slurm is missing
     */
    std::optional<std::size_t> GetLargestArray();

    /// \return output of the last command without an answer; empty when every command got an answer
    const std::string& GetTrouble() const
    {
        return m_trouble;
    }

  private:
    CommandOutcome Run(const std::vector<std::string>& words) const;
    bool IsAnswered(const CommandOutcome& outcome, const std::vector<std::string>& words);

    std::chrono::milliseconds m_limit;
    std::string m_trouble;
};

} // namespace ns3::rails

#endif // SLURM_QUEUE_H
