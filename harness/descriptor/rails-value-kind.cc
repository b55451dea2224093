// SPDX-License-Identifier: GPL-2.0-only
#include "rails-value-kind.h"

#include "published-path.h"
#include "rails-json-parts.h"

#include "ns3/automatic-switch.h"
#include "ns3/boolean.h"
#include "ns3/component-list.h"
#include "ns3/pointer.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/value-list.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <system_error>
#include <type_traits>
#include <utility>

namespace ns3::rails
{

namespace
{

using Attribute = ValueKind::Attribute;
using Json = nlohmann::ordered_json;

/// Rejects lists, maps and null where a scalar is expected.
const std::string&
GetScalar(const YamlNode& node, const std::string& expected)
{
    if (node.kind != YamlNode::Kind::Scalar)
    {
        throw DescriptorError(node.place, "expected " + expected + ", found " + node.Describe());
    }
    return node.text;
}

/// Rejects all but scalars without quotes, for values without a unit.
const std::string&
GetPlainScalar(const YamlNode& node, const std::string& expected)
{
    const std::string& text = GetScalar(node, expected);
    if (node.quoted)
    {
        const bool isPlain = !text.empty() && text.find_first_not_of("-0123456789.") == text.npos;
        const bool isWord = text == "true" || text == "false";
        throw DescriptorError(node.place,
                              "expected " + expected + ", found a text in quotes" +
                                  (isPlain || isWord ? "; write " + text : ""));
    }
    return text;
}

/// \return words as alternatives: " or 'whole' or 'automatic'"
std::string
DescribeWords(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
    {
        text += " or '" + word + "'";
    }
    return text;
}

/// \return an error that also lists the words allowed in place of a value
QuantityError
AddWords(const QuantityError& error, const std::string& text, const std::vector<std::string>& words)
{
    const std::string reason = error.what();
    if (const std::string near = NearestName(text, words); !near.empty())
    {
        return QuantityError(reason + "; did you mean '" + near + "'?");
    }
    const bool isQuestion = !reason.empty() && reason.back() == '?'; // it has found another one
    return isQuestion ? error
                      : QuantityError(reason + "; or the word" + DescribeWords(words).substr(3));
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

/// How a descriptor spells the number behind a type of attribute values.
template <typename Value>
struct Spelling;

/// Notation of values with a unit.
template <Dimension kDimension>
struct SpellingWithUnit
{
    static constexpr bool kHasUnit = true;
    static constexpr Dimension kOf = kDimension;

    static std::string GetName()
    {
        return DimensionName(kDimension) + " (" + DimensionUnits(kDimension) + ")";
    }

    static std::string GetExpected()
    {
        return DescribeDimension(kDimension);
    }
};

/// Notation of values without a unit.
template <Dimension kDimension>
struct SpellingWithoutUnit
{
    static constexpr bool kHasUnit = false;
    static constexpr const char* kAny = ""; // has no word

    static std::string GetName()
    {
        return DimensionName(kDimension);
    }

    static std::string GetExpected()
    {
        return DescribeDimension(kDimension);
    }
};

template <>
struct Spelling<TimeValue> : SpellingWithUnit<Dimension::Time>
{
    static constexpr auto Parse = ParseTime;
    static constexpr auto Format = FormatTime;
    static constexpr const char* kAny = "any time";

    static TimeValue Make(TimePs time)
    {
        return TimeValue(PicoSeconds(time));
    }
};

template <>
struct Spelling<DataRateValue> : SpellingWithUnit<Dimension::Rate>
{
    static constexpr auto Parse = ParseRate;
    static constexpr auto Format = FormatRate;
    static constexpr const char* kAny = "any rate";

    static DataRateValue Make(uint64_t bps)
    {
        return DataRateValue(DataRate(bps));
    }
};

template <>
struct Spelling<ByteSizeValue> : SpellingWithUnit<Dimension::Bytes>
{
    static constexpr auto Parse = ParseBytes;
    static constexpr auto Format = FormatBytes;
    static constexpr const char* kAny = "any size";

    static ByteSizeValue Make(uint64_t bytes)
    {
        return ByteSizeValue(ByteSize(bytes));
    }
};

template <>
struct Spelling<UintegerValue> : SpellingWithoutUnit<Dimension::Count>
{
    static constexpr auto Parse = ParseCount;
    static constexpr const char* kSchemaType = "integer";

    static std::string Format(uint64_t count)
    {
        return std::to_string(count);
    }

    static UintegerValue Make(uint64_t count)
    {
        return UintegerValue(count);
    }
};

template <>
struct Spelling<IntegerValue> : SpellingWithoutUnit<Dimension::Count>
{
    static constexpr auto Parse = ParseInteger;
    static constexpr const char* kSchemaType = "integer";

    static std::string GetName()
    {
        return "integer";
    }

    static std::string GetExpected()
    {
        return "an integer (decimal digits, no unit)";
    }

    static std::string Format(int64_t integer)
    {
        return std::to_string(integer);
    }

    static IntegerValue Make(int64_t integer)
    {
        return IntegerValue(integer);
    }
};

template <>
struct Spelling<DoubleValue> : SpellingWithoutUnit<Dimension::Number>
{
    static constexpr auto Parse = ParseNumber;
    static constexpr auto Format = FormatNumber;
    static constexpr const char* kSchemaType = "number";

    static DoubleValue Make(double number)
    {
        return DoubleValue(number);
    }
};

/// A number with a unit, or without, in a range: TimeValue, DataRateValue, ...
template <typename Value>
class NumberKind : public ValueKind
{
    using Traits = RangeTraits<Value>;
    using Number = typename Traits::Number;
    using Spelled = Spelling<Value>;

  public:
    std::string GetName(const Attribute& /* attribute */) const override
    {
        return Spelled::GetName();
    }

    std::string DescribeExpected(const Attribute& attribute) const override
    {
        return Spelled::GetExpected() + DescribeWords(GetWords(attribute));
    }

    std::string DescribeRange(const Attribute& attribute) const override
    {
        const auto [least, most] = FindLimits(attribute);
        std::string range;
        if (least)
        {
            range = most ? Spelled::Format(*least) + " to " + Spelled::Format(*most)
                         : "at least " + Spelled::Format(*least);
        }
        const std::vector<std::string> words = GetWords(attribute);
        return words.empty() ? range
                             : (range.empty() ? Spelled::kAny : range) + ", or " +
                                   boost::algorithm::join(words, ", or ");
    }

    std::vector<std::string> GetWords(const Attribute& attribute) const override
    {
        const RangeChecker<Value>* checker = FindChecker(attribute);
        return checker ? checker->GetWords() : std::vector<std::string>{};
    }

    Json MakeSchema(const Attribute& attribute) const override
    {
        const auto [least, most] = FindLimits(attribute);
        if constexpr (Spelled::kHasUnit)
        {
            return MakeQuantitySchema(Spelled::kOf, !least || *least == 0, GetWords(attribute));
        }
        else
        {
            Json schema{{"type", Spelled::kSchemaType}};
            if (std::is_unsigned_v<Number> || least)
            {
                schema["minimum"] = least.value_or(0);
            }
            if (most)
            {
                schema["maximum"] = *most;
            }
            const std::vector<std::string> words = GetWords(attribute);
            return words.empty() ? schema
                                 : MakeChoice({{"type", "string"}}, MakeWordSchema(words), schema);
        }
    }

    Json Encode(const Attribute& attribute, const AttributeValue& value) const override
    {
        const Number number = Traits::Get(dynamic_cast<const Value&>(value));
        Number special = GetSpecial();
        for (const std::string& word : GetWords(attribute))
        {
            if (number == special--)
            {
                return word;
            }
        }
        if constexpr (Spelled::kHasUnit)
        {
            return Spelled::Format(number);
        }
        else
        {
            return number;
        }
    }

    std::string Format(const Json& value) const override
    {
        return value.is_number_float() ? FormatNumber(value.get<double>())
                                       : ValueKind::Format(value);
    }

  private:
    /// The limits of an attribute, if any.
    struct Limits
    {
        std::optional<Number> least;
        std::optional<Number> most;
    };

    static const RangeChecker<Value>* FindChecker(const Attribute& attribute)
    {
        return dynamic_cast<const RangeChecker<Value>*>(PeekPointer(attribute.checker));
    }

    static Number GetSpecial()
    {
        if constexpr (std::is_same_v<Value, TimeValue> || std::is_same_v<Value, ByteSizeValue> ||
                      std::is_same_v<Value, UintegerValue>)
        {
            return Traits::kSpecial;
        }
        else
        {
            return Traits::kHighest; // which has no word
        }
    }

    static Limits FindLimits(const Attribute& attribute)
    {
        if (const RangeChecker<Value>* checker = FindChecker(attribute))
        {
            return Drop(checker->GetLeast(), checker->GetMost());
        }
        // ns-3's checkers of numbers write theirs: "uint32_t 1:64".
        std::vector<std::string> parts;
        const std::string text = attribute.checker->GetUnderlyingTypeInformation();
        boost::algorithm::split(parts, text, boost::algorithm::is_any_of(" :"));
        Number least{};
        Number most{};
        if (Spelled::kHasUnit || parts.size() != 3 ||
            !boost::conversion::try_lexical_convert(parts[1], least) ||
            !boost::conversion::try_lexical_convert(parts[2], most))
        {
            return {};
        }
        return Drop(least, most);
    }

    /// Drops limits of the whole number type.
    static Limits Drop(Number least, Number most)
    {
        // ns-3 rounds the largest number.
        const bool hasMost =
            std::is_same_v<Number, double> ? most < Traits::kHighest / 2 : most < Traits::kHighest;
        const bool hasLeast =
            hasMost || (std::is_same_v<Number, double> ? least > Traits::kLowest / 2
                                                       : least > Traits::kLowest);
        return {hasLeast ? std::optional(least) : std::nullopt,
                hasMost ? std::optional(most) : std::nullopt};
    }

    Ptr<AttributeValue> Decode(const Attribute& attribute,
                               const YamlNode& node,
                               const std::string& /* folder */) const override
    {
        const std::string expected = DescribeExpected(attribute);
        const std::string& text = GetScalar(node, expected);
        const std::vector<std::string> words = GetWords(attribute);
        Number special = GetSpecial();
        for (const std::string& word : words)
        {
            if (text == word)
            {
                return Create<Value>(Spelled::Make(special));
            }
            --special;
        }
        try
        {
            return Create<Value>(Spelled::Make(
                Spelled::Parse(Spelled::kHasUnit ? text : GetPlainScalar(node, expected))));
        }
        catch (const QuantityError& error)
        {
            if (words.empty())
            {
                throw;
            }
            throw AddWords(error, text, words);
        }
    }
};

/// BooleanValue
class SwitchKind : public ValueKind
{
  public:
    std::string GetName(const Attribute& /* attribute */) const override
    {
        return DimensionName(Dimension::Switch);
    }

    std::string DescribeExpected(const Attribute& /* attribute */) const override
    {
        return DescribeDimension(Dimension::Switch);
    }

    std::string DescribeRange(const Attribute& /* attribute */) const override
    {
        return "true or false";
    }

    std::string DescribeAllowed(const Attribute& attribute) const override
    {
        return GetName(attribute) + ": " + DescribeRange(attribute);
    }

    std::vector<std::string> GetWords(const Attribute& /* attribute */) const override
    {
        return {"false", "true"};
    }

    Json MakeSchema(const Attribute& /* attribute */) const override
    {
        return {{"type", "boolean"}};
    }

    Json Encode(const Attribute& /* attribute */, const AttributeValue& value) const override
    {
        return dynamic_cast<const BooleanValue&>(value).Get();
    }

  private:
    Ptr<AttributeValue> Decode(const Attribute& attribute,
                               const YamlNode& node,
                               const std::string& /* folder */) const override
    {
        return Create<BooleanValue>(ParseSwitch(GetPlainScalar(node, DescribeExpected(attribute))));
    }
};

/// AutomaticSwitchValue
class AutomaticSwitchKind : public SwitchKind
{
  public:
    std::string DescribeExpected(const Attribute& attribute) const override
    {
        return SwitchKind::DescribeExpected(attribute) + " or '" + AutomaticSwitch::kWord + "'";
    }

    std::string DescribeRange(const Attribute& attribute) const override
    {
        return std::string(AutomaticSwitch::kWord) + ", " + SwitchKind::DescribeRange(attribute);
    }

    std::vector<std::string> GetWords(const Attribute& /* attribute */) const override
    {
        return {AutomaticSwitch::kWord, "false", "true"};
    }

    Json MakeSchema(const Attribute& /* attribute */) const override
    {
        return {{"enum", {AutomaticSwitch::kWord, true, false}}};
    }

    Json Encode(const Attribute& /* attribute */, const AttributeValue& value) const override
    {
        const AutomaticSwitch held = dynamic_cast<const AutomaticSwitchValue&>(value).Get();
        return held.IsAutomatic() ? Json(AutomaticSwitch::kWord) : Json(held.Get(false));
    }

  private:
    Ptr<AttributeValue> Decode(const Attribute& attribute,
                               const YamlNode& node,
                               const std::string& /* folder */) const override
    {
        const std::string& text = GetScalar(node, DescribeExpected(attribute));
        if (text == AutomaticSwitch::kWord)
        {
            return Create<AutomaticSwitchValue>(AutomaticSwitch());
        }
        GetPlainScalar(node, DescribeExpected(attribute));
        try
        {
            return Create<AutomaticSwitchValue>(AutomaticSwitch(ParseSwitch(text)));
        }
        catch (const QuantityError& error)
        {
            throw AddWords(error, text, {AutomaticSwitch::kWord});
        }
    }
};

/// EnumValue
class WordKind : public ValueKind
{
  public:
    std::string GetName(const Attribute& /* attribute */) const override
    {
        return "word";
    }

    std::string DescribeExpected(const Attribute& attribute) const override
    {
        return "one of " + DescribeRange(attribute);
    }

    std::string DescribeRange(const Attribute& attribute) const override
    {
        return JoinNames(GetWords(attribute));
    }

    std::string DescribeAllowed(const Attribute& attribute) const override
    {
        return GetName(attribute) + ": " + DescribeRange(attribute);
    }

    std::vector<std::string> GetWords(const Attribute& attribute) const override
    {
        // The checker's only access to the names is its text, with bars between them.
        std::vector<std::string> words;
        const std::string text = attribute.checker->GetUnderlyingTypeInformation();
        boost::algorithm::split(words, text, boost::algorithm::is_any_of("|"));
        std::sort(words.begin(), words.end());
        return words;
    }

    Json MakeSchema(const Attribute& attribute) const override
    {
        return MakeWordSchema(GetWords(attribute));
    }

  private:
    Ptr<AttributeValue> Decode(const Attribute& attribute,
                               const YamlNode& node,
                               const std::string& /* folder */) const override
    {
        const std::string& text = GetScalar(node, DescribeExpected(attribute));
        const std::vector<std::string> words = GetWords(attribute);
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
};

/// StringValue
class TextKind : public ValueKind
{
  public:
    std::string GetName(const Attribute& /* attribute */) const override
    {
        return "text";
    }

    std::string DescribeExpected(const Attribute& /* attribute */) const override
    {
        return "a text";
    }

    Json MakeSchema(const Attribute& /* attribute */) const override
    {
        return MakeTextSchema();
    }

    std::string Format(const Json& value) const override
    {
        return value.dump(); // in quotes
    }

  private:
    Ptr<AttributeValue> Decode(const Attribute& attribute,
                               const YamlNode& node,
                               const std::string& /* folder */) const override
    {
        return Create<StringValue>(GetScalar(node, DescribeExpected(attribute)));
    }
};

/// StringValue of an attribute whose name ends with "Path"
class PathKind : public TextKind
{
  public:
    bool NamesFile() const override
    {
        return true;
    }

    std::string GetName(const Attribute& /* attribute */) const override
    {
        return "path";
    }

    std::string DescribeExpected(const Attribute& /* attribute */) const override
    {
        return "the path of a file";
    }

  private:
    Ptr<AttributeValue> Decode(const Attribute& attribute,
                               const YamlNode& node,
                               const std::string& folder) const override
    {
        namespace fs = std::filesystem;
        const std::string& text = GetScalar(node, DescribeExpected(attribute));
        if (text.empty())
        {
            return Create<StringValue>("");
        }
        std::error_code error;
        const fs::path path = ResolvePath(text, folder);
        if (!fs::exists(path, error))
        {
            throw DescriptorError(node.place, "no such file: " + path.string());
        }
        const fs::file_type type = fs::status(path, error).type();
        if (type != fs::file_type::regular && type != fs::file_type::directory)
        {
            throw DescriptorError(node.place,
                                  "a pipe or a device, where a file is expected: " + path.string() +
                                      "; write what comes from there into one");
        }
        if (type == fs::file_type::directory || !std::ifstream(path))
        {
            throw DescriptorError(node.place, "not a file that can be read: " + path.string());
        }
        return Create<StringValue>(path.string());
    }
};

/// Notation of the items of a list.
template <typename Value>
struct ItemSpelling;

template <>
struct ItemSpelling<NumberListValue>
{
    static constexpr const char* kNouns = "numbers";

    static double Read(const YamlNode& node)
    {
        return ParseNumber(GetPlainScalar(node, DescribeDimension(Dimension::Number)));
    }

    static Json MakeSchema()
    {
        return {{"type", "number"}};
    }
};

template <>
struct ItemSpelling<CountListValue>
{
    static constexpr const char* kNouns = "counts";
    static constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();

    static uint32_t Read(const YamlNode& node)
    {
        const std::string& text = GetPlainScalar(node, DescribeDimension(Dimension::Count));
        const uint64_t count = ParseCount(text);
        if (count > kMost)
        {
            throw QuantityError("'" + text + "' is too large");
        }
        return static_cast<uint32_t>(count);
    }

    static Json MakeSchema()
    {
        return MakeCountSchema(0, kMost);
    }
};

template <>
struct ItemSpelling<NameListValue>
{
    static constexpr const char* kNouns = "names";

    static std::string Read(const YamlNode& node)
    {
        return GetScalar(node, "a name");
    }

    static Json MakeSchema()
    {
        return MakeTextSchema();
    }
};

/// A list of numbers, counts or names.
template <typename Value>
class ListKind : public ValueKind
{
    using Items = std::decay_t<decltype(Value().Get().Get())>;
    using Item = ItemSpelling<Value>;

  public:
    std::string GetName(const Attribute& /* attribute */) const override
    {
        return Item::kNouns;
    }

    std::string DescribeExpected(const Attribute& attribute) const override
    {
        const std::string size = DescribeRange(attribute);
        return "a list of " + size + (size.empty() ? "" : " ") + Item::kNouns;
    }

    std::string DescribeRange(const Attribute& attribute) const override
    {
        const ListSizeChecker<Value>* size = FindChecker(attribute);
        return size ? std::to_string(size->GetLeast()) + " to " + std::to_string(size->GetMost())
                    : "";
    }

    Json MakeSchema(const Attribute& attribute) const override
    {
        Json schema = MakeListSchema(Item::MakeSchema());
        if (const ListSizeChecker<Value>* size = FindChecker(attribute))
        {
            schema["minItems"] = size->GetLeast();
            schema["maxItems"] = size->GetMost();
        }
        return schema;
    }

    Json Encode(const Attribute& /* attribute */, const AttributeValue& value) const override
    {
        return dynamic_cast<const Value&>(value).Get().Get();
    }

  private:
    static const ListSizeChecker<Value>* FindChecker(const Attribute& attribute)
    {
        return dynamic_cast<const ListSizeChecker<Value>*>(PeekPointer(attribute.checker));
    }

    Ptr<AttributeValue> Decode(const Attribute& attribute,
                               const YamlNode& node,
                               const std::string& /* folder */) const override
    {
        const bool isList = node.kind == YamlNode::Kind::List;
        const ListSizeChecker<Value>* size = FindChecker(attribute);
        if (!isList ||
            (size && (node.items.size() < size->GetLeast() || node.items.size() > size->GetMost())))
        {
            throw DescriptorError(
                node.place,
                "expected " + DescribeExpected(attribute) + ", found " +
                    (isList ? "a list of " + std::to_string(node.items.size()) : node.Describe()));
        }
        Items items;
        for (const YamlNode& item : node.items)
        {
            try
            {
                items.push_back(Item::Read(item));
            }
            catch (const QuantityError& error)
            {
                throw DescriptorError(item.place, error.what());
            }
        }
        return Create<Value>(items);
    }
};

/// NameListValue with a WordListChecker
class WordListKind : public ValueKind
{
  public:
    static bool Fits(const Attribute& attribute, const AttributeValue& /* value */)
    {
        return dynamic_cast<const WordListChecker*>(PeekPointer(attribute.checker)) != nullptr;
    }

    std::string GetName(const Attribute& /* attribute */) const override
    {
        return "word or list";
    }

    std::string DescribeExpected(const Attribute& attribute) const override
    {
        return "one of " + DescribeRange(attribute);
    }

    std::string DescribeRange(const Attribute& attribute) const override
    {
        const WordListChecker& checker = GetChecker(attribute);
        return JoinNames(checker.GetAlone()) + ", or a list of " + JoinNames(checker.GetListed());
    }

    std::string DescribeAllowed(const Attribute& attribute) const override
    {
        return GetName(attribute) + ": " + DescribeRange(attribute);
    }

    std::vector<std::string> GetWords(const Attribute& attribute) const override
    {
        return GetChecker(attribute).GetAlone();
    }

    Json MakeSchema(const Attribute& attribute) const override
    {
        const WordListChecker& checker = GetChecker(attribute);
        Json list = MakeListSchema(MakeWordSchema(checker.GetListed()));
        list["minItems"] = 1;
        list["uniqueItems"] = true;
        return MakeChoice({{"type", "array"}}, list, MakeWordSchema(checker.GetAlone()));
    }

    Json Encode(const Attribute& attribute, const AttributeValue& value) const override
    {
        const std::vector<std::string> words =
            dynamic_cast<const NameListValue&>(value).Get().Get();
        const std::vector<std::string>& alone = GetChecker(attribute).GetAlone();
        return std::find(alone.begin(), alone.end(), words.front()) != alone.end()
                   ? Json(words.front())
                   : Json(words);
    }

  private:
    static const WordListChecker& GetChecker(const Attribute& attribute)
    {
        return dynamic_cast<const WordListChecker&>(*PeekPointer(attribute.checker));
    }

    static std::string ReadWord(const YamlNode& node,
                                const std::vector<std::string>& words,
                                const std::string& expected)
    {
        const std::string& word = GetScalar(node, expected);
        if (std::find(words.begin(), words.end(), word) == words.end())
        {
            throw DescriptorError(node.place,
                                  "unknown word '" + word + "'" + SuggestName(word, words) +
                                      ": expected " + expected);
        }
        return word;
    }

    Ptr<AttributeValue> Decode(const Attribute& attribute,
                               const YamlNode& node,
                               const std::string& /* folder */) const override
    {
        const WordListChecker& checker = GetChecker(attribute);
        const std::string expected = DescribeExpected(attribute);
        if (node.kind != YamlNode::Kind::List)
        {
            return Create<NameListValue>(NameList({ReadWord(node, checker.GetAlone(), expected)}));
        }
        std::vector<std::string> words;
        for (const YamlNode& item : node.items)
        {
            words.push_back(ReadWord(item, checker.GetListed(), expected));
            if (std::count(words.begin(), words.end(), words.back()) > 1)
            {
                throw DescriptorError(item.place, "'" + words.back() + "' is there twice");
            }
        }
        if (words.empty())
        {
            throw DescriptorError(node.place, "expected " + expected + ", found an empty list");
        }
        return Create<NameListValue>(NameList(words));
    }
};

/// StringValue with a TextOrCountsChecker
class TextOrCountsKind : public ValueKind
{
  public:
    static bool Fits(const Attribute& attribute, const AttributeValue& /* value */)
    {
        return dynamic_cast<const TextOrCountsChecker*>(PeekPointer(attribute.checker)) != nullptr;
    }

    std::string GetName(const Attribute& /* attribute */) const override
    {
        return "text or counts";
    }

    std::string DescribeExpected(const Attribute& /* attribute */) const override
    {
        return "a text, or a list of counts";
    }

    Json MakeSchema(const Attribute& /* attribute */) const override
    {
        Json list = MakeListSchema(ItemSpelling<CountListValue>::MakeSchema());
        list["minItems"] = 1;
        return MakeChoice({{"type", "array"}}, list, MakeTextSchema());
    }

    Json Encode(const Attribute& /* attribute */, const AttributeValue& value) const override
    {
        const std::string text = dynamic_cast<const StringValue&>(value).Get();
        CountList counts;
        std::istringstream stream(text);
        const bool isList = !text.empty() && text.front() == '[' && stream >> counts;
        return isList ? Json(counts.Get()) : Json(text);
    }

  private:
    Ptr<AttributeValue> Decode(const Attribute& attribute,
                               const YamlNode& node,
                               const std::string& /* folder */) const override
    {
        if (node.kind != YamlNode::Kind::List)
        {
            return Create<StringValue>(GetScalar(node, DescribeExpected(attribute)));
        }
        std::vector<uint32_t> counts;
        for (const YamlNode& item : node.items)
        {
            counts.push_back(ItemSpelling<CountListValue>::Read(item));
        }
        std::ostringstream text;
        text << CountList(counts);
        return Create<StringValue>(text.str());
    }
};

/// PointerValue
class ComponentKind : public ValueKind
{
  public:
    Shape GetShape() const override
    {
        return Shape::Component;
    }

    std::string GetName(const Attribute& /* attribute */) const override
    {
        return "component";
    }

    std::string DescribeExpected(const Attribute& /* attribute */) const override
    {
        return "a component (a map of its keys, or its type)";
    }
};

/// ComponentListValue
class ComponentListKind : public ValueKind
{
  public:
    Shape GetShape() const override
    {
        return Shape::ComponentList;
    }

    std::string GetName(const Attribute& attribute) const override
    {
        return dynamic_cast<const ComponentListChecker&>(*attribute.checker).GetNoun() + "s";
    }

    std::string DescribeExpected(const Attribute& attribute) const override
    {
        return "a list of " + GetName(attribute);
    }
};

/// Everything else
class UnknownKind : public ValueKind
{
  public:
    Shape GetShape() const override
    {
        return Shape::Unknown;
    }

    std::string GetName(const Attribute& /* attribute */) const override
    {
        return "";
    }

    std::string DescribeExpected(const Attribute& /* attribute */) const override
    {
        return "nothing";
    }
};

template <typename Value>
bool
Holds(const Attribute& /* attribute */, const AttributeValue& value)
{
    return dynamic_cast<const Value*>(&value) != nullptr;
}

bool
HoldsPath(const Attribute& attribute, const AttributeValue& value)
{
    return Holds<StringValue>(attribute, value) &&
           boost::algorithm::ends_with(attribute.name, "Path");
}

// EnumValue is a template in newer releases of ns-3 only.
bool
HoldsEnum(const Attribute& attribute, const AttributeValue& /* value */)
{
    return attribute.checker->GetValueTypeName().find("EnumValue") != std::string::npos;
}

bool
HoldsAny(const Attribute& /* attribute */, const AttributeValue& /* value */)
{
    return true;
}

/// A line of the table.
struct Row
{
    bool (*holds)(const Attribute&, const AttributeValue&);
    std::unique_ptr<ValueKind> kind;
};

template <typename Kind>
Row
MakeRow(bool (*holds)(const Attribute&, const AttributeValue&))
{
    return {holds, std::make_unique<Kind>()};
}

} // namespace

ValueKind::Shape
ValueKind::GetShape() const
{
    return Shape::Value;
}

bool
ValueKind::NamesFile() const
{
    return false;
}

std::string
ValueKind::DescribeRange(const Attribute& /* attribute */) const
{
    return "";
}

std::string
ValueKind::DescribeAllowed(const Attribute& attribute) const
{
    const std::string range = DescribeRange(attribute);
    return GetName(attribute) + (range.empty() ? "" : "; " + range);
}

std::vector<std::string>
ValueKind::GetWords(const Attribute& /* attribute */) const
{
    return {};
}

Json
ValueKind::MakeSchema(const Attribute& /* attribute */) const
{
    return false;
}

Ptr<AttributeValue>
ValueKind::Read(const Attribute& attribute, const YamlNode& node, const std::string& folder) const
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

Json
ValueKind::Encode(const Attribute& attribute, const AttributeValue& value) const
{
    return value.SerializeToString(attribute.checker);
}

std::string
ValueKind::Format(const Json& value) const
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

Ptr<AttributeValue>
ValueKind::Decode(const Attribute& /* attribute */,
                  const YamlNode& node,
                  const std::string& /* folder */) const
{
    throw DescriptorError(node.place, "this attribute cannot be given in a descriptor");
}

const ValueKind&
GetValueKind(const Attribute& attribute)
{
    static const std::vector<Row> table = [] {
        std::vector<Row> rows;
        rows.push_back(MakeRow<NumberKind<TimeValue>>(Holds<TimeValue>));
        rows.push_back(MakeRow<NumberKind<DataRateValue>>(Holds<DataRateValue>));
        rows.push_back(MakeRow<NumberKind<ByteSizeValue>>(Holds<ByteSizeValue>));
        rows.push_back(MakeRow<NumberKind<UintegerValue>>(Holds<UintegerValue>));
        rows.push_back(MakeRow<NumberKind<IntegerValue>>(Holds<IntegerValue>));
        rows.push_back(MakeRow<NumberKind<DoubleValue>>(Holds<DoubleValue>));
        rows.push_back(MakeRow<SwitchKind>(Holds<BooleanValue>));
        rows.push_back(MakeRow<AutomaticSwitchKind>(Holds<AutomaticSwitchValue>));
        rows.push_back(MakeRow<WordKind>(HoldsEnum));
        rows.push_back(MakeRow<PathKind>(HoldsPath));
        rows.push_back(MakeRow<TextOrCountsKind>(TextOrCountsKind::Fits));
        rows.push_back(MakeRow<TextKind>(Holds<StringValue>));
        rows.push_back(MakeRow<ListKind<NumberListValue>>(Holds<NumberListValue>));
        rows.push_back(MakeRow<ListKind<CountListValue>>(Holds<CountListValue>));
        rows.push_back(MakeRow<WordListKind>(WordListKind::Fits));
        rows.push_back(MakeRow<ListKind<NameListValue>>(Holds<NameListValue>));
        rows.push_back(MakeRow<ComponentKind>(Holds<PointerValue>));
        rows.push_back(MakeRow<ComponentListKind>(Holds<ComponentListValue>));
        rows.push_back(MakeRow<UnknownKind>(HoldsAny));
        return rows;
    }();
    const Ptr<AttributeValue> value = attribute.checker->Create();
    const auto row = std::find_if(table.begin(), table.end(), [&](const Row& candidate) {
        return candidate.holds(attribute, *value);
    });
    return *row->kind;
}

} // namespace ns3::rails
