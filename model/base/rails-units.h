// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_UNITS_H
#define RAILS_UNITS_H

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <iosfwd>
#include <limits>

namespace ns3::rails
{

/// Simulated time in picoseconds: the fast path uses it instead of ns3::Time.
using TimePs = int64_t;

/// A time that never comes.
constexpr TimePs kNever = std::numeric_limits<TimePs>::max();

/// Longest run (46 days); later times, up to twice as long, still fit 64 bits.
constexpr TimePs kLongestRun = 4'000'000'000'000'000'000;

constexpr TimePs kNanosecond = 1'000;
constexpr TimePs kSecond = 1'000'000'000'000;

constexpr double kPicosecondsPerSecond = kSecond;
constexpr double kBitsPerByte = 8;

/// \return the current simulated time; the run's time resolution must be picoseconds.
inline TimePs
NowPs()
{
    return Simulator::Now().GetTimeStep();
}

/**
 * Time that bytes take at a rate, rounded up to a picosecond.
 * \param bytes at most 1 MiB, so that the product fits 64 bits
 * \param rateBps rate in bit/s, not zero
 */
inline TimePs
SerialisationTime(uint64_t bytes, uint64_t rateBps)
{
    return static_cast<TimePs>((bytes * 8'000'000'000'000ULL + rateBps - 1) / rateBps);
}

/// SerialisationTime() for any number of bytes (slow path).
TimePs LongSerialisationTime(uint64_t bytes, uint64_t rateBps);

/// \return the sum of two times; ConfigurationError beyond kLongestRun
TimePs AddTimes(TimePs begin, TimePs duration);

/// \return the product of a time and a count; ConfigurationError beyond kLongestRun
TimePs MultiplyTime(TimePs duration, uint64_t times);

/**
 * A number of bytes as an ns-3 attribute. Its largest value stands for a word of the attribute
 * ("whole", "unlimited", "formula", ...), the second largest for a second word, where the checker
 * defines these words.
 */
class ByteSize
{
  public:
    constexpr ByteSize(uint64_t bytes = 0)
        : m_bytes(bytes)
    {
    }

    /// The value behind the checker's word.
    static constexpr ByteSize Special()
    {
        return ByteSize(std::numeric_limits<uint64_t>::max());
    }

    constexpr bool IsSpecial() const
    {
        return m_bytes == Special().m_bytes;
    }

    /// The value behind the checker's second word.
    static constexpr ByteSize Automatic()
    {
        return ByteSize(Special().m_bytes - 1);
    }

    constexpr bool IsAutomatic() const
    {
        return m_bytes == Automatic().m_bytes;
    }

    constexpr uint64_t Get() const
    {
        return m_bytes;
    }

    constexpr bool operator==(ByteSize other) const
    {
        return m_bytes == other.m_bytes;
    }

  private:
    uint64_t m_bytes;
};

std::ostream& operator<<(std::ostream& os, ByteSize size);
std::istream& operator>>(std::istream& is, ByteSize& size);

ATTRIBUTE_VALUE_DEFINE(ByteSize);
ATTRIBUTE_ACCESSOR_DEFINE(ByteSize);

} // namespace ns3::rails

#endif // RAILS_UNITS_H
