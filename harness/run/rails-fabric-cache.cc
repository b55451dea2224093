// SPDX-License-Identifier: GPL-2.0-only
#include "rails-fabric-cache.h"

#include "ns3/component-list.h"
#include "ns3/pointer.h"
#include "ns3/rails-schema.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

namespace
{

// A fabric of thousands of GPUs takes megabytes.
constexpr std::size_t kKept = 8;

/// Adds the type of a component and the values of its keys, those of components in it included.
void
AddToKey(const Object& component, std::string& key)
{
    const TypeId id = component.GetInstanceTypeId();
    key += id.GetName();
    for (const ComponentKey& each : GetComponentKeys(id))
    {
        const Ptr<AttributeValue> value = each.attribute.checker->Create();
        key += ' ';
        if (!component.GetAttributeFailSafe(each.attribute.name, *value))
        {
            continue; // not given
        }
        if (const auto* inner = dynamic_cast<const PointerValue*>(PeekPointer(value)))
        {
            AddToKey(*inner->GetObject(), key);
        }
        else if (const auto* list = dynamic_cast<const ComponentListValue*>(PeekPointer(value)))
        {
            for (const ComponentListValue::Entry& entry : list->GetEntries())
            {
                key += entry.name + ": ";
                AddToKey(*entry.component, key);
                key += ';';
            }
        }
        else
        {
            key += value->SerializeToString(each.attribute.checker);
        }
    }
}

} // namespace

LaidFabric
FabricCache::Get(const Topology& topology)
{
    std::string key;
    AddToKey(topology, key);
    const auto known = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        return entry.key == key;
    });
    if (known != m_entries.end())
    {
        m_entries.splice(m_entries.begin(), m_entries, known);
        return m_entries.front().fabric;
    }
    const std::shared_ptr<const Wiring> wiring = topology.Lay();
    m_entries.push_front({key, {wiring, FindTraits(*wiring)}});
    if (m_entries.size() > kKept)
    {
        m_entries.pop_back();
    }
    return m_entries.front().fabric;
}

} // namespace ns3::rails
