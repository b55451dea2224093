// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-quantity.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return the message of a QuantityError, or what was read
template <typename Parse>
std::string
GetError(Parse&& parse, const std::string& text)
{
    try
    {
        return "no error, but " + std::to_string(parse(text));
    }
    catch (const QuantityError& error)
    {
        return error.what();
    }
}

/// A text that must be refused, and parts of the message.
using Refusals = std::vector<std::pair<std::string, std::vector<std::string>>>;

template <typename Parse>
void
ExpectRefused(Parse&& parse, const Refusals& refusals)
{
    for (const auto& [text, parts] : refusals)
    {
        const std::string message = GetError(parse, text);
        for (const std::string& part : parts)
        {
            EXPECT_NE(message.find(part), std::string::npos) << text << " gave: " << message;
        }
    }
}

} // namespace

TEST(Quantity, TimesAreExactPicoseconds)
{
    const std::vector<std::pair<std::string, TimePs>> times{
        {"0s", 0},
        {"1ps", 1},
        {"0.3ns", 300},
        {"500ns", 500'000},
        {"1.5us", 1'500'000},
        {"0.000001us", 1},
        {"50ms", 50'000'000'000},
        {"2s", 2'000'000'000'000},
        {"0.08ns", 80},
        {"1.000ps", 1},
        {"9223372036854775807ps", std::numeric_limits<TimePs>::max()},
    };
    for (const auto& [text, time] : times)
    {
        EXPECT_EQ(ParseTime(text), time) << text;
    }
}

TEST(Quantity, RatesAreBitsPerSecond)
{
    EXPECT_EQ(ParseRate("400Gbps"), 400'000'000'000U);
    EXPECT_EQ(ParseRate("12.5Gbps"), 12'500'000'000U);
    EXPECT_EQ(ParseRate("1bps"), 1U);
    EXPECT_EQ(ParseRate("1Kbps"), 1'000U);
    EXPECT_EQ(ParseRate("40Mbps"), 40'000'000U);
    EXPECT_EQ(ParseRate("3.6Tbps"), 3'600'000'000'000U);
}

TEST(Quantity, SizesHaveDecimalAndBinaryUnits)
{
    EXPECT_EQ(ParseBytes("4096B"), 4096U);
    EXPECT_EQ(ParseBytes("400KB"), 400'000U);
    EXPECT_EQ(ParseBytes("4MB"), 4'000'000U);
    EXPECT_EQ(ParseBytes("1GB"), 1'000'000'000U);
    EXPECT_EQ(ParseBytes("1TB"), 1'000'000'000'000U);
    EXPECT_EQ(ParseBytes("1KiB"), 1024U);
    EXPECT_EQ(ParseBytes("1.5MiB"), 1'572'864U);
    EXPECT_EQ(ParseBytes("64MiB"), 67'108'864U);
    EXPECT_EQ(ParseBytes("0.5GiB"), 536'870'912U);
    EXPECT_EQ(ParseBytes("2TiB"), uint64_t{2} << 40);
    EXPECT_EQ(ParseBytes("0.08KB"), 80U); // not octal
}

TEST(Quantity, CountsAreDecimalIntegers)
{
    EXPECT_EQ(ParseCount("0"), 0U);
    EXPECT_EQ(ParseCount("10"), 10U);
    EXPECT_EQ(ParseCount("18446744073709551615"), std::numeric_limits<uint64_t>::max());
    ExpectRefused(ParseCount,
                  {
                      {"010", {"'010'", "a count", "leading zeros"}},
                      {"0x10", {"nothing may follow"}},
                      {"1e3", {"nothing may follow"}},
                      {"1.0", {"fraction"}},
                      {"-1", {"must begin with a digit"}},
                      {"+1", {"must begin with a digit"}},
                      {"1_000", {"nothing may follow"}},
                      {"8 ", {"nothing may follow"}},
                      {"", {"must begin with a digit"}},
                      {"18446744073709551616", {"too large"}},
                      {std::string(1000, '9'), {"too many digits", "..."}},
                  });
}

TEST(Quantity, NumbersMayHaveSignAndExponent)
{
    EXPECT_DOUBLE_EQ(ParseNumber("0.2"), 0.2);
    EXPECT_DOUBLE_EQ(ParseNumber("1"), 1);
    EXPECT_DOUBLE_EQ(ParseNumber("-3.5"), -3.5);
    EXPECT_DOUBLE_EQ(ParseNumber("1e-3"), 1e-3);
    EXPECT_DOUBLE_EQ(ParseNumber("2.5E+2"), 250);
    ExpectRefused(ParseNumber,
                  {
                      {"", {"a number"}},
                      {".5", {"must begin with a digit"}},
                      {"1.", {"digits must follow the point"}},
                      {"1/16", {"nothing may follow"}},
                      {"10%", {"nothing may follow"}},
                      {"0,2", {"nothing may follow"}},
                      {"nan", {"must begin with a digit"}},
                      {"inf", {"must begin with a digit"}},
                      {"1e", {"nothing may follow"}},
                      {"1e400", {"too large"}},
                      {"00.5", {"leading zeros"}},
                      {"--1", {"must begin with a digit"}},
                  });
}

TEST(Quantity, SwitchesAreTrueOrFalseOnly)
{
    EXPECT_TRUE(ParseSwitch("true"));
    EXPECT_FALSE(ParseSwitch("false"));
    ExpectRefused(ParseSwitch,
                  {
                      {"yes", {"a switch (true or false)", "did you mean 'true'?"}},
                      {"on", {"did you mean 'true'?"}},
                      {"1", {"did you mean 'true'?"}},
                      {"off", {"did you mean 'false'?"}},
                      {"0", {"did you mean 'false'?"}},
                      {"True", {"did you mean 'true'?"}},
                      {"flase", {"did you mean 'false'?"}},
                      {"maybe", {"true or false"}},
                  });
}

TEST(Quantity, NumberWithoutUnitIsRefusedWithTheUnits)
{
    ExpectRefused(ParseTime, {{"5", {"'5'", "ps, ns, us, ms, s", "the unit is missing"}}});
    ExpectRefused(ParseRate,
                  {{"400", {"bps, Kbps, Mbps, Gbps, Tbps", "the unit is missing"}},
                   {"0", {"the unit is missing"}}});
    ExpectRefused(ParseBytes,
                  {{"4096", {"B, KB, MB, GB, TB, KiB, MiB, GiB, TiB", "the unit is missing"}}});
}

TEST(Quantity, WrongUnitIsRefusedWithTheNearest)
{
    ExpectRefused(ParseRate,
                  {
                      {"400GBps", {"'GBps'", "bit/s, not in byte/s", "did you mean '400Gbps'?"}},
                      {"400gbps", {"did you mean '400Gbps'?"}},
                      {"400Gbit/s", {"unknown unit 'Gbit/s'"}},
                      {"400Gb/s", {"did you mean '400Gbps'?"}},
                      {"400G", {"unknown unit 'G'", "did you mean '400Gbps'?"}},
                      {"1t", {"did you mean '1Tbps'?"}},
                      {"10kbps", {"did you mean '10Kbps'?"}},
                      {"400 Gbps", {"without a space: '400Gbps'"}},
                      {"4MB", {"not a rate"}},
                  });
    ExpectRefused(ParseBytes,
                  {
                      {"4 KB", {"without a space: '4KB'"}},
                      {"4kB", {"did you mean '4KB'?"}},
                      {"4mb", {"did you mean '4MB'?"}},
                      {"64Mib", {"did you mean '64MiB'?"}},
                      {"64MIB", {"did you mean '64MiB'?"}},
                      {"4Mb", {"did you mean '4MB'?"}},
                      {"4bytes", {"unknown unit 'bytes'"}},
                      {"64M", {"did you mean '64MB'?"}},
                      {"64Mi", {"did you mean '64MiB'?"}},
                      {"1.5g", {"did you mean '1.5GB'?"}},
                      {"5ns", {"not a size"}},
                  });
    ExpectRefused(ParseTime,
                  {
                      {"5sec", {"unknown unit 'sec'"}},
                      {"5µs", {"unknown unit"}},
                      {"5NS", {"did you mean '5ns'?"}},
                      {"5u", {"did you mean '5us'?"}},
                      {"5m", {"did you mean '5ms'?"}},
                      {"5min", {"unknown unit 'min'"}},
                      {"1h", {"unknown unit 'h'"}},
                  });
}

TEST(Quantity, FractionsOfTheBaseUnitAreRefused)
{
    ExpectRefused(
        ParseTime,
        {{"0.5ps", {"not a whole number of ps"}}, {"0.0003ns", {"not a whole number of ps"}}});
    ExpectRefused(ParseBytes,
                  {{"1.5B", {"not a whole number of B"}}, {"0.3KiB", {"not a whole number of B"}}});
    ExpectRefused(ParseRate, {{"0.1bps", {"not a whole number of bps"}}});
}

TEST(Quantity, OverflowIsRefused)
{
    ExpectRefused(ParseTime,
                  {{"9223372036854775808ps", {"too large"}}, {"9300000s", {"too large"}}});
    ExpectRefused(ParseBytes,
                  {{"18446744073709551615B", {"too large"}}, {"99999999999TiB", {"too large"}}});
    ExpectRefused(ParseRate,
                  {{"18446744073709551616bps", {"too large"}},
                   {"99999999999999999999999999999999999999999Gbps", {"too many digits"}}});
}

TEST(Quantity, SignsExponentsAndNoiseAreRefused)
{
    for (const std::string text : {"-5ns", "+5ns", " 5ns", "5 ns ", "1e3ns", "0x5ns", "ns", "5.ns"})
    {
        EXPECT_THROW(ParseTime(text), QuantityError) << text;
    }
    for (const std::string text : {"", " ", ".", "1..5MB", "1.5.2MB", "MB", "1,5MB", "1'000B"})
    {
        EXPECT_THROW(ParseBytes(text), QuantityError) << text;
    }
}

TEST(Quantity, TextsReadBackToTheSameQuantity)
{
    const std::vector<uint64_t> numbers{0,
                                        1,
                                        64,
                                        999,
                                        1000,
                                        1024,
                                        4096,
                                        8192,
                                        10'240,
                                        65'536,
                                        400'000,
                                        1'600'000,
                                        4'000'000,
                                        67'108'864,
                                        1'000'000'007,
                                        3'600'000'000'000,
                                        uint64_t{1} << 40,
                                        uint64_t{1} << 62};
    for (const uint64_t number : numbers)
    {
        EXPECT_EQ(ParseBytes(FormatBytes(number)), number) << FormatBytes(number);
        EXPECT_EQ(ParseRate(FormatRate(number)), number) << FormatRate(number);
        const auto time = static_cast<TimePs>(number);
        EXPECT_EQ(ParseTime(FormatTime(time)), time) << FormatTime(time);
    }
    for (const double number : {0.0, 0.1, 1.0 / 3, 1e-9, 12345.678, -2.5, 1e300})
    {
        EXPECT_EQ(ParseNumber(FormatNumber(number)), number) << FormatNumber(number);
    }
}

TEST(Quantity, TextsAreTheOnesThatPeopleWrite)
{
    EXPECT_EQ(FormatBytes(64 << 20), "64MiB");
    EXPECT_EQ(FormatBytes(4096), "4096B");
    EXPECT_EQ(FormatBytes(1'600'000), "1600KB");
    EXPECT_EQ(FormatBytes(4'000'000), "4MB");
    EXPECT_EQ(FormatRoundBytes(0), "0 B");
    EXPECT_EQ(FormatRoundBytes(611'815), "612 kB");
    EXPECT_EQ(FormatRoundBytes(1'000), "1 kB");
    EXPECT_EQ(FormatRoundBytes(1'001), "1.01 kB");
    EXPECT_EQ(FormatRoundBytes(12'310'000), "12.4 MB");
    EXPECT_EQ(FormatRoundBytes(999'999), "1 MB");
    EXPECT_EQ(FormatRate(400'000'000'000), "400Gbps");
    EXPECT_EQ(FormatRate(12'500'000'000), "12500Mbps");
    EXPECT_EQ(FormatTime(500'000), "500ns");
    EXPECT_EQ(FormatTime(0), "0s");
    EXPECT_EQ(FormatSeconds(1'234'567), "0.000001234567");
    EXPECT_EQ(FormatSeconds(3'000'000'000'001), "3.000000000001");
}

} // namespace ns3::rails
