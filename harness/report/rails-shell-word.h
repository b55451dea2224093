// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SHELL_WORD_H
#define RAILS_SHELL_WORD_H

#include <string>

namespace ns3::rails
{

/// \return a text, quoted as one word of a shell command
std::string QuoteForShell(const std::string& text);

/// \return a path, quoted as one word, in which the shell still expands a leading ~
std::string QuotePath(const std::string& path);

} // namespace ns3::rails

#endif // RAILS_SHELL_WORD_H
