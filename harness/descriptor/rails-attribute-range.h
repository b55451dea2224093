// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_ATTRIBUTE_RANGE_H
#define RAILS_ATTRIBUTE_RANGE_H

#include "ns3/type-id.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * What an attribute allows, as a descriptor spells it: "1 to 64", "at least 1B, or whole",
 * "lowest, rotated". ns-3's checkers do not tell their bounds, and their own text of them is
 * rounded, so the bounds are found by asking.
 * \return the range; empty when everything of the attribute's type is allowed
 */
std::string DescribeRange(const TypeId::AttributeInformation& attribute);

/// Limits of an attribute's values.
struct AttributeBounds
{
    nlohmann::json least; //!< smallest value in base units (ps, bit/s, B); null without a limit
    nlohmann::json most;  //!< largest value; null without a limit
};

/// \return the limits of an attribute with numbers, found by asking; none for other attributes
AttributeBounds FindBounds(const TypeId::AttributeInformation& attribute);

/// \return the word that stands for the special value of an attribute of bytes or time, possibly
/// empty
std::string GetSpecialWord(const TypeId::AttributeInformation& attribute);

/// \return the names that the EnumValue of an attribute can have, by alphabet
std::vector<std::string> GetEnumWords(const TypeId::AttributeInformation& attribute);

} // namespace ns3::rails

#endif // RAILS_ATTRIBUTE_RANGE_H
