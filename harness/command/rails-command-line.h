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

/// What the command line hands over to.
struct CommandHooks
{
    ExperimentCheck check; //!< further checks of a descriptor, possibly none
    RunHooks run;          //!< what runs one experiment
    /// What writes the graph of an experiment in the GOAL format: with at most so many operations.
    std::function<void(const Experiment&, uint64_t, std::ostream&)> exportGoal;
    /// What writes the token counts of a study, of some iterations.
    std::function<void(const Experiment&, const std::vector<uint32_t>&, std::ostream&)> exportTrace;
};

/**
 * The program behind the launcher: its own of the commands in GetListedCommands(). Sets the time
 * resolution, so it must come before anything is simulated.
 *
 * \return the exit status: 0 done, 2 bad descriptor, key, option or file, 3 the run could not
 * finish, 4 an invariant broke
 */
int RunCommandLine(int argc, char** argv, const CommandHooks& hooks);

} // namespace ns3::rails

#endif // RAILS_COMMAND_LINE_H
