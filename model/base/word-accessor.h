// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORD_ACCESSOR_H
#define WORD_ACCESSOR_H

#include "ns3/attribute-accessor-helper.h"
#include "ns3/enum.h"

namespace ns3::rails
{

/**
 * Makes the accessor of an enumeration, whose values are words, for all releases of ns-3: EnumValue
 * is a template only in newer ones.
 * \param member holds the value
 * \return the accessor of the attribute
 */
template <typename T, typename Word>
Ptr<const AttributeAccessor>
MakeWordAccessor(Word T::*member)
{
    return MakeAccessorHelper<decltype(EnumValue(Word()))>(member);
}

/// Makes the accessor from a setter and a getter.
template <typename T, typename Word>
Ptr<const AttributeAccessor>
MakeWordAccessor(void (T::*set)(Word), Word (T::*get)() const)
{
    return MakeAccessorHelper<decltype(EnumValue(Word()))>(set, get);
}

} // namespace ns3::rails

#endif // WORD_ACCESSOR_H
