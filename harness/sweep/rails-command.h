// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_COMMAND_H
#define RAILS_COMMAND_H

#include <chrono>
#include <string>
#include <vector>

namespace ns3::rails
{

/// The outcome of a program.
struct CommandOutcome
{
    int status{0};      //!< exit status, or 128 plus the number of the signal that ended it
    bool isLate{false}; //!< it was killed by the time limit
    std::string output; //!< its standard output
    std::string errors; //!< its standard error

    /// \return true when it ended by itself with status 0
    bool IsGood() const;
};

/**
 * Runs a program without a shell and waits for its end. An interrupt at the terminal does not reach
 * the program.
 * \param words the program, found by PATH, and its arguments
 * \param limit time limit, after which its process group is killed
 * \param hidden prefixes of environment variables to hide from the program
 * \throws std::system_error when the program does not exist, or the system has no further process
 */
CommandOutcome RunCommand(const std::vector<std::string>& words,
                          std::chrono::milliseconds limit,
                          const std::vector<std::string>& hidden = {});

/// \return the words, quoted for a shell
std::string QuoteCommand(const std::vector<std::string>& words);

} // namespace ns3::rails

#endif // RAILS_COMMAND_H
