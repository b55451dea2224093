// SPDX-License-Identifier: GPL-2.0-only
#ifndef NONE_CONGESTION_CONTROL_H
#define NONE_CONGESTION_CONTROL_H

#include "congestion-control.h"

namespace ns3::rails
{

/// No rate control: every queue pair may send at line rate, switches do not mark.
class NoneCongestionControl : public CongestionControl
{
  public:
    static TypeId GetTypeId();

    Ptr<CongestionControl> Fork() const override;
    void Start(TimePs now, uint64_t lineRateBps) override;
    void SetLineRate(TimePs now, uint64_t lineRateBps) override;
    uint64_t GetRateBps(TimePs now) override;
    TimePs GetNextChange(TimePs now) override;
    bool UsesEcn() const override;

  private:
    uint64_t m_lineRateBps{0};
};

} // namespace ns3::rails

#endif // NONE_CONGESTION_CONTROL_H
