// SPDX-License-Identifier: GPL-2.0-only
#include "rails-quantity.h"

#include "rails-nearest-name.h"

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <istream>
#include <iterator>
#include <limits>
#include <sstream>
#include <system_error>
#include <vector>

namespace ns3::rails
{

namespace
{

using boost::multiprecision::cpp_int;

/// A unit and its value in the base unit (ps, bit/s, B).
struct Unit
{
    const char* name;
    uint64_t factor;
};

using Units = std::vector<Unit>;

const Units&
GetUnits(Dimension dimension)
{
    // Each list goes up, the first unit is the base unit.
    static const Units none;
    static const Units times{{"ps", 1},
                             {"ns", 1'000},
                             {"us", 1'000'000},
                             {"ms", 1'000'000'000},
                             {"s", 1'000'000'000'000}};
    static const Units rates{{"bps", 1},
                             {"Kbps", 1'000},
                             {"Mbps", 1'000'000},
                             {"Gbps", 1'000'000'000},
                             {"Tbps", 1'000'000'000'000}};
    static const Units bytes{{"B", 1},
                             {"KB", 1'000},
                             {"MB", 1'000'000},
                             {"GB", 1'000'000'000},
                             {"TB", 1'000'000'000'000},
                             {"KiB", uint64_t{1} << 10},
                             {"MiB", uint64_t{1} << 20},
                             {"GiB", uint64_t{1} << 30},
                             {"TiB", uint64_t{1} << 40}};
    switch (dimension)
    {
    case Dimension::Time:
        return times;
    case Dimension::Rate:
        return rates;
    case Dimension::Bytes:
        return bytes;
    default:
        return none;
    }
}

std::vector<std::string>
GetUnitNames(Dimension dimension)
{
    std::vector<std::string> names;
    for (const Unit& unit : GetUnits(dimension))
    {
        names.emplace_back(unit.name);
    }
    return names;
}

/// \return how many digits after the point give a whole number of base units
unsigned
CountDecimals(const Unit& unit)
{
    const unsigned base = unit.factor % 10 == 0 ? 10 : 2;
    unsigned decimals = 0;
    for (uint64_t rest = unit.factor; rest > 1; rest /= base)
    {
        ++decimals;
    }
    return decimals;
}

bool
IsDigit(char letter)
{
    return letter >= '0' && letter <= '9';
}

std::size_t
SkipDigits(const std::string& text, std::size_t begin)
{
    while (begin < text.size() && IsDigit(text[begin]))
    {
        ++begin;
    }
    return begin;
}

/// \return the text as it is quoted in messages
std::string
Quote(const std::string& text)
{
    constexpr std::size_t longest = 60;
    return "'" + (text.size() <= longest ? text : text.substr(0, longest) + "...") + "'";
}

[[noreturn]] void
Fail(const std::string& text, Dimension dimension, const std::string& why)
{
    throw QuantityError(Quote(text) + " is not " + DescribeDimension(dimension) +
                        (why.empty() ? "" : ": " + why));
}

/// Digits with at most one point, and the text after them.
struct Decimal
{
    std::string whole;    //!< digits before the point
    std::string fraction; //!< digits after it, without zeros at the end
    std::string rest;     //!< text after the number
};

Decimal
SplitDecimal(const std::string& text, Dimension dimension)
{
    constexpr std::size_t mostDigits = 40; // more than any quantity can have
    Decimal decimal;
    std::size_t at = SkipDigits(text, 0);
    decimal.whole = text.substr(0, at);
    if (decimal.whole.empty())
    {
        Fail(text, dimension, "it must begin with a digit");
    }
    if (at < text.size() && text[at] == '.')
    {
        const std::size_t end = SkipDigits(text, at + 1);
        decimal.fraction = text.substr(at + 1, end - at - 1);
        if (decimal.fraction.empty())
        {
            Fail(text, dimension, "digits must follow the point");
        }
        at = end;
    }
    decimal.rest = text.substr(at);
    if (decimal.whole.size() > 1 && decimal.whole[0] == '0')
    {
        Fail(text, dimension, "numbers are decimal and have no leading zeros");
    }
    if (decimal.whole.size() + decimal.fraction.size() > mostDigits)
    {
        Fail(text, dimension, "too many digits");
    }
    while (!decimal.fraction.empty() && decimal.fraction.back() == '0')
    {
        decimal.fraction.pop_back();
    }
    return decimal;
}

std::string
GetNumberText(const Decimal& decimal)
{
    return decimal.whole + (decimal.fraction.empty() ? "" : "." + decimal.fraction);
}

/// \return the unit that a user most likely meant, or an empty string: of a short form (`400G`,
/// `5u`) the smallest that begins so
std::string
FindNearestUnit(const std::string& unit, const std::vector<std::string>& names)
{
    const auto isShort = [&](const std::string& name) {
        return unit.size() < name.size() &&
               std::equal(unit.begin(),
                          unit.end(),
                          name.begin(),
                          [](unsigned char one, unsigned char other) {
                              return std::tolower(one) == std::tolower(other);
                          });
    };
    const auto whole = std::find_if(names.begin(), names.end(), isShort);
    return whole == names.end() ? NearestName(unit, names) : *whole;
}

/// \return "did you mean '...'?" about a unit that is not one of the dimension
std::string
SuggestUnit(const Decimal& decimal, Dimension dimension)
{
    const std::string number = GetNumberText(decimal);
    std::string unit = decimal.rest;
    unit.erase(std::remove(unit.begin(), unit.end(), ' '), unit.end());
    const std::vector<std::string> names = GetUnitNames(dimension);
    if (unit.empty())
    {
        return "the unit is missing";
    }
    if (std::find(names.begin(), names.end(), unit) != names.end())
    {
        return "write it without a space: '" + number + unit + "'";
    }
    const std::string nearest = FindNearestUnit(unit, names);
    std::string text = "unknown unit " + Quote(unit);
    if (dimension == Dimension::Rate && unit.find('B') != std::string::npos)
    {
        text += " (rates are in bit/s, not in byte/s)";
    }
    return text + (nearest.empty() ? "" : "; did you mean '" + number + nearest + "'?");
}

/**
 * \param largest largest value that the caller can hold
 * \return the quantity in base units
 */
uint64_t
ParseScaled(const std::string& text, Dimension dimension, uint64_t largest)
{
    const Decimal decimal = SplitDecimal(text, dimension);
    const Units& units = GetUnits(dimension);
    const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& candidate) {
        return candidate.name == decimal.rest;
    });
    if (unit == units.end())
    {
        Fail(text, dimension, SuggestUnit(decimal, dimension));
    }
    // Exact: a fraction of a byte or of a picosecond is a mistake, not something to round.
    std::string digits = decimal.whole + decimal.fraction;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1)); // 08 is octal
    cpp_int value(digits);
    cpp_int divisor =
        boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(decimal.fraction.size()));
    value *= unit->factor;
    if (value % divisor != 0)
    {
        Fail(text, dimension, std::string("it is not a whole number of ") + units.front().name);
    }
    value /= divisor;
    if (value > largest)
    {
        Fail(text, dimension, "it is too large");
    }
    return value.convert_to<uint64_t>();
}

} // namespace

TimePs
ParseTime(const std::string& text)
{
    return static_cast<TimePs>(
        ParseScaled(text, Dimension::Time, std::numeric_limits<TimePs>::max()));
}

uint64_t
ParseRate(const std::string& text)
{
    return ParseScaled(text, Dimension::Rate, std::numeric_limits<uint64_t>::max());
}

uint64_t
ParseBytes(const std::string& text)
{
    return ParseScaled(text, Dimension::Bytes, ByteSize::Automatic().Get() - 1);
}

uint64_t
ParseCount(const std::string& text)
{
    const Decimal decimal = SplitDecimal(text, Dimension::Count);
    if (text.find('.') != std::string::npos)
    {
        Fail(text, Dimension::Count, "it has a fraction");
    }
    if (!decimal.rest.empty())
    {
        Fail(text, Dimension::Count, "nothing may follow the digits");
    }
    uint64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || end != text.data() + text.size())
    {
        Fail(text, Dimension::Count, "it is too large");
    }
    return count;
}

double
ParseNumber(const std::string& text)
{
    const bool negative = !text.empty() && text[0] == '-';
    const Decimal decimal = SplitDecimal(negative ? text.substr(1) : text, Dimension::Number);
    if (!decimal.rest.empty())
    {
        const std::string& exponent = decimal.rest;
        std::size_t at = 1;
        if (exponent.size() > at && (exponent[at] == '-' || exponent[at] == '+'))
        {
            ++at;
        }
        const bool marked = exponent[0] == 'e' || exponent[0] == 'E';
        if (!marked || at == exponent.size() || SkipDigits(exponent, at) != exponent.size())
        {
            Fail(text, Dimension::Number, "nothing may follow the number");
        }
    }
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    {
        Fail(text, Dimension::Number, "it is too large or too small");
    }
    return number;
}

bool
ParseSwitch(const std::string& text)
{
    if (text == "true" || text == "false")
    {
        return text == "true";
    }
    static const std::vector<std::string> yes{"True", "TRUE", "yes", "Yes", "on", "On", "1"};
    static const std::vector<std::string> no{"False", "FALSE", "no", "No", "off", "Off", "0"};
    const auto among = [&](const std::vector<std::string>& words) {
        return std::find(words.begin(), words.end(), text) != words.end();
    };
    std::string nearest = among(yes) ? "true" : among(no) ? "false" : "";
    if (nearest.empty())
    {
        nearest = NearestName(text, {"true", "false"});
    }
    Fail(text, Dimension::Switch, nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

std::string
FormatTime(TimePs time)
{
    if (time == 0)
    {
        return "0s";
    }
    const Units& units = GetUnits(Dimension::Time);
    const auto unit = std::find_if(units.rbegin(), units.rend(), [&](const Unit& candidate) {
        return time % static_cast<TimePs>(candidate.factor) == 0;
    });
    return std::to_string(time / static_cast<TimePs>(unit->factor)) + unit->name;
}

std::string
FormatRate(uint64_t bps)
{
    if (bps == 0)
    {
        return "0bps";
    }
    const Units& units = GetUnits(Dimension::Rate);
    const auto unit = std::find_if(units.rbegin(), units.rend(), [&](const Unit& candidate) {
        return bps % candidate.factor == 0;
    });
    return std::to_string(bps / unit->factor) + unit->name;
}

std::string
FormatBytes(uint64_t bytes)
{
    // Sizes of frames stay in bytes; otherwise the largest unit that gives a whole number, with
    // powers of 1000 before powers of 1024.
    constexpr uint64_t plain = 10'000;
    const Units& units = GetUnits(Dimension::Bytes);
    const Unit* best = &units.front();
    for (const Unit& unit : units)
    {
        const bool decimal = unit.factor % 1000 == 0;
        const bool settled = best->factor % 1000 == 0 || (!decimal && bytes < plain);
        if (bytes != 0 && bytes % unit.factor == 0 && (decimal || !settled))
        {
            best = &unit;
        }
    }
    return std::to_string(bytes / best->factor) + best->name;
}

std::string
FormatNumber(double number)
{
    std::array<char, 40> text;
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), end};
}

std::string
FormatSeconds(TimePs time)
{
    constexpr TimePs second = 1'000'000'000'000;
    constexpr std::size_t decimals = 12;
    const std::string fraction = std::to_string(time % second);
    return std::to_string(time / second) + "." + std::string(decimals - fraction.size(), '0') +
           fraction;
}

std::string
DescribeDimension(Dimension dimension)
{
    switch (dimension)
    {
    case Dimension::Count:
        return "a count (decimal digits, no unit)";
    case Dimension::Number:
        return "a number (decimal, no unit)";
    case Dimension::Switch:
        return "a switch (true or false)";
    default:
        break;
    }
    const std::string what =
        dimension == Dimension::Bytes ? "a size" : "a " + DimensionName(dimension);
    return what + " with its unit (" + DimensionUnits(dimension) + ")";
}

std::string
DimensionUnits(Dimension dimension)
{
    return JoinNames(GetUnitNames(dimension));
}

std::string
DimensionName(Dimension dimension)
{
    switch (dimension)
    {
    case Dimension::Time:
        return "time";
    case Dimension::Rate:
        return "rate";
    case Dimension::Bytes:
        return "bytes";
    case Dimension::Count:
        return "count";
    case Dimension::Number:
        return "number";
    case Dimension::Switch:
        return "switch";
    }
    return "";
}

std::string
MakeQuantityPattern(Dimension dimension, bool withZero)
{
    std::string units;
    for (const Unit& unit : GetUnits(dimension))
    {
        const unsigned decimals = CountDecimals(unit);
        const std::string fraction =
            decimals == 0 ? "\\.0+" : "\\.[0-9]{1," + std::to_string(decimals) + "}0*";
        units += (units.empty() ? "(" : "|(") + fraction + ")?" + unit.name;
    }
    return std::string("^") + (withZero ? "" : "(?!0(\\.0+)?[A-Za-z])") + "(0|[1-9][0-9]*)(" +
           units + ")$";
}

std::string
FormatRoundBytes(double bytes)
{
    constexpr double thousand = 1e3;
    constexpr double digits = 1e2; // of a number below ten, behind the point
    const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    while (bytes >= thousand && unit + 1 < std::size(units))
    {
        bytes /= thousand;
        ++unit;
    }
    const double scale = bytes >= 100 ? 1 : bytes >= 10 ? digits / 10 : digits;
    double rounded = std::ceil(bytes * scale * (1 - 1e-12)) / scale;
    if (rounded >= thousand && unit + 1 < std::size(units))
    {
        rounded /= thousand;
        ++unit;
    }
    return FormatNumber(rounded) + " " + units[unit];
}

std::string
FormatFixed(double number, int decimals)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << number;
    return text.str();
}

// Declared with ByteSize, which this file builds on.
std::istream&
operator>>(std::istream& is, ByteSize& size)
{
    std::string text;
    is >> std::ws;
    for (int next = is.peek(); std::isalnum(next) || next == '.'; next = is.peek())
    {
        text += static_cast<char>(is.get());
    }
    const bool isPlain = text.find_first_not_of("0123456789") == std::string::npos;
    if (isPlain)
    {
        std::istringstream number(text);
        uint64_t bytes = 0;
        number >> bytes ? void(size = ByteSize(bytes)) : is.setstate(std::ios::failbit);
        return is;
    }
    try
    {
        size = ByteSize(ParseBytes(text));
    }
    catch (const QuantityError&)
    {
        is.setstate(std::ios::failbit);
    }
    return is;
}

} // namespace ns3::rails
