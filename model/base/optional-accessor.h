// SPDX-License-Identifier: GPL-2.0-only
#ifndef OPTIONAL_ACCESSOR_H
#define OPTIONAL_ACCESSOR_H

#include "ns3/attribute-accessor-helper.h"

#include <optional>

namespace ns3::rails
{

/**
 * Accessor of an optional attribute: its initial value is an EmptyAttributeValue, and reading it
 * fails until it is set.
 * \tparam Value type of the attribute value
 * \param member holds the value
 */
template <typename Value, typename T, typename U>
Ptr<const AttributeAccessor>
MakeOptionalAccessor(std::optional<U> T::*member)
{
    class OptionalAccessor : public AccessorHelper<T, Value>
    {
      public:
        explicit OptionalAccessor(std::optional<U> T::*member)
            : m_member(member)
        {
        }

        bool HasGetter() const override
        {
            return true;
        }

        bool HasSetter() const override
        {
            return true;
        }

      private:
        bool DoSet(T* object, const Value* value) const override
        {
            U read{};
            if (!value->GetAccessor(read))
            {
                return false;
            }
            object->*m_member = read;
            return true;
        }

        bool DoGet(const T* object, Value* value) const override
        {
            if (!(object->*m_member))
            {
                return false;
            }
            value->Set(*(object->*m_member));
            return true;
        }

        std::optional<U> T::*m_member;
    };

    return Ptr<const AttributeAccessor>(new OptionalAccessor(member), false);
}

} // namespace ns3::rails

#endif // OPTIONAL_ACCESSOR_H
