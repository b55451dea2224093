// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMMAND_LIST_H
#define RAILS_COMMAND_LIST_H

#include <string>
#include <vector>

namespace ns3::rails
{

/// One usage line of a command of `./rails`.
struct ListedCommand
{
    /// An option or a positional argument.
    struct Argument
    {
        std::string option; //!< "--set", "-j"; empty for a positional argument
        std::string value;  //!< "FILE", "KEY=VALUE"; empty for a flag
        bool isRepeated{false};
    };

    std::string name;
    std::vector<Argument> arguments;
    bool isWhole{true}; //!< false when the command takes further arguments
    std::string meaning;
};

/**
 * \return the commands of the launcher and of the program, in the order of the help; a command with
 * two usages has two entries
 */
const std::vector<ListedCommand>& GetListedCommands();

/// \return the help text of a command up to the first semicolon
std::string DescribeListedCommand(const std::string& name);

} // namespace ns3::rails

#endif // RAILS_COMMAND_LIST_H
