// SPDX-License-Identifier: GPL-2.0-only
#ifndef VALUE_LIST_H
#define VALUE_LIST_H

#include "value-checker.h"

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/string.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// A list of numbers, counts or names as an ns-3 attribute; as text, "[0.5, 0.25, 0.25]".
template <typename T>
class ValueList
{
  public:
    ValueList() = default;

    ValueList(std::vector<T> items)
        : m_items(std::move(items))
    {
    }

    const std::vector<T>& Get() const
    {
        return m_items;
    }

  private:
    std::vector<T> m_items;
};

using NumberList = ValueList<double>;
using CountList = ValueList<uint32_t>;
using NameList = ValueList<std::string>;

std::ostream& operator<<(std::ostream& os, const NumberList& list);
std::ostream& operator<<(std::ostream& os, const CountList& list);
std::ostream& operator<<(std::ostream& os, const NameList& list);
std::istream& operator>>(std::istream& is, NumberList& list);
std::istream& operator>>(std::istream& is, CountList& list);
std::istream& operator>>(std::istream& is, NameList& list);

ATTRIBUTE_HELPER_HEADER(NumberList);
ATTRIBUTE_HELPER_HEADER(CountList);
ATTRIBUTE_HELPER_HEADER(NameList);

/**
 * Checks the length of a list.
 * \tparam Value attribute value of a list
 */
template <typename Value>
class ListSizeChecker : public ValueChecker<Value>
{
  public:
    ListSizeChecker(const char* typeName, std::size_t least, std::size_t most)
        : m_typeName(typeName),
          m_least(least),
          m_most(most)
    {
    }

    std::size_t GetLeast() const
    {
        return m_least;
    }

    std::size_t GetMost() const
    {
        return m_most;
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto* list = dynamic_cast<const Value*>(&value);
        return list && list->Get().Get().size() >= m_least && list->Get().Get().size() <= m_most;
    }

    std::string GetValueTypeName() const override
    {
        return m_typeName;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "list of " + std::to_string(m_least) + " to " + std::to_string(m_most);
    }

  private:
    const char* m_typeName;
    std::size_t m_least;
    std::size_t m_most;
};

/// Checker of a list of names by its length.
Ptr<const AttributeChecker> MakeNameListChecker(std::size_t least, std::size_t most);

/// Checks that a list is either one exclusive word, or several listed words, each once.
class WordListChecker : public ValueChecker<NameListValue>
{
  public:
    /**
     * \param alone exclusive words, written without brackets
     * \param listed words that may be combined, written as a list
     */
    WordListChecker(std::vector<std::string> alone, std::vector<std::string> listed);

    const std::vector<std::string>& GetAlone() const
    {
        return m_alone;
    }

    const std::vector<std::string>& GetListed() const
    {
        return m_listed;
    }

    bool Check(const AttributeValue& value) const override;
    std::string GetValueTypeName() const override;
    std::string GetUnderlyingTypeInformation() const override;

  private:
    std::vector<std::string> m_alone;
    std::vector<std::string> m_listed;
};

/// Checks that a value is a text; a list of counts is one, too: "[3, 2, 2]".
class TextOrCountsChecker : public ValueChecker<StringValue>
{
  public:
    bool Check(const AttributeValue& value) const override;
    std::string GetValueTypeName() const override;
    std::string GetUnderlyingTypeInformation() const override;
};

} // namespace ns3::rails

#endif // VALUE_LIST_H
