// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_OPTIONS_H
#define RAILS_RUN_OPTIONS_H

#include "rails-process-pool.h"

#include "ns3/policy-command.h"
#include "ns3/rails-experiment.h"
#include "ns3/rails-progress.h"
#include "ns3/rails-result.h"
#include "ns3/rails-run-size.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Runs one experiment in this process.
 * \throws ConfigurationError with the path of a key from the top, for errors found during the run
 */
using ExperimentFunction = std::function<Result(const Experiment&, const ProgressCallback&)>;

/// \return the estimated size of an experiment's run
using SizeFunction = std::function<RunSize(const Experiment&)>;

/// Functions that run an experiment and estimate its size.
struct RunHooks
{
    ExperimentFunction simulate;
    SizeFunction size; //!< possibly none
};

/// Options of a sweep on a Slurm cluster.
struct SlurmOptions
{
    bool isUsed{false};               //!< false: the points run on this machine
    std::string partition;            //!< empty for Slurm's default
    std::vector<std::string> options; //!< further options of sbatch, such as --account=physics
    std::size_t atOnce{0};            //!< largest number of running tasks; 0: no limit
    double chunkSeconds{600};         //!< target duration of a task
    unsigned pollMilliseconds{2000};  //!< interval between queries of the queue
};

/// Options of `./rails run` and `sweep`.
struct RunOptions
{
    std::string folder;    //!< of the result, or of the folders of the points
    unsigned processes{1}; //!< of a sweep, running at the same time
    bool force{false};     //!< replace existing results

    bool dryRun{false};              //!< only print the plan
    bool onlyFailed{false};          //!< run only points that failed before
    bool onlyMissing{false};         //!< run only points without an end in this very run
    bool anyVersion{false};          //!< keep results of other versions and builds
    bool anyMemory{false};           //!< ignore the estimate of memory
    bool skipsWhole{false};          //!< also skip a single run when its result is whole
    std::vector<std::string> where;  //!< KEY=VALUE, see PointFilter
    std::vector<std::string> points; //!< names of points; empty for all
    bool isAlone{false};             //!< run the only point in this process, into the folder itself

    std::vector<std::string> allPoints; //!< all points of the folder; empty: of the descriptor

    // Of a sweep that runs in child processes:
    std::vector<std::string> processOptions; //!< names of the following options that were given
    ProcessLimits limits;                    //!< of each point
    unsigned retries{1};                     //!< of a point whose process was lost
    SlurmOptions slurm;
    std::vector<std::string> libraries; //!< of user-defined components, absolute paths
    PolicyCommands policies;            //!< programs of external policies; never read from a file
    std::string command{"rails run"};   //!< repeats the run, without points and folder
};

} // namespace ns3::rails

#endif // RAILS_RUN_OPTIONS_H
