// SPDX-License-Identifier: GPL-2.0-only
#include "group-collective.h"

#include "chain-steps.h"

namespace ns3::rails
{

CollectiveSteps
MakeFlatSteps(const GpuGroups& groups, const GroupCollective& collective)
{
    CollectiveSteps steps = MakeChainSteps(groups.GetShape(),
                                           MakeRings(groups, collective.bytes, collective.root),
                                           collective.chunks);
    return collective.operation == GroupCollective::Operation::Broadcast ? steps
                                                                         : MirrorSteps(steps);
}

uint64_t
CountFlatSteps(const GpuGroups& groups, const GroupCollective& collective)
{
    return CountChainSteps(groups.GetSize(), collective.chunks);
}

} // namespace ns3::rails
