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
 * What the values of some keys are, by the type of their attributes: how a descriptor gives them
 * and what is said of them. A further kind is a class in rails-value-kind.cc and a line of the
 * table at its end. None of them uses ns-3's own parsers: they abort the process, or accept `5` as
 * 5 s.
 */
class ValueKind
{
  public:
    using Attribute = TypeId::AttributeInformation;

    /// What a value is made of.
    enum class Shape
    {
        Value,         //!< what a ValueKind can read
        Component,     //!< a component: PointerValue
        ComponentList, //!< components: ComponentListValue
        Unknown        //!< nothing that a descriptor can give
    };

    virtual ~ValueKind() = default;

    virtual Shape GetShape() const;

    /// \return true when the value is the path of a file
    virtual bool NamesFile() const;

    /// \return dimension or type with its units: "time (ps, ns, us, ms, s)", "count", "word"
    virtual std::string GetName(const Attribute& attribute) const = 0;

    /// \return what a key expects, for messages: "a time with its unit (ps, ns, us, ms, s)"
    virtual std::string DescribeExpected(const Attribute& attribute) const = 0;

    /**
     * \return what an attribute allows, as a descriptor spells it: "1 to 64", "at least 1B, or
     * whole", "lowest, rotated"; empty when everything of its type is allowed
     */
    virtual std::string DescribeRange(const Attribute& attribute) const;

    /// \return name and range: "count; 1 to 64", "word: lowest, rotated"
    virtual std::string DescribeAllowed(const Attribute& attribute) const;

    /// \return the words that an attribute can be, by alphabet; possibly none, or among other
    /// values
    virtual std::vector<std::string> GetWords(const Attribute& attribute) const;

    /// \return a schema of what a descriptor can say
    virtual nlohmann::ordered_json MakeSchema(const Attribute& attribute) const;

    /**
     * \param attribute one of this kind, which is a Shape::Value
     * \param node what a descriptor says
     * \param folder folder that paths are relative to
     * \return the value
     * \throws DescriptorError when it is not of the attribute's dimension or out of its range
     */
    Ptr<AttributeValue> Read(const Attribute& attribute,
                             const YamlNode& node,
                             const std::string& folder) const;

    /**
     * \param attribute one of this kind, which is a Shape::Value
     * \param value its value
     * \return what a descriptor would say, with units
     */
    virtual nlohmann::ordered_json Encode(const Attribute& attribute,
                                          const AttributeValue& value) const;

    /// \return what Encode() returned, as YAML on one line
    virtual std::string Format(const nlohmann::ordered_json& value) const;

  private:
    /// Read() before the range is looked at. \throws QuantityError, which has no place
    virtual Ptr<AttributeValue> Decode(const Attribute& attribute,
                                       const YamlNode& node,
                                       const std::string& folder) const;
};

/// \return what the value of an attribute is
const ValueKind& GetValueKind(const TypeId::AttributeInformation& attribute);

} // namespace ns3::rails

#endif // RAILS_VALUE_KIND_H
