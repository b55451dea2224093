// SPDX-License-Identifier: GPL-2.0-only
#include "rails-value-codec.h"

#include "rails-attribute-range.h"

#include "ns3/boolean.h"
#include "ns3/component-list.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

std::string
NameWithUnits(Dimension dimension)
{
    return DimensionName(dimension) + " (" + DimensionUnits(dimension) + ")";
}

int64_t
ParseInteger(const std::string& text)
{
    constexpr auto largest = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    const bool negative = !text.empty() && text[0] == '-';
    const uint64_t size = ParseCount(negative ? text.substr(1) : text);
    if (size > largest)
    {
        throw QuantityError("'" + text + "' is too large");
    }
    return negative ? -static_cast<int64_t>(size) : static_cast<int64_t>(size);
}

/// Refuses lists, maps and nothing where a scalar belongs.
template <typename Describe>
const std::string&
GetScalar(const YamlNode& node, const Describe& describeExpected)
{
    if (node.kind != YamlNode::Kind::Scalar)
    {
        throw DescriptorError(node.place,
                              "expected " + describeExpected() + ", found " + node.Describe());
    }
    return node.text;
}

/// The same for what has no unit: in quotes it is a text.
template <typename Describe>
const std::string&
GetPlainScalar(const YamlNode& node, const Describe& describeExpected)
{
    const std::string& text = GetScalar(node, describeExpected);
    if (node.quoted)
    {
        throw DescriptorError(node.place,
                              "expected " + describeExpected() +
                                  ", found a text in quotes; write " + text);
    }
    return text;
}

Ptr<AttributeValue>
DecodeWord(const TypeId::AttributeInformation& attribute, const std::string& text)
{
    const std::vector<std::string> words = GetEnumWords(attribute);
    if (std::find(words.begin(), words.end(), text) == words.end())
    {
        throw QuantityError("unknown word '" + text + "'" + SuggestName(text, words));
    }
    // The type of an EnumValue differs between ns-3 versions; that of its checker's does not
    // matter, and the text is one of its own names.
    Ptr<AttributeValue> value = attribute.checker->Create();
    value->DeserializeFromString(text, attribute.checker);
    return value;
}

ByteSize
DecodeBytes(const TypeId::AttributeInformation& attribute, const std::string& text)
{
    const std::string word = GetSpecialWord(attribute);
    if (!word.empty() && text == word)
    {
        return ByteSize::Special();
    }
    try
    {
        return ByteSize(ParseBytes(text));
    }
    catch (const QuantityError& error)
    {
        const std::string nearest = NearestName(text, {word});
        if (!nearest.empty())
        {
            throw QuantityError(std::string(error.what()) + "; did you mean '" + word + "'?");
        }
        throw QuantityError(error.what() + (word.empty() ? "" : "; or the word '" + word + "'"));
    }
}

Time
DecodeTime(const TypeId::AttributeInformation& attribute, const std::string& text)
{
    const std::string word = GetSpecialWord(attribute);
    if (!word.empty() && text == word)
    {
        return Time::Max();
    }
    try
    {
        return PicoSeconds(ParseTime(text));
    }
    catch (const QuantityError& error)
    {
        throw QuantityError(error.what() + (word.empty() ? "" : "; or the word '" + word + "'"));
    }
}

/// \return the path of a file that can be read
std::string
DecodePath(const YamlNode& node, const std::string& folder)
{
    namespace fs = std::filesystem;
    if (node.text.empty())
    {
        return "";
    }
    std::error_code error;
    fs::path path = fs::path(folder) / node.text; // which is the text alone when it is absolute
    path = fs::absolute(path, error);
    path = path.lexically_normal();
    if (!fs::exists(path, error))
    {
        throw DescriptorError(node.place, "no such file: " + path.string());
    }
    if (fs::is_directory(path, error) || !std::ifstream(path))
    {
        throw DescriptorError(node.place, "not a file that can be read: " + path.string());
    }
    return path.string();
}

/**
 * \tparam List a ValueList
 * \param decode makes an item of its text
 */
template <typename List, typename Describe, typename Decode>
List
DecodeList(const YamlNode& node,
           const std::string& expected,
           const Describe& describeItem,
           const Decode& decode)
{
    if (node.kind != YamlNode::Kind::List)
    {
        throw DescriptorError(node.place, "expected " + expected + ", found " + node.Describe());
    }
    std::decay_t<decltype(List().Get())> items;
    for (const YamlNode& item : node.items)
    {
        try
        {
            items.push_back(decode(item, describeItem));
        }
        catch (const QuantityError& error)
        {
            throw DescriptorError(item.place, error.what());
        }
    }
    return {std::move(items)};
}

uint32_t
ParseSmallCount(const std::string& text)
{
    const uint64_t count = ParseCount(text);
    if (count > std::numeric_limits<uint32_t>::max())
    {
        throw QuantityError("'" + text + "' is too large");
    }
    return static_cast<uint32_t>(count);
}

/// \throws QuantityError in the cases that know no place
Ptr<AttributeValue>
Decode(const TypeId::AttributeInformation& attribute,
       const YamlNode& node,
       const std::string& folder)
{
    const auto expected = [&attribute] { return DescribeExpected(attribute); };
    switch (GetValueKind(attribute))
    {
    case ValueKind::Time:
        return Create<TimeValue>(DecodeTime(attribute, GetScalar(node, expected)));
    case ValueKind::Rate:
        return Create<DataRateValue>(DataRate(ParseRate(GetScalar(node, expected))));
    case ValueKind::Bytes:
        return Create<ByteSizeValue>(DecodeBytes(attribute, GetScalar(node, expected)));
    case ValueKind::Count:
        return Create<UintegerValue>(ParseCount(GetPlainScalar(node, expected)));
    case ValueKind::Integer:
        return Create<IntegerValue>(ParseInteger(GetPlainScalar(node, expected)));
    case ValueKind::Number:
        return Create<DoubleValue>(ParseNumber(GetPlainScalar(node, expected)));
    case ValueKind::Switch:
        return Create<BooleanValue>(ParseSwitch(GetPlainScalar(node, expected)));
    case ValueKind::Word:
        return DecodeWord(attribute, GetScalar(node, expected));
    case ValueKind::Text:
        return Create<StringValue>(GetScalar(node, expected));
    case ValueKind::Path:
        GetScalar(node, expected);
        return Create<StringValue>(DecodePath(node, folder));
    case ValueKind::Numbers:
        return Create<NumberListValue>(DecodeList<NumberList>(
            node,
            expected(),
            [] { return DescribeDimension(Dimension::Number); },
            [](const YamlNode& item, const auto& describe) {
                return ParseNumber(GetPlainScalar(item, describe));
            }));
    case ValueKind::Counts:
        return Create<CountListValue>(DecodeList<CountList>(
            node,
            expected(),
            [] { return DescribeDimension(Dimension::Count); },
            [](const YamlNode& item, const auto& describe) {
                return ParseSmallCount(GetPlainScalar(item, describe));
            }));
    case ValueKind::Names:
        if (const auto* size =
                dynamic_cast<const NameCountChecker*>(PeekPointer(attribute.checker));
            size && node.kind == YamlNode::Kind::List &&
            (node.items.size() < size->GetLeast() || node.items.size() > size->GetMost()))
        {
            throw DescriptorError(node.place,
                                  "expected " + expected() + ", found a list of " +
                                      std::to_string(node.items.size()));
        }
        return Create<NameListValue>(DecodeList<NameList>(
            node,
            expected(),
            [] { return std::string("a name"); },
            [](const YamlNode& item, const auto& describe) { return GetScalar(item, describe); }));
    case ValueKind::Component:
    case ValueKind::Components:
    case ValueKind::Unknown:
        break;
    }
    throw DescriptorError(node.place, "this attribute cannot be given in a descriptor");
}

std::string
EncodeBytes(const TypeId::AttributeInformation& attribute, ByteSize size)
{
    return size.IsSpecial() ? GetSpecialWord(attribute) : FormatBytes(size.Get());
}

} // namespace

Ptr<AttributeValue>
DecodeValue(const TypeId::AttributeInformation& attribute,
            const YamlNode& node,
            const std::string& folder)
{
    try
    {
        Ptr<AttributeValue> value = Decode(attribute, node, folder);
        if (!attribute.checker->Check(*value))
        {
            const std::string range = DescribeRange(attribute);
            throw DescriptorError(node.place,
                                  node.Describe() + " is out of range" +
                                      (range.empty() ? "" : "; allowed: " + range));
        }
        return value;
    }
    catch (const QuantityError& error)
    {
        throw DescriptorError(node.place, error.what());
    }
}

nlohmann::ordered_json
EncodeValue(const TypeId::AttributeInformation& attribute, const AttributeValue& value)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        const std::string word = GetSpecialWord(attribute);
        return !word.empty() && time->Get() == Time::Max()
                   ? word
                   : FormatTime(time->Get().GetPicoSeconds());
    }
    if (const auto* rate = dynamic_cast<const DataRateValue*>(&value))
    {
        return FormatRate(rate->Get().GetBitRate());
    }
    if (const auto* bytes = dynamic_cast<const ByteSizeValue*>(&value))
    {
        return EncodeBytes(attribute, bytes->Get());
    }
    if (const auto* count = dynamic_cast<const UintegerValue*>(&value))
    {
        return count->Get();
    }
    if (const auto* integer = dynamic_cast<const IntegerValue*>(&value))
    {
        return integer->Get();
    }
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        return number->Get();
    }
    if (const auto* onOff = dynamic_cast<const BooleanValue*>(&value))
    {
        return onOff->Get();
    }
    if (const auto* numbers = dynamic_cast<const NumberListValue*>(&value))
    {
        return numbers->Get().Get();
    }
    if (const auto* counts = dynamic_cast<const CountListValue*>(&value))
    {
        return counts->Get().Get();
    }
    if (const auto* names = dynamic_cast<const NameListValue*>(&value))
    {
        return names->Get().Get();
    }
    return value.SerializeToString(attribute.checker); // a text or a word
}

std::string
DescribeExpected(const TypeId::AttributeInformation& attribute)
{
    const std::string word = GetSpecialWord(attribute);
    switch (GetValueKind(attribute))
    {
    case ValueKind::Time:
        return DescribeDimension(Dimension::Time) + (word.empty() ? "" : " or '" + word + "'");
    case ValueKind::Rate:
        return DescribeDimension(Dimension::Rate);
    case ValueKind::Bytes:
        return DescribeDimension(Dimension::Bytes) + (word.empty() ? "" : " or '" + word + "'");
    case ValueKind::Count:
        return DescribeDimension(Dimension::Count);
    case ValueKind::Integer:
        return "an integer (decimal digits, no unit)";
    case ValueKind::Number:
        return DescribeDimension(Dimension::Number);
    case ValueKind::Switch:
        return DescribeDimension(Dimension::Switch);
    case ValueKind::Word:
        return "one of " + JoinNames(GetEnumWords(attribute));
    case ValueKind::Text:
        return "a text";
    case ValueKind::Path:
        return "the path of a file";
    case ValueKind::Numbers:
        return "a list of numbers";
    case ValueKind::Counts:
        return "a list of counts";
    case ValueKind::Names: {
        const std::string size = DescribeRange(attribute);
        return "a list of " + size + (size.empty() ? "" : " ") + "names";
    }
    case ValueKind::Component:
        return "a component (a map of its keys, or its type)";
    case ValueKind::Components:
        return "a list of components";
    case ValueKind::Unknown:
        break;
    }
    return "nothing";
}

std::string
DescribeKind(const TypeId::AttributeInformation& attribute)
{
    switch (GetValueKind(attribute))
    {
    case ValueKind::Time:
        return NameWithUnits(Dimension::Time);
    case ValueKind::Rate:
        return NameWithUnits(Dimension::Rate);
    case ValueKind::Bytes:
        return NameWithUnits(Dimension::Bytes);
    case ValueKind::Count:
        return DimensionName(Dimension::Count);
    case ValueKind::Integer:
        return "integer";
    case ValueKind::Number:
        return DimensionName(Dimension::Number);
    case ValueKind::Switch:
        return DimensionName(Dimension::Switch);
    case ValueKind::Word:
        return "word";
    case ValueKind::Text:
        return "text";
    case ValueKind::Path:
        return "path";
    case ValueKind::Numbers:
        return "numbers";
    case ValueKind::Counts:
        return "counts";
    case ValueKind::Names:
        return "names";
    case ValueKind::Component:
        return "component";
    case ValueKind::Components:
        return dynamic_cast<const ComponentListChecker&>(*attribute.checker).GetNoun() + "s";
    case ValueKind::Unknown:
        break;
    }
    return "";
}

} // namespace ns3::rails
