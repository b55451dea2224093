// SPDX-License-Identifier: GPL-2.0-only
#include "runtime-policy.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RuntimePolicy);

TypeId
RuntimePolicy::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::RuntimePolicy").SetParent<ExpertPolicy>(),
            "Decides after the gate of a layer and micro-batch, knowing its exact counts.")
            .SetGroupName("Rails");
    return tid;
}

RuntimePolicy::RuntimePolicy()
    : ExpertPolicy(ExpertKnowledge::Counts)
{
}

std::vector<ExpertTransfer>
RuntimePolicy::DoBeginIteration(uint32_t, const LoadHistory&)
{
    return {};
}

} // namespace ns3::rails
