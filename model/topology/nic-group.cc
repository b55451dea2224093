// SPDX-License-Identifier: GPL-2.0-only
#include "nic-group.h"

#include "ns3/component-documentation.h"
#include "ns3/string.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(NicGroup);

TypeId
NicGroup::GetTypeId()
{
    static TypeId tid = SetDocumentation(TypeId("ns3::rails::NicGroup").SetParent<Object>(),
                                         "NICs of every server that lead to the same fabric.")
                            .SetGroupName("Rails")
                            .AddConstructor<NicGroup>()
                            .AddAttribute("Nics",
                                          "The NICs, by their rails.",
                                          CountListValue(CountList()),
                                          MakeCountListAccessor(&NicGroup::m_nics),
                                          MakeCountListChecker())
                            .AddAttribute("Fabric",
                                          "Name of the fabric.",
                                          StringValue(""),
                                          MakeStringAccessor(&NicGroup::m_fabric),
                                          MakeStringChecker());
    return tid;
}

const std::vector<uint32_t>&
NicGroup::GetNics() const
{
    return m_nics.Get();
}

} // namespace ns3::rails
