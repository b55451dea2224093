// SPDX-License-Identifier: GPL-2.0-only
#include "counting-balancer.h"

#include "ns3/nstime.h"
#include "ns3/range-checker.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CountingBalancer);

TypeId
CountingBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::CountingBalancer")
            .SetParent<Balancer>()
            .SetGroupName("Rails")
            .AddAttribute("CountExchange",
                          "From when the last server knows what it has to send until all know "
                          "what they need of it. 0 where counts are exchanged for another purpose "
                          "all the same, as DeepEP does. (20us: 8 B from two servers with A100 and "
                          "HDR take NCCL 19 to 20 us, nccl-tests issue 150)",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&CountingBalancer::m_countExchange),
                          MakeTimeRange(0, kNever / 4));
    return tid;
}

TimePs
CountingBalancer::GetPlanningTime() const
{
    return m_countExchange.GetPicoSeconds() + Balancer::GetPlanningTime();
}

} // namespace ns3::rails
