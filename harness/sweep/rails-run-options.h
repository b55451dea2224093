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
 * \throws ConfigurationError with the path of a key from the top, when it turns out not to work
 */
using ScenarioFunction = std::function<Result(const Experiment&, const ProgressCallback&)>;

/// \return how large the run of an experiment will be, about
using SizeFunction = std::function<RunSize(const Experiment&)>;

/// What runs an experiment, and what tells beforehand how large it is.
struct RunHooks
{
    ScenarioFunction scenario;
    SizeFunction size; //!< possibly none
};

/// How points of a sweep are given to a Slurm cluster.
struct SlurmOptions
{
    bool isUsed{false};               //!< otherwise they run on this machine
    std::string partition;            //!< empty for Slurm's default
    std::vector<std::string> options; //!< more of sbatch's, as --account=physics
    std::size_t atOnce{0};            //!< tasks that may run at the same time; 0: no limit
    double chunkSeconds{600};         //!< how long a task is to take, about
    unsigned pollMilliseconds{2000};  //!< from one look into the queue to the next
};

/// How a descriptor is to be run.
struct RunOptions
{
    std::string folder;    //!< of the result, or of the folders of the points
    unsigned processes{1}; //!< of a sweep, at the same time
    bool force{false};     //!< results that are there already are replaced

    bool dryRun{false};              //!< only tells what would be run
    bool onlyFailed{false};          //!< only what failed before
    bool onlyMissing{false};         //!< whatever has not ended in this very run, nothing else
    bool anyVersion{false};          //!< results of other versions and builds are taken as they are
    bool anyMemory{false};           //!< what takes more memory than there is, about, is begun
    bool skipsWhole{false};          //!< a single run, too, is skipped when its result is whole
    std::vector<std::string> where;  //!< KEY=VALUE that the points must have
    std::vector<std::string> points; //!< their names; empty for all
    bool isAlone{false};             //!< the only point is run in this process, into the folder

    std::vector<std::string> allPoints; //!< names of those that belong into the folder; empty for
                                        //!< all of the descriptor

    // Of a sweep that is run in processes of its own:
    std::vector<std::string> processOptions; //!< which of the following were given, by their names
    ProcessLimits limits;                    //!< of each point
    unsigned retries{1};                     //!< of a point that was lost
    SlurmOptions slurm;
    std::vector<std::string> libraries; //!< of components of one's own, with their whole paths
    PolicyCommands policies;            //!< programs of external policies; no file has them
    std::string command{"rails run"}; //!< repeats the run, but for the choice of points and folder
};

} // namespace ns3::rails

#endif // RAILS_RUN_OPTIONS_H
