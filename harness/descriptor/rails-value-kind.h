// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_VALUE_KIND_H
#define RAILS_VALUE_KIND_H

#include "rails-yaml-tree.h"

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * How a descriptor writes the values of attributes of one type: parsing, formatting and help. To
 * add a kind, add a class in rails-value-kind.cc and a line of the table at its end. No kind uses
 * ns-3's parsers, as they abort the process, or accept `5` as 5 s.
 */
class ValueKind
{
  public:
    using Attribute = TypeId::AttributeInformation;

    /// The structure of a value.
    enum class Shape
    {
        Value,         //!< a scalar or list that Read() parses
        Component,     //!< a component: PointerValue
        ComponentList, //!< components: ComponentListValue
        Unknown        //!< not available in descriptors
    };

    virtual ~ValueKind() = default;

    virtual Shape GetShape() const;

    /// \return true when the value is the path of a file
    virtual bool NamesFile() const;

    /// \return dimension or type with its units: "time (ps, ns, us, ms, s)", "count", "word"
    virtual std::string GetName(const Attribute& attribute) const = 0;

    /// \return the expected value, for messages: "a time with its unit (ps, ns, us, ms, s)"
    virtual std::string DescribeExpected(const Attribute& attribute) const = 0;

    /**
     * \return the allowed values in a descriptor's notation: "1 to 64", "at least 1B, or whole",
     * "lowest, rotated"; empty without limits
     */
    virtual std::string DescribeRange(const Attribute& attribute) const;

    /// \return name and range: "count; 1 to 64", "word: lowest, rotated"
    virtual std::string DescribeAllowed(const Attribute& attribute) const;

    /// \return the words that are allowed values, sorted; possibly none, or beside other values
    virtual std::vector<std::string> GetWords(const Attribute& attribute) const;

    /// \return a JSON schema of the values in a descriptor
    virtual nlohmann::ordered_json MakeSchema(const Attribute& attribute) const;

    /**
     * \param attribute of this kind, a Shape::Value
     * \param node the value in the descriptor
     * \param folder base of relative paths
     * \throws DescriptorError when it is not of the attribute's dimension or out of its range
     */
    Ptr<AttributeValue> Read(const Attribute& attribute,
                             const YamlNode& node,
                             const std::string& folder) const;

    /**
     * \param attribute of this kind, a Shape::Value
     * \param value of the attribute
     * \return the value in a descriptor's notation, with units
     */
    virtual nlohmann::ordered_json Encode(const Attribute& attribute,
                                          const AttributeValue& value) const;

    /// \return a result of Encode() as YAML on one line
    virtual std::string Format(const nlohmann::ordered_json& value) const;

  private:
    /// Read() without the check of the range. \throws QuantityError, which has no place
    virtual Ptr<AttributeValue> Decode(const Attribute& attribute,
                                       const YamlNode& node,
                                       const std::string& folder) const;
};

/// \return the kind of an attribute's values
const ValueKind& GetValueKind(const TypeId::AttributeInformation& attribute);

} // namespace ns3::rails

#endif // RAILS_VALUE_KIND_H
