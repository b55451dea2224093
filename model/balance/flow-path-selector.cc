// SPDX-License-Identifier: GPL-2.0-only
#include "flow-path-selector.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FlowPathSelector);

TypeId
FlowPathSelector::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::FlowPathSelector")
                            .SetParent<PathSelector>()
                            .SetGroupName("Rails")
                            .AddConstructor<FlowPathSelector>();
    return tid;
}

Ptr<PathSelector>
FlowPathSelector::Fork()
{
    return this;
}

void
FlowPathSelector::Choose(TimePs /* now */, Frame& /* frame */)
{
    // The entropy is the queue pair's number.
}

} // namespace ns3::rails
