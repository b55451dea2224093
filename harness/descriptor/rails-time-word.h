// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_TIME_WORD_H
#define RAILS_TIME_WORD_H

#include "ns3/attribute.h"
#include "ns3/nstime.h"

#include <string>

namespace ns3::rails
{

/// Checks a TimeValue that is not negative, and knows the word for Time::Max(): a time that never
/// comes.
class TimeWordChecker : public AttributeChecker
{
  public:
    explicit TimeWordChecker(std::string word);

    bool Check(const AttributeValue& value) const override;
    std::string GetValueTypeName() const override;
    bool HasUnderlyingTypeInformation() const override;
    std::string GetUnderlyingTypeInformation() const override;
    Ptr<AttributeValue> Create() const override;
    bool Copy(const AttributeValue& source, AttributeValue& destination) const override;

    /// \return the word that stands for Time::Max()
    const std::string& GetWord() const;

  private:
    std::string m_word;
};

/// \param word what stands for Time::Max()
Ptr<const AttributeChecker> MakeTimeWordChecker(std::string word);

} // namespace ns3::rails

#endif // RAILS_TIME_WORD_H
