// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANGE_CHECKER_H
#define RANGE_CHECKER_H

#include "rails-units.h"
#include "value-checker.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * The number behind a type of attribute values: Number, Get(), the name of the type, the smallest
 * valid number, and a largest one that stands for no upper limit. Times and sizes also have
 * kSpecial, a number above the range that can stand for a word.
 */
template <typename Value>
struct RangeTraits;

/// In ps.
template <>
struct RangeTraits<TimeValue>
{
    using Number = TimePs;
    static constexpr const char* kTypeName = "ns3::TimeValue";
    static constexpr Number kLowest = 0;
    static constexpr Number kHighest = kNever / 2;
    static constexpr Number kSpecial = kNever;

    static Number Get(const TimeValue& value)
    {
        return value.Get().GetPicoSeconds();
    }
};

/// In bit/s.
template <>
struct RangeTraits<DataRateValue>
{
    using Number = uint64_t;
    static constexpr const char* kTypeName = "ns3::DataRateValue";
    static constexpr Number kLowest = 0;
    static constexpr Number kHighest = std::numeric_limits<Number>::max();

    static Number Get(const DataRateValue& value)
    {
        return value.Get().GetBitRate();
    }
};

template <>
struct RangeTraits<ByteSizeValue>
{
    using Number = uint64_t;
    static constexpr const char* kTypeName = "ns3::rails::ByteSizeValue";
    static constexpr Number kLowest = 0;
    static constexpr Number kHighest = Number{1} << 62;
    static constexpr Number kSpecial = ByteSize::Special().Get();

    static Number Get(const ByteSizeValue& value)
    {
        return value.Get().Get();
    }
};

/// For values that hold only their number.
template <typename Value, typename NumberOfValue>
struct PlainRangeTraits
{
    using Number = NumberOfValue;
    static constexpr Number kLowest = std::numeric_limits<Number>::lowest();
    static constexpr Number kHighest = std::numeric_limits<Number>::max();

    static Number Get(const Value& value)
    {
        return value.Get();
    }
};

template <>
struct RangeTraits<UintegerValue> : PlainRangeTraits<UintegerValue, uint64_t>
{
    static constexpr Number kSpecial = std::numeric_limits<uint32_t>::max();
    static constexpr const char* kTypeName = "ns3::UintegerValue";
};

template <>
struct RangeTraits<IntegerValue> : PlainRangeTraits<IntegerValue, int64_t>
{
    static constexpr const char* kTypeName = "ns3::IntegerValue";
};

template <>
struct RangeTraits<DoubleValue> : PlainRangeTraits<DoubleValue, double>
{
    static constexpr const char* kTypeName = "ns3::DoubleValue";
};

/**
 * Checks that a value is in a range, and gives access to its limits, which ns-3's checkers hide. It
 * knows the words for special values beyond the range (RangeTraits::kSpecial and the numbers just
 * below it), if any.
 * \tparam Value a type of attribute values with RangeTraits
 */
template <typename Value>
class RangeChecker : public ValueChecker<Value>
{
  public:
    using Number = typename RangeTraits<Value>::Number;

    /**
     * \param least smallest value allowed
     * \param most largest value allowed
     * \param words the first stands for kSpecial, the second for kSpecial - 1
     */
    RangeChecker(Number least, Number most, std::vector<std::string> words = {})
        : m_least(least),
          m_most(most),
          m_words(std::move(words))
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

    /// \return the words for special values, from kSpecial down
    const std::vector<std::string>& GetWords() const
    {
        return m_words;
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto* typed = dynamic_cast<const Value*>(&value);
        if (!typed)
        {
            return false;
        }
        const Number number = RangeTraits<Value>::Get(*typed);
        return (number >= m_least && number <= m_most) || IsSpecial(number);
    }

    std::string GetValueTypeName() const override
    {
        return RangeTraits<Value>::kTypeName;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        std::ostringstream text;
        text << m_least << " to " << m_most;
        for (const std::string& word : m_words)
        {
            text << ", or " << word;
        }
        return text.str();
    }

  private:
    template <typename Traits = RangeTraits<Value>>
    auto IsSpecial(Number number) const -> decltype(number == Traits::kSpecial)
    {
        return number <= Traits::kSpecial &&
               number > Traits::kSpecial - static_cast<Number>(m_words.size());
    }

    static bool IsSpecial(...)
    {
        return false;
    }

    Number m_least;
    Number m_most;
    std::vector<std::string> m_words;
};

/**
 * For a TimeValue. ns-3's checker rounds its limits while the time resolution is coarser than ps.
 * \param least in ps
 * \param most in ps
 * \param words the word for Time::Max(), a time that never comes
 */
inline Ptr<const AttributeChecker>
MakeTimeRange(TimePs least = 0, TimePs most = kNever, std::vector<std::string> words = {})
{
    return Create<RangeChecker<TimeValue>>(least, most, std::move(words));
}

/// For a DataRateValue, in bit/s.
inline Ptr<const AttributeChecker>
MakeRateRange(uint64_t least = 0, uint64_t most = RangeTraits<DataRateValue>::kHighest)
{
    return Create<RangeChecker<DataRateValue>>(least, most);
}

/**
 * For a ByteSizeValue.
 * \param least smallest number of bytes allowed
 * \param most largest number of bytes allowed
 * \param words for ByteSize::Special() and ByteSize::Automatic()
 */
inline Ptr<const AttributeChecker>
MakeByteRange(uint64_t least = 0,
              uint64_t most = RangeTraits<ByteSizeValue>::kHighest,
              std::vector<std::string> words = {})
{
    return Create<RangeChecker<ByteSizeValue>>(least, most, std::move(words));
}

/// For a UintegerValue whose owner holds a T.
/// \param words the word for 2^32 - 1
template <typename T>
Ptr<const AttributeChecker>
MakeCountRange(T least = 0,
               T most = std::numeric_limits<T>::max(),
               std::vector<std::string> words = {})
{
    return Create<RangeChecker<UintegerValue>>(least, most, std::move(words));
}

/// For an IntegerValue whose owner holds a T.
template <typename T>
Ptr<const AttributeChecker>
MakeIntegerRange(T least = std::numeric_limits<T>::min(), T most = std::numeric_limits<T>::max())
{
    return Create<RangeChecker<IntegerValue>>(least, most);
}

/// For a DoubleValue.
inline Ptr<const AttributeChecker>
MakeNumberRange(double least = RangeTraits<DoubleValue>::kLowest,
                double most = RangeTraits<DoubleValue>::kHighest)
{
    return Create<RangeChecker<DoubleValue>>(least, most);
}

} // namespace ns3::rails

#endif // RANGE_CHECKER_H
