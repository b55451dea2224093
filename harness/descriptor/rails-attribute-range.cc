// SPDX-License-Identifier: GPL-2.0-only
#include "rails-attribute-range.h"

#include "rails-time-word.h"
#include "rails-value-kind.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/rails-nearest-name.h"
#include "ns3/rails-quantity.h"
#include "ns3/rails-units.h"
#include "ns3/uinteger.h"
#include "ns3/value-list.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>

namespace ns3::rails
{

namespace
{

/**
 * The values of an attribute as unsigned integers in the same order, so that one search serves all
 * dimensions.
 */
struct Scale
{
    uint64_t lowest;                             //!< smallest value that a descriptor can give
    uint64_t highest;                            //!< from here on there is no limit to speak of
    uint64_t initial;                            //!< the default
    std::function<bool(uint64_t)> allows;        //!< asks the checker
    std::function<std::string(uint64_t)> format; //!< as a descriptor spells it
    std::function<nlohmann::json(uint64_t)> convert{[](uint64_t value) { return value; }};
};

constexpr uint64_t kSignBit = uint64_t{1} << 63;

/// Keeps the order of doubles, negative ones included.
uint64_t
RankOf(double number)
{
    uint64_t bits = 0;
    std::memcpy(&bits, &number, sizeof(bits));
    return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

double
NumberOf(uint64_t rank)
{
    const uint64_t bits = (rank & kSignBit) != 0 ? rank & ~kSignBit : ~rank;
    double number = 0;
    std::memcpy(&number, &bits, sizeof(number));
    return number;
}

/// \return the limit in the direction of `end`, between a value that is allowed and `end`
uint64_t
FindLimit(const Scale& scale, uint64_t allowed, uint64_t end)
{
    if (scale.allows(end))
    {
        return end;
    }
    uint64_t refused = end;
    while (std::max(allowed, refused) - std::min(allowed, refused) > 1)
    {
        const uint64_t low = std::min(allowed, refused);
        const uint64_t middle = low + (std::max(allowed, refused) - low) / 2;
        (scale.allows(middle) ? allowed : refused) = middle;
    }
    return allowed;
}

/// The limits of a scale, where it has some.
struct Limits
{
    std::optional<uint64_t> low;
    std::optional<uint64_t> high;
};

Limits
FindLimits(const Scale& scale)
{
    std::vector<uint64_t> probes{scale.initial, scale.lowest, scale.highest};
    for (unsigned bit = 0; bit < 64; ++bit)
    {
        probes.push_back(std::clamp(uint64_t{1} << bit, scale.lowest, scale.highest));
    }
    const auto allowed = std::find_if(probes.begin(), probes.end(), scale.allows);
    if (allowed == probes.end())
    {
        return {};
    }
    Limits limits{FindLimit(scale, *allowed, scale.lowest),
                  FindLimit(scale, *allowed, scale.highest)};
    if (*limits.high >= scale.highest)
    {
        limits.high.reset();
        if (*limits.low == scale.lowest)
        {
            limits.low.reset();
        }
    }
    return limits;
}

/// \return the range for people, empty when everything is allowed
std::string
Describe(const Scale& scale)
{
    const Limits limits = FindLimits(scale);
    if (!limits.low)
    {
        return "";
    }
    if (!limits.high)
    {
        return "at least " + scale.format(*limits.low);
    }
    return scale.format(*limits.low) + " to " + scale.format(*limits.high);
}

Scale
MakeTimeScale(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const TimeValue*>(PeekPointer(attribute.initialValue));
    const auto allows = [&attribute](uint64_t ps) {
        return attribute.checker->Check(TimeValue(PicoSeconds(static_cast<int64_t>(ps))));
    };
    return {0,
            static_cast<uint64_t>(kNever) / 2,
            initial ? static_cast<uint64_t>(initial->Get().GetPicoSeconds()) : 0,
            allows,
            [](uint64_t ps) { return FormatTime(static_cast<TimePs>(ps)); }};
}

Scale
MakeRateScale(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const DataRateValue*>(PeekPointer(attribute.initialValue));
    const auto allows = [&attribute](uint64_t bps) {
        return attribute.checker->Check(DataRateValue(DataRate(bps)));
    };
    return {0,
            std::numeric_limits<uint64_t>::max(),
            initial ? initial->Get().GetBitRate() : 0,
            allows,
            FormatRate};
}

Scale
MakeByteScale(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const ByteSizeValue*>(PeekPointer(attribute.initialValue));
    const uint64_t highest = uint64_t{1} << 62; // the checker's own default
    const auto allows = [&attribute](uint64_t bytes) {
        return attribute.checker->Check(ByteSizeValue(ByteSize(bytes)));
    };
    return {0, highest, initial ? std::min(initial->Get().Get(), highest) : 0, allows, FormatBytes};
}

Scale
MakeCountScale(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const UintegerValue*>(PeekPointer(attribute.initialValue));
    const auto allows = [&attribute](uint64_t count) {
        return attribute.checker->Check(UintegerValue(count));
    };
    return {0,
            std::numeric_limits<uint64_t>::max(),
            initial ? initial->Get() : 0,
            allows,
            [](uint64_t count) { return std::to_string(count); }};
}

Scale
MakeIntegerScale(const TypeId::AttributeInformation& attribute)
{
    const auto value = [](uint64_t rank) { return static_cast<int64_t>(rank ^ kSignBit); };
    const auto allows = [&attribute, value](uint64_t rank) {
        return attribute.checker->Check(IntegerValue(value(rank)));
    };
    return {0,
            std::numeric_limits<uint64_t>::max(),
            kSignBit,
            allows,
            [value](uint64_t rank) { return std::to_string(value(rank)); },
            value};
}

Scale
MakeNumberScale(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const DoubleValue*>(PeekPointer(attribute.initialValue));
    const double largest = std::numeric_limits<double>::max();
    const auto value = [](uint64_t rank) { return NumberOf(rank) + 0.0; }; // never -0
    const auto allows = [&attribute](uint64_t rank) {
        return attribute.checker->Check(DoubleValue(NumberOf(rank)));
    };
    return {RankOf(-largest),
            RankOf(largest),
            RankOf(initial ? initial->Get() : 0),
            allows,
            [value](uint64_t rank) { return FormatNumber(value(rank)); },
            value};
}

/// \return the scale of an attribute with numbers, none for others and for times with a word
std::optional<Scale>
MakeScale(const TypeId::AttributeInformation& attribute)
{
    switch (GetValueKind(attribute))
    {
    case ValueKind::Time:
        if (!GetSpecialWord(attribute).empty())
        {
            return {}; // its checker has no limits
        }
        return MakeTimeScale(attribute);
    case ValueKind::Rate:
        return MakeRateScale(attribute);
    case ValueKind::Bytes:
        return MakeByteScale(attribute);
    case ValueKind::Count:
        return MakeCountScale(attribute);
    case ValueKind::Integer:
        return MakeIntegerScale(attribute);
    case ValueKind::Number:
        return MakeNumberScale(attribute);
    default:
        return {};
    }
}

} // namespace

std::string
DescribeRange(const TypeId::AttributeInformation& attribute)
{
    switch (GetValueKind(attribute))
    {
    case ValueKind::Switch:
        return "true or false";
    case ValueKind::Word:
        return JoinNames(GetEnumWords(attribute));
    default:
        break;
    }
    if (const auto* size = dynamic_cast<const NameCountChecker*>(PeekPointer(attribute.checker)))
    {
        return std::to_string(size->GetLeast()) + " to " + std::to_string(size->GetMost());
    }
    const std::optional<Scale> scale = MakeScale(attribute);
    const std::string range = scale ? Describe(*scale) : "";
    const std::string word = GetSpecialWord(attribute);
    if (word.empty())
    {
        return range;
    }
    const std::string any = GetValueKind(attribute) == ValueKind::Time ? "any time" : "any size";
    return (range.empty() ? any : range) + ", or " + word;
}

AttributeBounds
FindBounds(const TypeId::AttributeInformation& attribute)
{
    AttributeBounds bounds;
    if (const std::optional<Scale> scale = MakeScale(attribute))
    {
        const Limits limits = FindLimits(*scale);
        if (limits.low)
        {
            bounds.least = scale->convert(*limits.low);
        }
        if (limits.high)
        {
            bounds.most = scale->convert(*limits.high);
        }
    }
    return bounds;
}

std::string
GetSpecialWord(const TypeId::AttributeInformation& attribute)
{
    if (const auto* bytes = dynamic_cast<const ByteSizeChecker*>(PeekPointer(attribute.checker)))
    {
        return bytes->GetWord();
    }
    const auto* time = dynamic_cast<const TimeWordChecker*>(PeekPointer(attribute.checker));
    return time ? time->GetWord() : "";
}

std::vector<std::string>
GetEnumWords(const TypeId::AttributeInformation& attribute)
{
    // The checker has no other way to tell; its text is the names with bars between them.
    const std::string text = attribute.checker->GetUnderlyingTypeInformation();
    std::vector<std::string> words;
    std::size_t begin = 0;
    while (begin <= text.size())
    {
        const std::size_t end = std::min(text.find('|', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    std::sort(words.begin(), words.end());
    return words;
}

} // namespace ns3::rails
