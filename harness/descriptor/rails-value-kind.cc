// SPDX-License-Identifier: GPL-2.0-only
#include "rails-value-kind.h"

#include "ns3/attribute.h"
#include "ns3/boolean.h"
#include "ns3/component-list.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/rails-units.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

template <typename Value>
bool
Holds(const AttributeValue& value)
{
    return dynamic_cast<const Value*>(&value) != nullptr;
}

bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

ValueKind
GetValueKind(const TypeId::AttributeInformation& attribute)
{
    using Test = bool (*)(const AttributeValue&);
    static const std::vector<std::pair<Test, ValueKind>> kinds{
        {Holds<TimeValue>, ValueKind::Time},
        {Holds<DataRateValue>, ValueKind::Rate},
        {Holds<ByteSizeValue>, ValueKind::Bytes},
        {Holds<UintegerValue>, ValueKind::Count},
        {Holds<IntegerValue>, ValueKind::Integer},
        {Holds<DoubleValue>, ValueKind::Number},
        {Holds<BooleanValue>, ValueKind::Switch},
        {Holds<NumberListValue>, ValueKind::Numbers},
        {Holds<CountListValue>, ValueKind::Counts},
        {Holds<NameListValue>, ValueKind::Names},
        {Holds<PointerValue>, ValueKind::Component},
        {Holds<ComponentListValue>, ValueKind::Components},
    };
    const Ptr<AttributeValue> value = attribute.checker->Create();
    for (const auto& [holds, kind] : kinds)
    {
        if (holds(*value))
        {
            return kind;
        }
    }
    if (Holds<StringValue>(*value))
    {
        return EndsWith(attribute.name, "Path") ? ValueKind::Path : ValueKind::Text;
    }
    // EnumValue is a template in newer releases of ns-3 only.
    const std::string type = attribute.checker->GetValueTypeName();
    return type.find("EnumValue") == std::string::npos ? ValueKind::Unknown : ValueKind::Word;
}

} // namespace ns3::rails
