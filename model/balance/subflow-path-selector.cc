// SPDX-License-Identifier: GPL-2.0-only
#include "subflow-path-selector.h"

#include "ns3/rails-about.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(SubflowPathSelector);

TypeId
SubflowPathSelector::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::SubflowPathSelector").SetParent<PathSelector>(),
                 "Several queue pairs share each message, each with a path of its own, "
                 "as the subflows of MPTCP do. (arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<SubflowPathSelector>()
            .AddAttribute("Count",
                          "Queue pairs that share a message. (arXiv 2507.21372, Table 2)",
                          UintegerValue(4),
                          MakeUintegerAccessor(&SubflowPathSelector::m_count),
                          MakeCountRange<uint32_t>(1, 256));
    return tid;
}

Ptr<PathSelector>
SubflowPathSelector::Fork()
{
    return this;
}

void
SubflowPathSelector::Choose(TimePs /* now */, Frame& /* frame */)
{
    // The entropy is the queue pair's number.
}

PathSpread
SubflowPathSelector::GetSpread() const
{
    return PathSpread::OnePath;
}

uint32_t
SubflowPathSelector::GetSubflows() const
{
    return m_count;
}

} // namespace ns3::rails
