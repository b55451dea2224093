// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMMAND_OPTIONS_H
#define RAILS_COMMAND_OPTIONS_H

#include "rails-experts-descriptor.h"

#include "ns3/rails-cost-table.h"
#include "ns3/rails-run-options.h"
#include "ns3/rails-runner.h"
#include "ns3/rails-starter-descriptor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// The parsed command line.
struct CommandArguments
{
    std::string command;
    std::vector<std::string> files;
    std::vector<std::string> sets;
    std::string out;
    RunOptions run;
    std::vector<std::string> policyCommands; //!< NAME=COMMAND
    std::string resumed;
    bool isTrusted{false}; //!< --trust, see ResumedSweep
    std::string cancelled;
    std::vector<std::string> given; //!< names of the sweep options on the command line
    SweepTask task;
    bool print{false};
    std::string name;
    std::string jsonFile;
    std::string csvFile;
    std::string planningFile;
    std::string folder;
    StarterChoice starter;
    std::string starterFile;
    bool replaceFile{false}; //!< --force of goal, trace and new
    std::string shell;
    std::string completion; //!< the script for `shell`
    ExpertsOptions experts;
    CostOptions cost;
    std::string exportFile; //!< output of goal and trace; empty: standard output
    uint64_t goalLimit{10'000'000};
    std::vector<uint32_t> traceIterations; //!< empty: all iterations of the study
};

/**
 * Parses the command line and loads the libraries of components that it names. Prints the help on
 * request, and errors.
 * \param words the arguments of the program, without its name
 * \param[out] arguments the parsed arguments
 * \return the exit status when the program is to end now
 */
std::optional<int> ReadCommandLine(std::vector<std::string> words, CommandArguments& arguments);

} // namespace ns3::rails

#endif // RAILS_COMMAND_OPTIONS_H
