// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPONENT_LIST_H
#define COMPONENT_LIST_H

#include "value-checker.h"

#include "ns3/attribute-accessor-helper.h"
#include "ns3/attribute.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Components in a list, or by their names, as an ns-3 attribute that can be set (ObjectVectorValue
 * cannot). An owner holds them as a std::vector of Ptr<T>, or of pairs of a name and a Ptr<T>. The
 * text form is a list for ns-3's factories, "ns3::A; ns3::B[Key=value]"; serialization writes only
 * types and names, as PointerValue does.
 */
class ComponentListValue : public AttributeValue
{
  public:
    /// A component.
    struct Entry
    {
        std::string name; //!< empty in a list
        Ptr<Object> component;
    };

    ComponentListValue() = default;

    /// \param list the components of an owner
    template <typename List>
    explicit ComponentListValue(const List& list)
    {
        Set(list);
    }

    /// \return the components in the order in which they were given
    const std::vector<Entry>& GetEntries() const
    {
        return m_entries;
    }

    void Add(const std::string& name, Ptr<Object> component);

    template <typename T>
    void Set(const std::vector<Ptr<T>>& list);
    template <typename T>
    void Set(const std::vector<std::pair<std::string, Ptr<T>>>& list);

    /// \return false when a component is not of the owner's class
    template <typename T>
    bool GetAccessor(std::vector<Ptr<T>>& list) const;
    template <typename T>
    bool GetAccessor(std::vector<std::pair<std::string, Ptr<T>>>& list) const;

    Ptr<AttributeValue> Copy() const override;
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;
    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker> checker) override;

  private:
    std::vector<Entry> m_entries;
};

/// Checks a ComponentListValue, and knows the class of its components.
class ComponentListChecker : public ValueChecker<ComponentListValue>
{
  public:
    /**
     * \param noun names one component in messages: "phase"
     * \param isNamed whether a descriptor gives components by name
     */
    ComponentListChecker(std::string noun, bool isNamed);

    /// \return class of the components, or base class of their types
    virtual TypeId GetBase() const = 0;

    const std::string& GetNoun() const
    {
        return m_noun;
    }

    bool IsNamed() const
    {
        return m_isNamed;
    }

    bool Check(const AttributeValue& value) const override;
    std::string GetValueTypeName() const override;
    std::string GetUnderlyingTypeInformation() const override;

  private:
    std::string m_noun;
    bool m_isNamed;
};

template <typename T>
void
ComponentListValue::Set(const std::vector<Ptr<T>>& list)
{
    m_entries.clear();
    for (const Ptr<T>& component : list)
    {
        Add("", component);
    }
}

template <typename T>
void
ComponentListValue::Set(const std::vector<std::pair<std::string, Ptr<T>>>& list)
{
    m_entries.clear();
    for (const auto& [name, component] : list)
    {
        Add(name, component);
    }
}

template <typename T>
bool
ComponentListValue::GetAccessor(std::vector<Ptr<T>>& list) const
{
    std::vector<std::pair<std::string, Ptr<T>>> named;
    if (!GetAccessor(named))
    {
        return false;
    }
    list.clear();
    for (const auto& [name, component] : named)
    {
        list.push_back(component);
    }
    return true;
}

template <typename T>
bool
ComponentListValue::GetAccessor(std::vector<std::pair<std::string, Ptr<T>>>& list) const
{
    list.clear();
    for (const Entry& entry : m_entries)
    {
        const Ptr<T> component = DynamicCast<T>(entry.component);
        if (!component)
        {
            return false;
        }
        list.emplace_back(entry.name, component);
    }
    return true;
}

/// \param member a std::vector of Ptr<T>, or of pairs of a name and a Ptr<T>
template <typename T, typename List>
Ptr<const AttributeAccessor>
MakeComponentListAccessor(List T::*member)
{
    return MakeAccessorHelper<ComponentListValue>(member);
}

/**
 * \tparam T class of the components, or base class of their types
 * \param noun names one component in messages: "phase"
 * \param isNamed whether a descriptor gives a map by name instead of a list
 */
template <typename T>
Ptr<const AttributeChecker>
MakeComponentListChecker(const std::string& noun, bool isNamed = false)
{
    class Checker : public ComponentListChecker
    {
      public:
        using ComponentListChecker::ComponentListChecker;

        TypeId GetBase() const override
        {
            return T::GetTypeId(); // not in the constructor: T may hold a list of T
        }
    };

    return Ptr<const AttributeChecker>(new Checker(noun, isNamed), false);
}

} // namespace ns3::rails

#endif // COMPONENT_LIST_H
