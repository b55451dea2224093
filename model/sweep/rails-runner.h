// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUNNER_H
#define RAILS_RUNNER_H

#include "rails-process-pool.h"

#include "ns3/rails-descriptor.h"
#include "ns3/rails-progress.h"
#include "ns3/rails-result.h"

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

/// \return how many data frames an experiment will send, about
using SizeFunction = std::function<double(const Experiment&)>;

/// What runs an experiment, and what tells beforehand how large it is.
struct RunHooks
{
    ScenarioFunction scenario;
    SizeFunction size; //!< possibly none
};

/// How a descriptor is to be run.
struct RunOptions
{
    std::string folder;    //!< of the result, or of the folders of the points
    unsigned processes{1}; //!< of a sweep, at the same time
    bool force{false};     //!< results that are there already are replaced

    // Of a sweep:
    bool dryRun{false};               //!< only tells what would be run
    bool onlyFailed{false};           //!< only points that failed before
    bool anyVersion{false};           //!< results of other versions are taken as they are
    bool skipsWhole{false};           //!< a single run, too, is skipped when its result is whole
    std::vector<std::string> where;   //!< KEY=VALUE that the points must have
    std::vector<std::string> points;  //!< their names; empty for all
    bool isAlone{false};              //!< the only point is run in this process, into the folder
    ProcessLimits limits;             //!< of each point
    unsigned retries{1};              //!< of a point that was lost
    std::string command{"rails run"}; //!< repeats the run, but for the choice of points and folder
};

/**
 * Runs a descriptor: one experiment in this process, or each point of its sweep in a process of its
 * own. Prints a summary to standard output and what went wrong to standard error.
 * \param descriptor the descriptor
 * \param options how to run it
 * \param hooks what runs an experiment
 * \return the exit status: that of the run, or the highest of the points
 */
int RunDescriptor(const Descriptor& descriptor, const RunOptions& options, const RunHooks& hooks);

} // namespace ns3::rails

#endif // RAILS_RUNNER_H
