// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_SHELL_WORD_H
#define RAILS_SHELL_WORD_H

#include <string>

namespace ns3::rails
{

/// \return a text as one word of a shell's command
std::string QuoteForShell(const std::string& text);

} // namespace ns3::rails

#endif // RAILS_SHELL_WORD_H
