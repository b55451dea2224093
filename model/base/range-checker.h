// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANGE_CHECKER_H
#define RANGE_CHECKER_H

#include "rails-units.h"
#include "value-checker.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <string>

namespace ns3::rails
{

/// The number behind a type of attribute values.
template <typename Value>
struct RangeTraits;

template <>
struct RangeTraits<TimeValue>
{
    using Number = TimePs;
    static constexpr const char* kTypeName = "ns3::TimeValue";

    static Number Get(const TimeValue& value)
    {
        return value.Get().GetPicoSeconds();
    }
};

template <>
struct RangeTraits<DataRateValue>
{
    using Number = uint64_t; // bit/s
    static constexpr const char* kTypeName = "ns3::DataRateValue";

    static Number Get(const DataRateValue& value)
    {
        return value.Get().GetBitRate();
    }
};

/**
 * Checks that a value is in a range, and tells which.
 * \tparam Value a type of attribute values with a number behind it, see RangeTraits
 */
template <typename Value>
class RangeChecker : public ValueChecker<Value>
{
  public:
    using Number = typename RangeTraits<Value>::Number;

    /// \param least smallest value allowed \param most largest one
    RangeChecker(Number least, Number most)
        : m_least(least),
          m_most(most)
    {
    }

    Number GetLeast() const
    {
        return m_least;
    }

    Number GetMost() const
    {
        return m_most;
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto* typed = dynamic_cast<const Value*>(&value);
        return typed && RangeTraits<Value>::Get(*typed) >= m_least &&
               RangeTraits<Value>::Get(*typed) <= m_most;
    }

    std::string GetValueTypeName() const override
    {
        return RangeTraits<Value>::kTypeName;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return std::to_string(m_least) + ":" + std::to_string(m_most);
    }

  private:
    Number m_least;
    Number m_most;
};

/// Of a time in ps. ns-3's own checker rounds its limits before the time resolution is set.
inline Ptr<const AttributeChecker>
MakeTimeRange(TimePs least = 0, TimePs most = kNever)
{
    return Create<RangeChecker<TimeValue>>(least, most);
}

/// Of a rate in bit/s.
inline Ptr<const AttributeChecker>
MakeRateRange(uint64_t least = 0, uint64_t most = std::numeric_limits<uint64_t>::max())
{
    return Create<RangeChecker<DataRateValue>>(least, most);
}

} // namespace ns3::rails

#endif // RANGE_CHECKER_H
