// SPDX-License-Identifier: GPL-2.0-only
#ifndef SLURM_SWEEP_H
#define SLURM_SWEEP_H

#include "rails-process-pool.h"
#include "rails-run-options.h"
#include "rails-sweep-plan.h"
#include "rails-sweep-progress.h"
#include "slurm-queue.h"

#include "ns3/rails-descriptor.h"
#include "ns3/rails-sweep-folder.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Runs points of a sweep on a Slurm cluster: job arrays over the missing points, with several
 * points in a task. The tasks write the folders of the points, and this process collects them. Lost
 * tasks (node failure, time limit, preemption, a cancelled job) are submitted again. The collecting
 * process can stop and restart at any time, and several can collect the same sweep, as its whole
 * state is in the sweep's folder and in the queue.
 */
class SlurmSweep
{
  public:
    /**
     * All parameters must outlive the object.
     * \param folder existing folder of the results
     * \param plan the points to run
     */
    SlurmSweep(const Descriptor& descriptor,
               const RunOptions& options,
               const SweepFolder& folder,
               const SweepPlan& plan);

    /**
     * \return the highest status of the points; RunStatus::NotFinished after a Cancel(); 128 plus
     * the signal's number after an interrupt of this process (the tasks continue)
     *
     * \throws SlurmError when Slurm is missing or rejects a job
     */
    int Run();

    /**
     * Cancels all tasks of a sweep; its collecting processes then end.
     * \throws SlurmError when Slurm rejects this or does not answer
     * \throws OutputError when the folder of the sweep cannot be written
     */
    static void Cancel(const SweepFolder& folder);

    /**
     * \return the names of a task's points
     * \throws OutputError when there is no such task
     */
    static std::vector<std::string> ReadTask(const SweepFolder& folder,
                                             std::size_t round,
                                             std::size_t task);

  private:
    using Clock = std::chrono::steady_clock;
    /// A task: the number of its job array among those of the sweep, and its index in the array.
    using Task = std::pair<std::size_t, std::size_t>;

    int RunToEnd();
    void FindRounds();
    bool IsCancelled() const;
    void Examine();
    void Collect();
    void FindTasks(const std::vector<SlurmTask>& live);
    std::vector<std::size_t> FindLost();
    void Submit(const std::vector<std::size_t>& points);
    std::vector<std::vector<std::size_t>> MakeChunks(const std::vector<std::size_t>& points,
                                                     std::size_t most) const;
    bool WriteRound(const std::vector<std::vector<std::size_t>>& chunks) const;
    std::string MakeScript() const;
    SlurmJob MakeJob(std::size_t tasks) const;
    void GiveUp(const std::vector<std::size_t>& points);
    void ReportFailure(const PlannedPoint& planned, const std::string& reason);
    void ReportTrouble();
    void ReportWaiting(const std::vector<SlurmTask>& live);
    std::string DescribeReturn() const;
    void ForgetPlaces() const;
    int Conclude();
    SweepStatus GetStatus() const;

    const Descriptor& m_descriptor;
    const RunOptions& m_options;
    const SweepFolder& m_folder;
    const SweepPlan& m_plan;
    std::string m_program; //!< path at the start, as the program may be rebuilt meanwhile
    SlurmQueue m_queue;
    SweepProgress m_progress;
    std::size_t m_cancels;                     //!< number of earlier cancellations of the sweep
    std::size_t m_rounds{0};                   //!< job arrays submitted so far
    std::set<std::size_t> m_missing;           //!< indices in the plan
    std::map<std::size_t, int> m_ended;        //!< status by index in the plan
    std::map<std::string, Task> m_tasks;       //!< the latest task of each point, by name
    std::map<std::string, Task> m_formerTasks; //!< tasks of earlier runs of the sweep, by point
    std::set<Task> m_alive;                    //!< tasks in the queue at the last query
    std::set<Task> m_running;                  //!< tasks of m_alive that were running
    std::set<std::size_t> m_unanswered;        //!< job arrays that no query has shown yet
    std::set<Task> m_fruitful;                 //!< tasks with at least one ended point
    std::map<std::size_t, unsigned> m_unseen;  //!< number of queries without the point's task
    std::map<std::size_t, unsigned> m_losses;  //!< a point's lost tasks since the last fruitful one
    bool m_isAway{false};                      //!< Slurm did not answer, and the user knows
    std::size_t m_endedAtLook{0};              //!< number of ended points at the last query
    std::optional<Clock::time_point> m_idleSince; //!< since when tasks wait and none runs
    std::set<std::string> m_reasons;              //!< reasons to wait printed since a task last ran
    Clock::time_point m_begin{Clock::now()};
};

} // namespace ns3::rails

#endif // SLURM_SWEEP_H
