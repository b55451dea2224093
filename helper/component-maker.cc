// SPDX-License-Identifier: GPL-2.0-only
#include "component-maker.h"

#include "ns3/component-name.h"
#include "ns3/key-rule.h"
#include "ns3/object-factory.h"

#include <set>

namespace ns3::rails
{

Ptr<Object>
MakeComponent(const std::string& type, const AttributeList& attributes)
{
    ObjectFactory factory;
    factory.SetTypeId(type.find(':') == std::string::npos ? "ns3::rails::" + type : type);
    const Ptr<Object> component = factory.Create<Object>();
    std::set<std::string> given;
    for (const auto& [name, value] : attributes)
    {
        component->SetAttribute(name, value.get());
        given.insert(MakeKeyName(name));
    }
    if (const auto* const rules = dynamic_cast<const KeyRules*>(PeekPointer(component)))
    {
        for (const KeyRule& rule : rules->GetKeyRules())
        {
            rule.Check(given);
        }
        rules->CheckValues();
    }
    return component;
}

} // namespace ns3::rails
