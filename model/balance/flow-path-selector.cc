// SPDX-License-Identifier: GPL-2.0-only
#include "flow-path-selector.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(FlowPathSelector);

TypeId
FlowPathSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::FlowPathSelector").SetParent<PathSelector>(),
                         "One path for all frames of a queue pair.")
            .SetGroupName("Rails")
            .AddConstructor<FlowPathSelector>();
    return tid;
}

void
FlowPathSelector::Choose(TimePs /* now */, Frame& /* frame */)
{
    // The entropy is the queue pair's number.
}

} // namespace ns3::rails
