// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMMAND_H
#define RAILS_COMMAND_H

#include <chrono>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What a program did that was run to its end.
struct CommandOutcome
{
    int status{0};      //!< its exit status, or 128 and the number of the signal that ended it
    bool isLate{false}; //!< it was ended because its time was over
    std::string output; //!< what it wrote to standard output
    std::string errors; //!< what it wrote to standard error

    /// \return true when it ended by itself, and well
    bool IsGood() const;
};

/**
 * Runs a program and waits for its end. No shell has a part in it, and an interrupt at the terminal
 * does not reach the program.
 * \param words the program, which is looked for in PATH, and its arguments
 * \param limit how long it may take; then it is killed, with all that it started
 * \param hidden beginnings of the names of environment variables that the program is not to see
 * \throws std::system_error when there is no such program, or no further process
 */
CommandOutcome RunCommand(const std::vector<std::string>& words,
                          std::chrono::milliseconds limit,
                          const std::vector<std::string>& hidden = {});

/// \return the words as a shell takes them
std::string QuoteCommand(const std::vector<std::string>& words);

} // namespace ns3::rails

#endif // RAILS_COMMAND_H
