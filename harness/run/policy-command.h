// SPDX-License-Identifier: GPL-2.0-only
#ifndef POLICY_COMMAND_H
#define POLICY_COMMAND_H

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A command that cannot be read; what() says why and what to do.
class PolicyCommandError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// Programs of external policies of experts: words of their commands, by the name of the policy.
using PolicyCommands = std::map<std::string, std::vector<std::string>>;

/**
 * Splits a command as a shell would: by blanks outside of quotes and behind no backslash. Nothing
 * is expanded, and nothing has a meaning to a shell. \throws PolicyCommandError when a quote stays
 * open, or there is no word
 */
std::vector<std::string> SplitCommand(const std::string& command);

/**
 * Adds a command.
 * \param text NAME=COMMAND
 * \throws PolicyCommandError when it is none, or the name is there already
 */
void AddPolicyCommand(const std::string& text, PolicyCommands& commands);

/// \return SHA-256 of the words of a command and the content of those that are files
std::string HashPolicyCommand(const std::vector<std::string>& words);

} // namespace ns3::rails

#endif // POLICY_COMMAND_H
