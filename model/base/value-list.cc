// SPDX-License-Identifier: GPL-2.0-only
#include "value-list.h"

#include <boost/algorithm/string.hpp>
#include <boost/lexical_cast/try_lexical_convert.hpp>
#include <istream>
#include <iterator>
#include <limits>
#include <ostream>
#include <set>
#include <sstream>
#include <type_traits>

namespace ns3::rails
{

namespace
{

template <typename T>
std::ostream&
Write(std::ostream& os, const ValueList<T>& list)
{
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::digits10);
    const char* separator = "";
    for (const T& item : list.Get())
    {
        text << separator << item;
        separator = ", ";
    }
    return os << "[" << text.str() << "]";
}

template <typename T>
bool
ReadItem(const std::string& text, T& item)
{
    // Brackets belong to lists: a name with a bracket would change when written and read again.
    if (text.find_first_of("[]") != std::string::npos)
    {
        return false;
    }
    // Boost takes -1 for the largest of all counts.
    return (!std::is_unsigned_v<T> || text[0] != '-') &&
           boost::conversion::try_lexical_convert(text, item);
}

template <typename T>
std::istream&
Read(std::istream& is, ValueList<T>& list)
{
    // Reads to the end in any case: ns-3 aborts the process when characters are left.
    std::string text(std::istreambuf_iterator<char>(is), {});
    boost::algorithm::trim_if(text, boost::algorithm::is_any_of("[] "));
    std::vector<std::string> words;
    if (!text.empty())
    {
        boost::algorithm::split(words, text, boost::algorithm::is_any_of(","));
    }
    std::vector<T> items;
    for (std::string& word : words)
    {
        boost::algorithm::trim(word);
        T item{};
        if (word.empty() || !ReadItem(word, item))
        {
            is.setstate(std::ios::failbit | std::ios::eofbit);
            return is;
        }
        items.push_back(item);
    }
    list = ValueList<T>(std::move(items));
    is.clear(std::ios::eofbit);
    return is;
}

} // namespace

std::ostream&
operator<<(std::ostream& os, const NumberList& list)
{
    return Write(os, list);
}

std::ostream&
operator<<(std::ostream& os, const CountList& list)
{
    return Write(os, list);
}

std::ostream&
operator<<(std::ostream& os, const NameList& list)
{
    return Write(os, list);
}

std::istream&
operator>>(std::istream& is, NumberList& list)
{
    return Read(is, list);
}

std::istream&
operator>>(std::istream& is, CountList& list)
{
    return Read(is, list);
}

std::istream&
operator>>(std::istream& is, NameList& list)
{
    return Read(is, list);
}

ATTRIBUTE_VALUE_IMPLEMENT(NumberList);
ATTRIBUTE_VALUE_IMPLEMENT(CountList);
ATTRIBUTE_VALUE_IMPLEMENT(NameList);

Ptr<const AttributeChecker>
MakeNumberListChecker()
{
    return MakeSimpleAttributeChecker<NumberListValue, NumberListChecker>(
        "ns3::rails::NumberListValue",
        "list of numbers");
}

Ptr<const AttributeChecker>
MakeCountListChecker()
{
    return MakeSimpleAttributeChecker<CountListValue, CountListChecker>(
        "ns3::rails::CountListValue",
        "list of counts");
}

Ptr<const AttributeChecker>
MakeNameListChecker()
{
    return MakeSimpleAttributeChecker<NameListValue, NameListChecker>("ns3::rails::NameListValue",
                                                                      "list of names");
}

Ptr<const AttributeChecker>
MakeNameListChecker(std::size_t least, std::size_t most)
{
    return Create<ListSizeChecker<NameListValue>>("ns3::rails::NameListValue", least, most);
}

WordListChecker::WordListChecker(std::vector<std::string> alone, std::vector<std::string> listed)
    : m_alone(std::move(alone)),
      m_listed(std::move(listed))
{
}

bool
WordListChecker::Check(const AttributeValue& value) const
{
    const auto* typed = dynamic_cast<const NameListValue*>(&value);
    if (!typed)
    {
        return false;
    }
    const std::vector<std::string> words = typed->Get().Get();
    const auto has = [](const std::vector<std::string>& known, const std::string& word) {
        return std::find(known.begin(), known.end(), word) != known.end();
    };
    const std::set<std::string> different(words.begin(), words.end());
    return (words.size() == 1 && has(m_alone, words.front())) ||
           (!words.empty() && different.size() == words.size() &&
            std::all_of(words.begin(), words.end(), [&](const std::string& word) {
                return has(m_listed, word);
            }));
}

std::string
WordListChecker::GetValueTypeName() const
{
    return "ns3::rails::NameListValue";
}

std::string
WordListChecker::GetUnderlyingTypeInformation() const
{
    return "words";
}

bool
TextOrCountsChecker::Check(const AttributeValue& value) const
{
    return dynamic_cast<const StringValue*>(&value) != nullptr;
}

std::string
TextOrCountsChecker::GetValueTypeName() const
{
    return "ns3::StringValue";
}

std::string
TextOrCountsChecker::GetUnderlyingTypeInformation() const
{
    return "text, or list of counts";
}

} // namespace ns3::rails
