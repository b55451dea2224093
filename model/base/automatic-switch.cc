// SPDX-License-Identifier: GPL-2.0-only
#include "automatic-switch.h"

#include <istream>
#include <ostream>
#include <string>

namespace ns3::rails
{

std::ostream&
operator<<(std::ostream& os, const AutomaticSwitch& value)
{
    return os << (value.IsAutomatic() ? AutomaticSwitch::kWord
                  : value.Get(false)  ? "true"
                                      : "false");
}

std::istream&
operator>>(std::istream& is, AutomaticSwitch& value)
{
    std::string word;
    is >> word;
    if (word == AutomaticSwitch::kWord)
    {
        value = AutomaticSwitch();
    }
    else if (word == "true" || word == "false")
    {
        value = AutomaticSwitch(word == "true");
    }
    else
    {
        is.setstate(std::ios::failbit);
    }
    return is;
}

ATTRIBUTE_HELPER_CPP(AutomaticSwitch);

} // namespace ns3::rails
