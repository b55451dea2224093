// SPDX-License-Identifier: GPL-2.0-only
#include "component-list.h"

#include "ns3/object-factory.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <sstream>

namespace ns3::rails
{

void
ComponentListValue::Add(const std::string& name, Ptr<Object> component)
{
    m_entries.push_back({name, std::move(component)});
}

Ptr<AttributeValue>
ComponentListValue::Copy() const
{
    return Create<ComponentListValue>(*this);
}

std::string
ComponentListValue::SerializeToString(Ptr<const AttributeChecker> /* checker */) const
{
    std::string text;
    for (const Entry& entry : m_entries)
    {
        text += (text.empty() ? "" : "; ") + entry.name + (entry.name.empty() ? "" : "=") +
                entry.component->GetInstanceTypeId().GetName();
    }
    return text;
}

bool
ComponentListValue::DeserializeFromString(std::string value,
                                          Ptr<const AttributeChecker> /* checker */)
{
    std::vector<std::string> items;
    boost::algorithm::split(items, value, boost::algorithm::is_any_of(";"));
    ComponentListValue read;
    for (std::string& item : items)
    {
        boost::algorithm::trim(item);
        if (item.empty() && items.size() == 1)
        {
            break;
        }
        const std::size_t equals = item.substr(0, item.find('[')).find('=');
        const std::string name = equals == std::string::npos ? "" : item.substr(0, equals);
        item.erase(0, equals == std::string::npos ? 0 : equals + 1);
        TypeId id;
        ObjectFactory factory;
        // ns-3 would abort the process for an unknown type.
        if (!TypeId::LookupByNameFailSafe(item.substr(0, item.find('[')), &id) ||
            !id.HasConstructor() || !(std::istringstream(item) >> factory))
        {
            return false;
        }
        read.Add(name, factory.Create<Object>());
    }
    *this = read;
    return true;
}

ComponentListChecker::ComponentListChecker(std::string noun, bool isNamed)
    : m_noun(std::move(noun)),
      m_isNamed(isNamed)
{
}

bool
ComponentListChecker::Check(const AttributeValue& value) const
{
    const auto* list = dynamic_cast<const ComponentListValue*>(&value);
    const TypeId base = GetBase();
    return list && std::all_of(list->GetEntries().begin(),
                               list->GetEntries().end(),
                               [&](const ComponentListValue::Entry& entry) {
                                   const TypeId id = entry.component
                                                         ? entry.component->GetInstanceTypeId()
                                                         : Object::GetTypeId();
                                   return (id == base || id.IsChildOf(base)) &&
                                          entry.name.empty() != m_isNamed;
                               });
}

std::string
ComponentListChecker::GetValueTypeName() const
{
    return "ns3::rails::ComponentListValue";
}

std::string
ComponentListChecker::GetUnderlyingTypeInformation() const
{
    return "list of " + GetBase().GetName();
}

} // namespace ns3::rails
