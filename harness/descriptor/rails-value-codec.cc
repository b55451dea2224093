// SPDX-License-Identifier: GPL-2.0-only
#include "rails-value-codec.h"

#include "failure-list.h"
#include "rails-attribute-range.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/number-list.h"
#include "ns3/phase-list.h"
#include "ns3/pointer.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
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

NumberList
DecodeNumbers(const YamlNode& node, const std::string& expected)
{
    if (node.kind != YamlNode::Kind::List)
    {
        throw DescriptorError(node.place, "expected " + expected + ", found " + node.Describe());
    }
    std::vector<double> numbers;
    for (const YamlNode& item : node.items)
    {
        const std::string& text =
            GetPlainScalar(item, [] { return DescribeDimension(Dimension::Number); });
        try
        {
            numbers.push_back(ParseNumber(text));
        }
        catch (const QuantityError& error)
        {
            throw DescriptorError(item.place, error.what());
        }
    }
    return {std::move(numbers)};
}

/// \param node `dispatch`, or a map of one entry such as `compute: 2ms`
Phase
DecodePhase(const YamlNode& node)
{
    const bool map = node.kind == YamlNode::Kind::Map;
    if (node.kind != YamlNode::Kind::Scalar && (!map || node.entries.size() != 1))
    {
        throw DescriptorError(node.place,
                              "expected a phase (dispatch, combine, compute: TIME, gap: TIME), "
                              "found " +
                                  node.Describe());
    }
    const std::string& name = map ? node.entries[0].key : node.text;
    Phase phase;
    if (!Phase::ParseKind(name, phase.kind))
    {
        throw DescriptorError(node.place,
                              "unknown phase '" + name + "'" +
                                  SuggestName(name, Phase::GetKindNames()));
    }
    if (phase.IsTraffic() && map)
    {
        throw DescriptorError(node.entries[0].value.place,
                              "'" + name + "' takes as long as its traffic does; it has no time");
    }
    if (!phase.IsTraffic() && !map)
    {
        throw DescriptorError(node.place, "'" + name + "' needs its time: " + name + ": 2ms");
    }
    if (map)
    {
        const YamlNode& value = node.entries[0].value;
        const std::string& text =
            GetScalar(value, [] { return DescribeDimension(Dimension::Time); });
        try
        {
            phase.duration = ParseTime(text);
        }
        catch (const QuantityError& error)
        {
            throw DescriptorError(value.place, error.what());
        }
    }
    return phase;
}

PhaseList
DecodePhases(const YamlNode& node, const std::string& expected)
{
    if (node.kind != YamlNode::Kind::List)
    {
        throw DescriptorError(node.place, "expected " + expected + ", found " + node.Describe());
    }
    std::vector<Phase> phases;
    for (const YamlNode& item : node.items)
    {
        phases.push_back(DecodePhase(item));
    }
    return {std::move(phases)};
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
        return Create<NumberListValue>(DecodeNumbers(node, expected()));
    case ValueKind::Phases:
        return Create<PhaseListValue>(DecodePhases(node, expected()));
    case ValueKind::Failures:
        return Create<FailureListValue>(DecodeFailures(node));
    case ValueKind::Component:
    case ValueKind::Unknown:
        break;
    }
    throw DescriptorError(node.place, "this attribute cannot be given in a descriptor");
}

nlohmann::ordered_json
EncodePhases(const PhaseList& list)
{
    nlohmann::ordered_json phases = nlohmann::ordered_json::array();
    for (const Phase& phase : list.Get())
    {
        if (phase.IsTraffic())
        {
            phases.push_back(phase.GetName());
        }
        else
        {
            nlohmann::ordered_json timed = nlohmann::ordered_json::object();
            timed[phase.GetName()] = FormatTime(phase.duration);
            phases.push_back(std::move(timed));
        }
    }
    return phases;
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
    if (const auto* phases = dynamic_cast<const PhaseListValue*>(&value))
    {
        return EncodePhases(phases->Get());
    }
    if (const auto* failures = dynamic_cast<const FailureListValue*>(&value))
    {
        return EncodeFailures(failures->Get());
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
    case ValueKind::Phases:
        return "a list of phases (dispatch, combine, compute: TIME, gap: TIME)";
    case ValueKind::Failures:
        return "a list of failures";
    case ValueKind::Component:
        return "a component (a map of its keys, or its type)";
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
    case ValueKind::Phases:
        return "phases";
    case ValueKind::Failures:
        return "failures";
    case ValueKind::Component:
        return "component";
    case ValueKind::Unknown:
        break;
    }
    return "";
}

} // namespace ns3::rails
