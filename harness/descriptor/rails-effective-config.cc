// SPDX-License-Identifier: GPL-2.0-only
#include "rails-effective-config.h"

#include "component-registry.h"
#include "published-path.h"
#include "rails-entry-form.h"

#include "ns3/component-list.h"
#include "ns3/pointer.h"
#include "ns3/string.h"

#include <nlohmann/json.hpp>

namespace ns3::rails
{

namespace
{

void
AddComponents(const Object& component, std::vector<const Object*>& components)
{
    components.push_back(&component);
    for (const ComponentKey& key : GetComponentKeys(component.GetInstanceTypeId()))
    {
        if (key.Is(ValueKind::Shape::Component))
        {
            PointerValue inner;
            key.attribute.accessor->Get(PeekPointer(GetHolder(component, key)), inner);
            if (inner.GetObject())
            {
                AddComponents(*inner.GetObject(), components);
            }
        }
        if (key.Is(ValueKind::Shape::ComponentList))
        {
            ComponentListValue list;
            key.attribute.accessor->Get(PeekPointer(GetHolder(component, key)), list);
            for (const ComponentListValue::Entry& entry : list.GetEntries())
            {
                AddComponents(*entry.component, components);
            }
        }
    }
}

nlohmann::ordered_json
DescribeList(const ComponentListChecker& checker,
             const ComponentListValue& list,
             const std::string& folder)
{
    nlohmann::ordered_json json =
        checker.IsNamed() ? nlohmann::ordered_json::object() : nlohmann::ordered_json::array();
    for (const auto& [name, component] : list.GetEntries())
    {
        nlohmann::ordered_json entry = DescribeComponent(*component, checker.GetBase(), folder);
        if (checker.IsNamed())
        {
            json[name] = std::move(entry);
        }
        else
        {
            json.push_back(ShortenEntry(component->GetInstanceTypeId(), std::move(entry)));
        }
    }
    return json;
}

} // namespace

nlohmann::ordered_json
DescribeComponent(const Object& component, TypeId base, const std::string& folder)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    const TypeId id = component.GetInstanceTypeId();
    if (HasComponentTypes(base))
    {
        json["type"] = GetComponentTypeName(id, base);
    }
    for (const ComponentKey& key : GetComponentKeys(id))
    {
        if (key.Is(ValueKind::Shape::Unknown))
        {
            continue;
        }
        const Ptr<AttributeValue> value = key.attribute.checker->Create();
        if (!key.attribute.accessor->Get(PeekPointer(GetHolder(component, key)), *value))
        {
            continue; // not given
        }
        if (key.Is(ValueKind::Shape::ComponentList))
        {
            json[key.name] = DescribeList(GetListChecker(key.attribute),
                                          dynamic_cast<const ComponentListValue&>(*value),
                                          folder);
            continue;
        }
        if (!key.Is(ValueKind::Shape::Component))
        {
            json[key.name] = key.kind->Encode(key.attribute, *value);
            if (key.kind->NamesFile() && !folder.empty())
            {
                json[key.name] = PublishPath(json[key.name].get<std::string>(), folder);
            }
            continue;
        }
        const Ptr<Object> inner = dynamic_cast<const PointerValue&>(*value).GetObject();
        if (inner)
        {
            const auto& checker = dynamic_cast<const PointerChecker&>(*key.attribute.checker);
            json[key.name] = DescribeComponent(*inner, checker.GetPointeeTypeId(), folder);
        }
    }
    return json;
}

std::vector<const Object*>
FindComponents(const Experiment& experiment)
{
    std::vector<const Object*> components;
    for (const auto& [name, section] : experiment.sections)
    {
        AddComponents(*section, components);
    }
    return components;
}

std::vector<std::string>
FindInputFiles(const Experiment& experiment)
{
    std::vector<std::string> files;
    for (const Object* component : FindComponents(experiment))
    {
        for (const ComponentKey& key : GetComponentKeys(component->GetInstanceTypeId()))
        {
            StringValue path;
            if (key.kind->NamesFile())
            {
                key.attribute.accessor->Get(PeekPointer(GetHolder(*component, key)), path);
            }
            if (!path.Get().empty())
            {
                files.push_back(path.Get());
            }
        }
    }
    return files;
}

} // namespace ns3::rails
