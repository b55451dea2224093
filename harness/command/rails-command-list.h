// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMMAND_LIST_H
#define RAILS_COMMAND_LIST_H

#include <string>
#include <vector>

namespace ns3::rails
{

/// A way to call a command of `./rails`.
struct ListedCommand
{
    /// Something behind the command.
    struct Argument
    {
        std::string option; //!< "--set", "-j"; empty for a word by its place
        std::string value;  //!< "FILE", "KEY=VALUE"; empty for an option that has none
        bool isRepeated{false};
    };

    std::string name;
    std::vector<Argument> arguments;
    bool isWhole{true}; //!< false when there are more arguments than are listed
    std::string meaning;
};

/**
 * \return the commands of `./rails`, those of the launcher as well as the program's, in the order
 * in which its help shows them; a command that is called in two ways stands there twice
 */
const std::vector<ListedCommand>& GetListedCommands();

/// \return what the help says of a command, up to the first semicolon
std::string DescribeListedCommand(const std::string& name);

} // namespace ns3::rails

#endif // RAILS_COMMAND_LIST_H
