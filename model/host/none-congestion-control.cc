// SPDX-License-Identifier: GPL-2.0-only
#include "none-congestion-control.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(NoneCongestionControl);

TypeId
NoneCongestionControl::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::NoneCongestionControl").SetParent<CongestionControl>(),
                 "No rate control: every queue pair sends at line rate, switches do not "
                 "mark.")
            .SetGroupName("Rails")
            .AddConstructor<NoneCongestionControl>();
    return tid;
}

Ptr<CongestionControl>
NoneCongestionControl::Fork() const
{
    return CopyObject<NoneCongestionControl>(this);
}

void
NoneCongestionControl::Start(TimePs /* now */, uint64_t lineRateBps)
{
    m_lineRateBps = lineRateBps;
}

void
NoneCongestionControl::SetLineRate(TimePs /* now */, uint64_t lineRateBps)
{
    m_lineRateBps = lineRateBps;
}

uint64_t
NoneCongestionControl::GetRateBps(TimePs /* now */)
{
    return m_lineRateBps;
}

TimePs
NoneCongestionControl::GetNextChange(TimePs /* now */)
{
    return kNever;
}

bool
NoneCongestionControl::UsesEcn() const
{
    return false;
}

} // namespace ns3::rails
