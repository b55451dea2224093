// SPDX-License-Identifier: GPL-2.0-only
#include "rails-time-word.h"

#include <utility>

namespace ns3::rails
{

TimeWordChecker::TimeWordChecker(std::string word)
    : m_word(std::move(word))
{
}

bool
TimeWordChecker::Check(const AttributeValue& value) const
{
    const auto* time = dynamic_cast<const TimeValue*>(&value);
    return time && !time->Get().IsStrictlyNegative();
}

std::string
TimeWordChecker::GetValueTypeName() const
{
    return "ns3::TimeValue";
}

bool
TimeWordChecker::HasUnderlyingTypeInformation() const
{
    return true;
}

std::string
TimeWordChecker::GetUnderlyingTypeInformation() const
{
    return "Time, or " + m_word;
}

Ptr<AttributeValue>
TimeWordChecker::Create() const
{
    return ns3::Create<TimeValue>();
}

bool
TimeWordChecker::Copy(const AttributeValue& source, AttributeValue& destination) const
{
    const auto* from = dynamic_cast<const TimeValue*>(&source);
    auto* to = dynamic_cast<TimeValue*>(&destination);
    if (!from || !to)
    {
        return false;
    }
    *to = *from;
    return true;
}

const std::string&
TimeWordChecker::GetWord() const
{
    return m_word;
}

Ptr<const AttributeChecker>
MakeTimeWordChecker(std::string word)
{
    return Create<TimeWordChecker>(std::move(word));
}

} // namespace ns3::rails
