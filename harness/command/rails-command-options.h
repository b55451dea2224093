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

/// What was given on the command line.
struct CommandArguments
{
    std::string command;
    std::vector<std::string> files;
    std::vector<std::string> sets;
    std::string out;
    RunOptions run;
    std::vector<std::string> policyCommands; //!< NAME=COMMAND
    std::string resumed;
    std::string cancelled;
    std::vector<std::string> given; //!< options of a sweep that were
    SweepTask task;
    bool print{false};
    std::string name;
    std::string jsonFile;
    std::string csvFile;
    std::string folder;
    StarterChoice starter;
    std::string starterFile;
    bool replaceStarter{false};
    std::string shell;
    std::string completion; //!< the script for that shell
    ExpertsQuestion experts;
    CostQuestion cost;
    std::string exportFile; //!< of goal and trace; empty: standard output
    uint64_t goalLimit{10'000'000};
    std::vector<uint32_t> traceIterations; //!< empty: all of the study
};

/**
 * Reads the command line, and loads the libraries of components that it names. Help that is asked
 * for is printed, and so is what is wrong.
 * \param words the arguments of the program
 * \param[out] arguments what they say
 * \return the exit status, where nothing else is to be done
 */
std::optional<int> ReadCommandLine(std::vector<std::string> words, CommandArguments& arguments);

} // namespace ns3::rails

#endif // RAILS_COMMAND_OPTIONS_H
