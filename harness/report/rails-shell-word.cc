// SPDX-License-Identifier: GPL-2.0-only
#include "rails-shell-word.h"

namespace ns3::rails
{

std::string
QuoteForShell(const std::string& text)
{
    const std::string plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                              "_@%+=:,./-";
    if (!text.empty() && text.find_first_not_of(plain) == std::string::npos)
    {
        return text;
    }
    std::string quoted = "'";
    for (const char letter : text)
    {
        quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    }
    return quoted + "'";
}

} // namespace ns3::rails
