// SPDX-License-Identifier: GPL-2.0-only
#include "rails-attribute-range.h"

#include "rails-nearest-name.h"
#include "rails-quantity.h"
#include "rails-time-word.h"
#include "rails-value-codec.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/rails-units.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>

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

std::string
Describe(const Scale& scale)
{
    std::vector<uint64_t> probes{scale.initial, scale.lowest, scale.highest};
    for (unsigned bit = 0; bit < 64; ++bit)
    {
        probes.push_back(std::clamp(uint64_t{1} << bit, scale.lowest, scale.highest));
    }
    const auto allowed = std::find_if(probes.begin(), probes.end(), scale.allows);
    if (allowed == probes.end())
    {
        return "";
    }
    const uint64_t low = FindLimit(scale, *allowed, scale.lowest);
    const uint64_t high = FindLimit(scale, *allowed, scale.highest);
    const bool bounded = high < scale.highest;
    if (low == scale.lowest && !bounded)
    {
        return "";
    }
    if (!bounded)
    {
        return "at least " + scale.format(low);
    }
    return scale.format(low) + " to " + scale.format(high);
}

std::string
DescribeTimes(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const TimeValue*>(PeekPointer(attribute.initialValue));
    const std::string word = GetSpecialWord(attribute);
    if (!word.empty())
    {
        return "any time, or " + word;
    }
    return Describe({0,
                     static_cast<uint64_t>(kNever) / 2,
                     initial ? static_cast<uint64_t>(initial->Get().GetPicoSeconds()) : 0,
                     [&](uint64_t ps) {
                         return attribute.checker->Check(
                             TimeValue(PicoSeconds(static_cast<int64_t>(ps))));
                     },
                     [](uint64_t ps) { return FormatTime(static_cast<TimePs>(ps)); }});
}

std::string
DescribeRates(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const DataRateValue*>(PeekPointer(attribute.initialValue));
    return Describe(
        {0,
         std::numeric_limits<uint64_t>::max(),
         initial ? initial->Get().GetBitRate() : 0,
         [&](uint64_t bps) { return attribute.checker->Check(DataRateValue(DataRate(bps))); },
         FormatRate});
}

std::string
DescribeBytes(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const ByteSizeValue*>(PeekPointer(attribute.initialValue));
    const uint64_t highest = uint64_t{1} << 62; // the checker's own default
    const std::string range = Describe(
        {0,
         highest,
         initial ? std::min(initial->Get().Get(), highest) : 0,
         [&](uint64_t bytes) { return attribute.checker->Check(ByteSizeValue(ByteSize(bytes))); },
         FormatBytes});
    const std::string word = GetSpecialWord(attribute);
    if (word.empty())
    {
        return range;
    }
    return (range.empty() ? "any size" : range) + ", or " + word;
}

std::string
DescribeCounts(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const UintegerValue*>(PeekPointer(attribute.initialValue));
    return Describe({0,
                     std::numeric_limits<uint64_t>::max(),
                     initial ? initial->Get() : 0,
                     [&](uint64_t count) { return attribute.checker->Check(UintegerValue(count)); },
                     [](uint64_t count) { return std::to_string(count); }});
}

std::string
DescribeIntegers(const TypeId::AttributeInformation& attribute)
{
    const auto value = [](uint64_t rank) { return static_cast<int64_t>(rank ^ kSignBit); };
    return Describe(
        {0,
         std::numeric_limits<uint64_t>::max(),
         kSignBit,
         [&](uint64_t rank) { return attribute.checker->Check(IntegerValue(value(rank))); },
         [&](uint64_t rank) { return std::to_string(value(rank)); }});
}

std::string
DescribeNumbers(const TypeId::AttributeInformation& attribute)
{
    const auto* initial = dynamic_cast<const DoubleValue*>(PeekPointer(attribute.initialValue));
    const double largest = std::numeric_limits<double>::max();
    return Describe(
        {RankOf(-largest),
         RankOf(largest),
         RankOf(initial ? initial->Get() : 0),
         [&](uint64_t rank) { return attribute.checker->Check(DoubleValue(NumberOf(rank))); },
         [](uint64_t rank) { return FormatNumber(NumberOf(rank) + 0.0); }}); // never -0
}

} // namespace

std::string
DescribeRange(const TypeId::AttributeInformation& attribute)
{
    switch (GetValueKind(attribute))
    {
    case ValueKind::Time:
        return DescribeTimes(attribute);
    case ValueKind::Rate:
        return DescribeRates(attribute);
    case ValueKind::Bytes:
        return DescribeBytes(attribute);
    case ValueKind::Count:
        return DescribeCounts(attribute);
    case ValueKind::Integer:
        return DescribeIntegers(attribute);
    case ValueKind::Number:
        return DescribeNumbers(attribute);
    case ValueKind::Switch:
        return "true or false";
    case ValueKind::Word:
        return JoinNames(GetEnumWords(attribute));
    default:
        return "";
    }
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
