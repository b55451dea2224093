// SPDX-License-Identifier: GPL-2.0-only
#include "nic-profile.h"

#include "ns3/rails-about.h"
#include "ns3/range-checker.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(NicProfile);

TypeId
NicProfile::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::NicProfile").SetParent<Object>(),
                 "What all NICs have in common besides their transport.")
            .SetGroupName("Rails")
            .AddConstructor<NicProfile>()
            .AddAttribute("MessageGap",
                          "Time that posting a message costs its NIC: the next one can be posted "
                          "no sooner.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&NicProfile::m_messageGap),
                          MakeTimeRange());
    return tid;
}

} // namespace ns3::rails
