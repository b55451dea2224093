// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUNNER_H
#define RAILS_RUNNER_H

#include "rails-descriptor.h"
#include "rails-progress.h"
#include "rails-result.h"

#include <functional>
#include <string>

namespace ns3::rails
{

/**
 * Runs one experiment in this process.
 * \throws ConfigurationError with the path of a key from the top, when it turns out not to work
 */
using ScenarioFunction = std::function<Result(const Experiment&, const ProgressCallback&)>;

/// How a descriptor is to be run.
struct RunOptions
{
    std::string folder;    //!< of the result, or of the folders of the points
    unsigned processes{1}; //!< of a sweep, at the same time
    bool force{false};     //!< results that are there already are replaced
};

/**
 * Runs a descriptor: one experiment in this process, or each point of its sweep in a process of its
 * own. Prints a summary to standard output and what went wrong to standard error.
 * \param descriptor the descriptor
 * \param options how to run it
 * \param scenario what runs an experiment
 * \return the exit status: that of the run, or the highest of the points
 */
int RunDescriptor(const Descriptor& descriptor,
                  const RunOptions& options,
                  const ScenarioFunction& scenario);

} // namespace ns3::rails

#endif // RAILS_RUNNER_H
