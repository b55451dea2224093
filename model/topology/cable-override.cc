// SPDX-License-Identifier: GPL-2.0-only
#include "cable-override.h"

#include "ns3/component-documentation.h"
#include "ns3/optional-accessor.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"

#include <cstdint>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CableOverride);

TypeId
CableOverride::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::CableOverride").SetParent<Object>(),
                         "Cables with a rate or a delay of their own.")
            .SetGroupName("Rails")
            .AddConstructor<CableOverride>()
            .AddAttribute("Link",
                          "Their two ends, such as [leaf0, spine1]: all cables between them; or a "
                          "NIC, [server0-nic1]: its cable.",
                          NameListValue(NameList()),
                          MakeNameListAccessor(&CableOverride::m_link),
                          MakeNameListChecker(1, 2))
            .AddAttribute("Rate",
                          "Rate of each of them, and of the ports at its ends.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<DataRateValue>(&CableOverride::m_rate),
                          MakeRateRange(1))
            .AddAttribute("Delay",
                          "Propagation delay.",
                          EmptyAttributeValue(),
                          MakeOptionalAccessor<TimeValue>(&CableOverride::m_delay),
                          MakeTimeRange());
    return tid;
}

std::vector<KeyRule>
CableOverride::GetKeyRules() const
{
    using Demand = KeyRule::Demand;
    return {{Demand::All, {"link"}, "a cable of its own needs '%': its ends"}};
}

void
CableOverride::CheckValues() const
{
    if (!m_rate && !m_delay)
    {
        throw ConfigurationError("link", "these cables get neither a rate nor a delay: add one");
    }
}

void
CableOverride::Apply(Wiring& wiring) const
{
    const std::vector<std::string>& names = m_link.Get();
    std::vector<uint32_t> cables;
    if (names.size() == 1)
    {
        cables.push_back(wiring.FindNic(names.front()));
        if (cables.front() == wiring.GetShape().GetNics())
        {
            throw ConfigurationError("topology.cables",
                                     "there is no NIC '" + names.front() + "'; one is named " +
                                         wiring.GetNicName(0));
        }
    }
    else
    {
        std::vector<uint32_t> ends;
        for (const std::string& name : names)
        {
            ends.push_back(wiring.FindSwitch(name));
            if (ends.back() == wiring.GetSwitches().size())
            {
                throw ConfigurationError("topology.cables",
                                         "there is no switch '" + name + "'; one is named " +
                                             wiring.GetSwitches().front().name);
            }
        }
        cables = wiring.FindCables(ends[0], ends[1]);
        if (cables.empty())
        {
            throw ConfigurationError("topology.cables",
                                     "no cable joins " + names[0] + " and " + names[1]);
        }
    }
    for (const uint32_t number : cables)
    {
        CableKind kind = wiring.GetKind(wiring.GetCables()[number]);
        kind.rateBps = m_rate ? m_rate->GetBitRate() : kind.rateBps;
        kind.delay = m_delay ? m_delay->GetPicoSeconds() : kind.delay;
        wiring.SetKind(number, kind);
    }
}

} // namespace ns3::rails
