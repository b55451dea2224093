// SPDX-License-Identifier: GPL-2.0-only
#include "path-selector.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PathSelector);

TypeId
PathSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::PathSelector").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

void
PathSelector::Check() const
{
}

void
PathSelector::Start(TimePs /* now */, const PathContext& /* context */)
{
}

void
PathSelector::OnFeedback(TimePs /* now */, const PathFeedback& /* feedback */)
{
}

uint32_t
PathSelector::GetSubflows() const
{
    return 1;
}

} // namespace ns3::rails
