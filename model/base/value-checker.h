// SPDX-License-Identifier: GPL-2.0-only
#ifndef VALUE_CHECKER_H
#define VALUE_CHECKER_H

#include "ns3/attribute.h"

#include <string>

namespace ns3::rails
{

/**
 * Base of all checkers of one type of attribute values: everything but Check() and the description
 * of the limits.
 * \tparam Value the type of attribute values
 */
template <typename Value>
class ValueChecker : public AttributeChecker
{
  public:
    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<Value>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto* from = dynamic_cast<const Value*>(&source);
        auto* to = dynamic_cast<Value*>(&destination);
        if (!from || !to)
        {
            return false;
        }
        *to = *from;
        return true;
    }
};

} // namespace ns3::rails

#endif // VALUE_CHECKER_H
