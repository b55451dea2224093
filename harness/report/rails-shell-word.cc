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

std::string
QuotePath(const std::string& path)
{
    const std::string home = "~/";
    return path.substr(0, home.size()) == home ? home + QuoteForShell(path.substr(home.size()))
                                               : QuoteForShell(path);
}

} // namespace ns3::rails
