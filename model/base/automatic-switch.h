// SPDX-License-Identifier: GPL-2.0-only
#ifndef AUTOMATIC_SWITCH_H
#define AUTOMATIC_SWITCH_H

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"

#include <iosfwd>
#include <optional>

namespace ns3::rails
{

/// True, false, or automatic, which leaves the choice to the program. An ns-3 attribute.
class AutomaticSwitch
{
  public:
    /// The automatic value in a descriptor.
    static constexpr const char* kWord = "automatic";

    /// Makes an automatic switch.
    constexpr AutomaticSwitch() = default;

    constexpr explicit AutomaticSwitch(bool isOn)
        : m_isOn(isOn)
    {
    }

    constexpr bool IsAutomatic() const
    {
        return !m_isOn.has_value();
    }

    /// \return true or false; `automatic` for an automatic switch
    constexpr bool Get(bool automatic) const
    {
        return m_isOn.value_or(automatic);
    }

    constexpr bool operator==(const AutomaticSwitch& other) const
    {
        return m_isOn == other.m_isOn;
    }

  private:
    std::optional<bool> m_isOn; // empty: automatic
};

std::ostream& operator<<(std::ostream& os, const AutomaticSwitch& value);
std::istream& operator>>(std::istream& is, AutomaticSwitch& value);

ATTRIBUTE_HELPER_HEADER(AutomaticSwitch);

} // namespace ns3::rails

#endif // AUTOMATIC_SWITCH_H
