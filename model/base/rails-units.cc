// SPDX-License-Identifier: GPL-2.0-only
#include "rails-units.h"

#include "ns3/abort.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <istream>
#include <ostream>
#include <sstream>
#include <utility>

namespace ns3::rails
{

TimePs
LongSerialisationTime(uint64_t bytes, uint64_t rateBps)
{
    using boost::multiprecision::uint128_t;
    const uint128_t product = uint128_t(bytes) * 8'000'000'000'000ULL + (rateBps - 1);
    return (product / rateBps).convert_to<TimePs>();
}

std::ostream&
operator<<(std::ostream& os, ByteSize size)
{
    return os << size.Get();
}

std::istream&
operator>>(std::istream& is, ByteSize& size)
{
    uint64_t bytes = 0;
    is >> bytes;
    size = ByteSize(bytes);
    return is;
}

ATTRIBUTE_VALUE_IMPLEMENT(ByteSize);

ByteSizeChecker::ByteSizeChecker(uint64_t minimum, uint64_t maximum, std::string word)
    : m_minimum(minimum),
      m_maximum(maximum),
      m_word(std::move(word))
{
}

bool
ByteSizeChecker::Check(const AttributeValue& value) const
{
    const auto* size = dynamic_cast<const ByteSizeValue*>(&value);
    if (!size)
    {
        return false;
    }
    if (size->Get().IsSpecial())
    {
        return !m_word.empty();
    }
    return size->Get().Get() >= m_minimum && size->Get().Get() <= m_maximum;
}

std::string
ByteSizeChecker::GetValueTypeName() const
{
    return "ns3::rails::ByteSizeValue";
}

bool
ByteSizeChecker::HasUnderlyingTypeInformation() const
{
    return true;
}

std::string
ByteSizeChecker::GetUnderlyingTypeInformation() const
{
    std::ostringstream text;
    text << m_minimum << "B to " << m_maximum << "B";
    if (!m_word.empty())
    {
        text << ", or " << m_word;
    }
    return text.str();
}

Ptr<AttributeValue>
ByteSizeChecker::Create() const
{
    return ns3::Create<ByteSizeValue>();
}

bool
ByteSizeChecker::Copy(const AttributeValue& source, AttributeValue& destination) const
{
    const auto* from = dynamic_cast<const ByteSizeValue*>(&source);
    auto* to = dynamic_cast<ByteSizeValue*>(&destination);
    if (!from || !to)
    {
        return false;
    }
    *to = *from;
    return true;
}

const std::string&
ByteSizeChecker::GetWord() const
{
    return m_word;
}

Ptr<const AttributeChecker>
MakeByteSizeChecker(uint64_t minimum, uint64_t maximum, std::string word)
{
    return ns3::Create<ByteSizeChecker>(minimum, maximum, std::move(word));
}

} // namespace ns3::rails
