// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_VALUE_KIND_H
#define RAILS_VALUE_KIND_H

#include "ns3/type-id.h"

namespace ns3::rails
{

/// What the value of a key is, by the type of its attribute.
enum class ValueKind
{
    Time,       //!< TimeValue, possibly with a word for Time::Max()
    Rate,       //!< DataRateValue
    Bytes,      //!< ByteSizeValue, possibly with a word for its special value
    Count,      //!< UintegerValue
    Integer,    //!< IntegerValue
    Number,     //!< DoubleValue
    Switch,     //!< BooleanValue
    Word,       //!< EnumValue
    Text,       //!< StringValue
    Path,       //!< StringValue of an attribute whose name ends with "Path"
    Numbers,    //!< NumberListValue
    Counts,     //!< CountListValue
    Names,      //!< NameListValue
    Component,  //!< PointerValue
    Components, //!< ComponentListValue
    Unknown     //!< nothing that a descriptor can give
};

/// \return what the value of an attribute is
ValueKind GetValueKind(const TypeId::AttributeInformation& attribute);

} // namespace ns3::rails

#endif // RAILS_VALUE_KIND_H
