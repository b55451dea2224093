// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMMAND_LINE_H
#define RAILS_COMMAND_LINE_H

#include "ns3/rails-descriptor.h"
#include "ns3/rails-runner.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <vector>

namespace ns3::rails
{

/// The functions that RunCommandLine() calls for the model.
struct CommandHooks
{
    ExperimentCheck check; //!< further checks of a descriptor, possibly none
    RunHooks run;          //!< run and measure one experiment
    /// Writes the graph of an experiment in the GOAL format; takes the largest number of
    /// operations.
    std::function<void(const Experiment&, uint64_t, std::ostream&)> exportGoal;
    /// Writes the token counts of some iterations of a study.
    std::function<void(const Experiment&, const std::vector<uint32_t>&, std::ostream&)> exportTrace;
};

/**
 * Runs the command line of the program behind the launcher, which has some of the commands in
 * GetListedCommands(). Sets the time resolution, so no simulation may come before it.
 *
 * \return the exit status: 0 done, 2 bad descriptor, key, option or file, 3 the run could not
 * finish, 4 an invariant broke
 */
int RunCommandLine(int argc, char** argv, const CommandHooks& hooks);

} // namespace ns3::rails

#endif // RAILS_COMMAND_LINE_H
