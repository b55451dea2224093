// SPDX-License-Identifier: GPL-2.0-only
#ifndef POLICY_COMMAND_H
#define POLICY_COMMAND_H

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

/// An invalid command; what() has the reason and the fix.
class PolicyCommandError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// Commands of external expert placement policies as words, by the name of the policy.
using PolicyCommands = std::map<std::string, std::vector<std::string>>;

/**
 * Splits a command as a shell would, by blanks outside of quotes and not after a backslash, but
 * without any expansion.
 * \throws PolicyCommandError for an open quote or an empty command
 */
std::vector<std::string> SplitCommand(const std::string& command);

/**
 * Adds a command.
 * \param text NAME=COMMAND
 * \throws PolicyCommandError for another form or a duplicate name
 */
void AddPolicyCommand(const std::string& text, PolicyCommands& commands);

/// \return SHA-256 of the words of a command, with the content of words that are files
std::string HashPolicyCommand(const std::vector<std::string>& words);

} // namespace ns3::rails

#endif // POLICY_COMMAND_H
