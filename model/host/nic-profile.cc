// SPDX-License-Identifier: GPL-2.0-only
#include "nic-profile.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(NicProfile);

TypeId
NicProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::NicProfile")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddConstructor<NicProfile>()
            .AddAttribute("About",
                          "What all NICs have in common besides their transport.",
                          0,
                          EmptyAttributeValue(),
                          MakeEmptyAttributeAccessor(),
                          MakeEmptyAttributeChecker())
            .AddAttribute("MessageGap",
                          "Time that posting a message costs its NIC: the next one can be posted "
                          "no sooner.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&NicProfile::m_messageGap),
                          MakeTimeChecker(Seconds(0)));
    return tid;
}

} // namespace ns3::rails
