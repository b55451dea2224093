// SPDX-License-Identifier: GPL-2.0-only
#include "rails-effective-config.h"

#include "rails-schema.h"
#include "rails-value-codec.h"

#include "ns3/pointer.h"

namespace ns3::rails
{

nlohmann::ordered_json
DescribeComponent(const Object& component, TypeId base)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    const TypeId id = component.GetInstanceTypeId();
    if (HasComponentTypes(base))
    {
        json["type"] = GetComponentTypeName(id, base);
    }
    for (const ComponentKey& key : GetComponentKeys(id))
    {
        const ValueKind kind = GetValueKind(key.attribute);
        if (kind == ValueKind::Unknown)
        {
            continue;
        }
        const Ptr<AttributeValue> value = key.attribute.checker->Create();
        component.GetAttribute(key.attribute.name, *value);
        if (kind != ValueKind::Component)
        {
            json[key.name] = EncodeValue(key.attribute, *value);
            continue;
        }
        const Ptr<Object> inner = dynamic_cast<const PointerValue&>(*value).GetObject();
        if (inner)
        {
            const auto& checker = dynamic_cast<const PointerChecker&>(*key.attribute.checker);
            json[key.name] = DescribeComponent(*inner, checker.GetPointeeTypeId());
        }
    }
    return json;
}

nlohmann::ordered_json
DescribeExperiment(const Experiment& experiment)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    json["name"] = experiment.name;
    json["seed"] = experiment.seed;
    for (const Section& section : GetSections())
    {
        const auto found = experiment.sections.find(section.name);
        if (found != experiment.sections.end())
        {
            json[section.name] = DescribeComponent(*found->second, GetSectionBase(section));
        }
    }
    return json;
}

} // namespace ns3::rails
