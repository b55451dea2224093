// SPDX-License-Identifier: GPL-2.0-only
#include "group-collective.h"

#include "chain-steps.h"

namespace ns3::rails
{

namespace
{

uint32_t
CountRounds(const GroupCollective& collective)
{
    return collective.operation == GroupCollective::Operation::AllReduce ? 2 : 1;
}

} // namespace

CollectiveSteps
MakeFlatSteps(const GpuGroups& groups, const GroupCollective& collective)
{
    if (!collective.IsRooted())
    {
        return MakeRingSteps(groups, collective.bytes, CountRounds(collective));
    }
    CollectiveSteps steps = MakeChainSteps(groups.GetShape(),
                                           MakeRings(groups, collective.bytes, collective.root),
                                           collective.chunks);
    return collective.operation == GroupCollective::Operation::Broadcast ? steps
                                                                         : MirrorSteps(steps);
}

uint64_t
CountFlatSteps(const GpuGroups& groups, const GroupCollective& collective)
{
    return collective.IsRooted() ? CountChainSteps(groups.GetSize(), collective.chunks)
                                 : uint64_t{CountRounds(collective)} * (groups.GetSize() - 1);
}

} // namespace ns3::rails
