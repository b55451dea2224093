// SPDX-License-Identifier: GPL-2.0-only
#include "nic-profile.h"

#include "ns3/component-documentation.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(NicProfile);

TypeId
NicProfile::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::NicProfile").SetParent<Object>(),
                         "What all NICs have in common besides their transport.")
            .SetGroupName("Rails")
            .AddConstructor<NicProfile>()
            .AddAttribute("MessageGap",
                          "Time that posting a message costs its NIC: the next one can be posted "
                          "no sooner.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&NicProfile::m_messageGap),
                          MakeTimeRange())
            .AddAttribute("Reads",
                          "Requests, of a segment each, that a NIC has under way at the same time "
                          "where it reads from GPUs over PCIe; it asks for its queue pairs by "
                          "turns, and for the messages of each in their order. (our choice)",
                          UintegerValue(8),
                          MakeUintegerAccessor(&NicProfile::m_reads),
                          MakeCountRange<uint32_t>(1, 1'024));
    return tid;
}

} // namespace ns3::rails
