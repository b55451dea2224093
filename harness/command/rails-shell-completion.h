// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SHELL_COMPLETION_H
#define RAILS_SHELL_COMPLETION_H

#include <string>

namespace CLI
{
class App;
} // namespace CLI

namespace ns3::rails
{

/**
 * \return a script for the shell that completes the launcher's commands, options, files, names of
 * components, keys and their values
 * \param app the commands of the program; those of the launcher come from GetListedCommands()
 * \param shell "bash" or "zsh"
 * \throws std::invalid_argument for another shell
 */
std::string MakeShellCompletion(const CLI::App& app, const std::string& shell);

} // namespace ns3::rails

#endif // RAILS_SHELL_COMPLETION_H
