// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_VALUE_CODEC_H
#define RAILS_VALUE_CODEC_H

#include "rails-value-kind.h"
#include "rails-yaml-tree.h"

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::rails
{

/**
 * Makes an attribute's value from what a descriptor says, without ns-3's own parsers: they abort
 * the process, or accept `5` as 5 s.
 * \param attribute any but a component
 * \param node what the descriptor says
 * \param folder folder that paths are relative to
 * \throws DescriptorError when the text is not of the attribute's dimension or out of its range
 */
Ptr<AttributeValue> DecodeValue(const TypeId::AttributeInformation& attribute,
                                const YamlNode& node,
                                const std::string& folder);

/**
 * \param attribute any but a component
 * \param value its value
 * \return what a descriptor would say, with units
 */
nlohmann::ordered_json EncodeValue(const TypeId::AttributeInformation& attribute,
                                   const AttributeValue& value);

/// \return what a key expects, for messages: "a time with its unit (ps, ns, us, ms, s)"
std::string DescribeExpected(const TypeId::AttributeInformation& attribute);

/// \return the dimension or type with its units: "time (ps, ns, us, ms, s)", "count", "word"
std::string DescribeKind(const TypeId::AttributeInformation& attribute);

} // namespace ns3::rails

#endif // RAILS_VALUE_CODEC_H
