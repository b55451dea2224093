// SPDX-License-Identifier: GPL-2.0-only
#include "counting-planner.h"

#include "ns3/nstime.h"
#include "ns3/range-checker.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(CountingPlanner);

TypeId
CountingPlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::CountingPlanner")
            .SetParent<Planner>()
            .SetGroupName("Rails")
            .AddAttribute("CountExchange",
                          "From when the last server knows what it has to send until all know "
                          "what they need of it. 0 where counts are exchanged for another purpose "
                          "all the same, as DeepEP does. (20us: 8 B from two servers with A100 and "
                          "HDR take NCCL 19 to 20 us, nccl-tests issue 150)",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&CountingPlanner::m_countExchange),
                          MakeTimeRange(0, kNever / 4));
    return tid;
}

bool
CountingPlanner::NeedsCounts() const
{
    return true;
}

TimePs
CountingPlanner::GetPlanningTime() const
{
    return m_countExchange.GetPicoSeconds() + Planner::GetPlanningTime();
}

} // namespace ns3::rails
