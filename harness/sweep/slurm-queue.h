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

/// Something that Slurm refuses, or Slurm is not there; what() has its words, the command and what
/// helps.
class SlurmError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// What is asked of Slurm: an array of tasks that run the same script. A task knows which one it is
/// by the environment variable SLURM_ARRAY_TASK_ID, which counts from 0.
struct SlurmJob
{
    std::string name;                   //!< by it the tasks are found; without spaces and |
    std::filesystem::path script;       //!< begins with #!
    std::size_t tasks{1};               //!< from 1 to GetLargestArray()
    std::size_t atOnce{0};              //!< how many may run at the same time; 0 is no limit
    std::filesystem::path folder{};     //!< where the script runs; empty for the current folder
    std::string output{};               //!< file of what a task writes; %A job, %a task
    std::string partition{};            //!< empty for Slurm's default
    double seconds{0};                  //!< limit, rounded up to minutes; 0 for the partition's
    uint64_t memoryBytes{0};            //!< limit; 0 for the partition's
    std::vector<std::string> options{}; //!< more of sbatch's, as --account=physics
};

/// A task that Slurm has not ended: it waits, runs, is suspended, is about to run again, ...
struct SlurmTask
{
    std::string name;     //!< of the job
    std::string job;      //!< the number of the array, as Submit() returned it
    std::size_t index{0}; //!< SLURM_ARRAY_TASK_ID
    std::string state;    //!< PENDING, RUNNING, COMPLETING, ... as Slurm calls them
    std::string reason;   //!< why it is not running, "None" when there is nothing to say
};

/**
 * The queue of a Slurm cluster, by its commands sbatch, squeue, scancel and scontrol.
 *
 * The controller of a cluster may be away for minutes (restart, overload). Functions then return
 * nothing, and are to be called again later: no answer says nothing about the tasks.
 *
 * Names are what tasks are known by: the number of a job that was submitted a moment before the
 * controller crashed may be given to another one.
 */
class SlurmQueue
{
  public:
    /// \param limit how long one command may take
    explicit SlurmQueue(std::chrono::milliseconds limit = std::chrono::minutes(2));

    /**
     * \return the number of the job; nothing when Slurm did not answer: the job may have been taken
     *         nevertheless, which FindLive() tells once it is known
     * \throws SlurmError when Slurm does not take it
     */
    std::optional<std::string> Submit(const SlurmJob& job);

    /**
     * Finds the tasks of this user that have not ended. Tasks that have ended are not listed: Slurm
     * forgets most of them after some minutes, and tasks that were cancelled while they waited at
     * once.
     * \param name what the names of their jobs begin with
     * \return nothing when Slurm did not answer
     * \throws SlurmError when Slurm is not there
     */
    std::optional<std::vector<SlurmTask>> FindLive(const std::string& name);

    /**
     * Cancels the tasks of this user that have not ended; running ones end some seconds later.
     * \param name what the names of their jobs begin with
     * \return false when Slurm did not answer
     * \throws SlurmError when Slurm refuses
     */
    bool Cancel(const std::string& name);

    /**
     * \return how many tasks a job may have; nothing when Slurm did not answer
     * \throws SlurmError when Slurm is not there
     */
    std::optional<std::size_t> GetLargestArray();

    /// \return what the last command without an answer said; empty when every command got one
    const std::string& GetTrouble() const;

  private:
    CommandOutcome Run(const std::vector<std::string>& words) const;
    bool IsAnswered(const CommandOutcome& outcome, const std::vector<std::string>& words);

    std::chrono::milliseconds m_limit;
    std::string m_trouble;
};

} // namespace ns3::rails

#endif // SLURM_QUEUE_H
