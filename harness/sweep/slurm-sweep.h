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
 * Runs points of a sweep on a Slurm cluster: job arrays over the points that are missing, several
 * points to a task. The tasks write the folders of the points; this process collects. Tasks that
 * are lost (a node that fails, a time limit, preemption, a cancelled job) are submitted again. It
 * can be ended and started again at any time, and several may collect the same sweep: all that a
 * collecting process has to know is in the sweep's folder and in the queue.
 */
class SlurmSweep
{
  public:
    /**
     * \param descriptor the descriptor
     * \param options how to run it
     * \param folder where the results go; it exists
     * \param plan which points are run
     * All of them must outlive the object.
     */
    SlurmSweep(const Descriptor& descriptor,
               const RunOptions& options,
               const SweepFolder& folder,
               const SweepPlan& plan);

    /**
     * \return the highest status of the points; that of a run that did not finish when Cancel() was
     * called meanwhile; 128 and the signal's number when this process was asked to end (the tasks
     * go on)
     *
     * \throws SlurmError when Slurm is not there or does not take a job
     */
    int Run();

    /**
     * Cancels all tasks of a sweep; processes that collect it come to their end.
     * \throws SlurmError when Slurm refuses or does not answer
     * \throws OutputError when the folder of the sweep cannot be written
     */
    static void Cancel(const SweepFolder& folder);

    /**
     * \return the names of the points of a task
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
    void Look();
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
    void TellFailure(const PlannedPoint& planned, const std::string& reason);
    void TellTrouble();
    void TellWaiting(const std::vector<SlurmTask>& live);
    std::string DescribeReturn() const;
    int Conclude();
    SweepStatus GetStatus() const;

    const Descriptor& m_descriptor;
    const RunOptions& m_options;
    const SweepFolder& m_folder;
    const SweepPlan& m_plan;
    std::string m_program; //!< as it was started: it may be built again meanwhile
    SlurmQueue m_queue;
    SweepProgress m_progress;
    std::size_t m_cancels;                     //!< how often the sweep was cancelled before
    std::size_t m_rounds{0};                   //!< job arrays submitted so far
    std::set<std::size_t> m_missing;           //!< places in the plan
    std::map<std::size_t, int> m_ended;        //!< status by place in the plan
    std::map<std::string, Task> m_tasks;       //!< the latest task of each point, by name
    std::map<std::string, Task> m_formerTasks; //!< tasks of earlier runs of the sweep, by point
    std::set<Task> m_alive;                    //!< in the queue at the last look
    std::set<Task> m_running;                  //!< those of m_alive that were running
    std::set<std::size_t> m_unanswered;        //!< job arrays of which Slurm has shown no sign
    std::set<Task> m_fruitful;                 //!< tasks that have brought a point to its end
    std::map<std::size_t, unsigned> m_unseen;  //!< how often a point's task was not in the queue
    std::map<std::size_t, unsigned> m_losses;  //!< a point's lost tasks since the last fruitful one
    bool m_isAway{false};                      //!< Slurm did not answer, which was told
    std::size_t m_endedAtLook{0};              //!< how many points had ended at the last look
    std::optional<Clock::time_point> m_idleSince; //!< when tasks began to wait with none running
    std::set<std::string> m_reasons;              //!< why tasks wait: told since something ran
    Clock::time_point m_begin{Clock::now()};
};

} // namespace ns3::rails

#endif // SLURM_SWEEP_H
