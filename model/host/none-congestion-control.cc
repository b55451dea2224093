// SPDX-License-Identifier: GPL-2.0-only
#include "congestion-control.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

/// No congestion control: every queue pair may send at line rate, switches do not mark.
class NoneCongestionControl : public Forkable<NoneCongestionControl, CongestionControl>
{
  public:
    static TypeId GetTypeId();

    void Start(TimePs now, uint64_t lineRateBps) override;
    void SetLineRate(TimePs now, uint64_t lineRateBps) override;
    uint64_t GetRateBps(TimePs now) override;

  private:
    uint64_t m_lineRateBps{0};
};

NS_OBJECT_ENSURE_REGISTERED(NoneCongestionControl);

TypeId
NoneCongestionControl::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::NoneCongestionControl").SetParent<CongestionControl>(),
                         "No rate control: every queue pair sends at line rate, switches do not "
                         "mark.")
            .SetGroupName("Rails")
            .AddConstructor<NoneCongestionControl>();
    return tid;
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

} // namespace ns3::rails
