// SPDX-License-Identifier: GPL-2.0-only
#ifndef FIXED_RATE_CONGESTION_CONTROL_H
#define FIXED_RATE_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/data-rate.h"

namespace ns3::rails
{

/**
 * A rate that nothing changes ("Load Balancing for AI Training Workloads", arXiv 2507.21372,
 * sections 2.3 and 2.4 of our page on it): a share of the line rate, or a given rate. Each gap
 * between two frames is a little shorter than that rate says, and the first frame waits for a
 * random part of a gap, so that senders do not go in step.
 *
 * The share is load * line rate / (queue pairs of the NIC that have something to do). It is taken
 * once, when a frame could go for the first time: in an all-to-all all messages are posted in that
 * instant, and what each gets at the start is what it keeps.
 */
class FixedRateCongestionControl : public CongestionControl
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError when the load is zero
    void Check() const override;
    Ptr<CongestionControl> Fork() const override;
    void Join(const NicState& nic) override;
    uint32_t GetStartBytes() override;
    uint32_t GetBurstBytes() const override;
    void Start(TimePs now, uint64_t lineRateBps) override;
    void SetLineRate(TimePs now, uint64_t lineRateBps) override;
    uint64_t GetRateBps(TimePs now) override;
    TimePs GetNextChange(TimePs now) override;
    void OnSent(TimePs now, uint32_t wireBytes) override;
    bool UsesEcn() const override;

    /**
     * Sets the part of its rate that the fabric carries after failures, for queue pairs to come.
     * \param rhoMax above 0, at most 1
     */
    void SetRhoMax(double rhoMax) override;

    /// \return whether somebody shall compute that part
    bool WantsRhoMax() const override;

  private:
    void DrawRate();

    DataRate m_rate;
    double m_load{0};
    bool m_wantsRhoMax{false};
    double m_rhoMax{1};
    double m_jitter{0};
    bool m_lengthen{false};
    bool m_randomStart{false};
    ByteSize m_burst;

    NicState m_nic{};
    uint64_t m_lineRateBps{0};
    double m_meanRateBps{0};  // without jitter; 0 until it is taken
    uint64_t m_gapRateBps{0}; // in the present gap
};

} // namespace ns3::rails

#endif // FIXED_RATE_CONGESTION_CONTROL_H
