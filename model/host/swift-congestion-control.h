// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWIFT_CONGESTION_CONTROL_H
#define SWIFT_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include <vector>

namespace ns3::rails
{

/**
 * A window that follows the round-trip time, in the manner of Swift (Kumar et al., SIGCOMM'20,
 * section 3.1): below the target delay it grows by AdditiveIncrease frames a round trip, above it
 * shrinks in proportion to the excess, once a round trip. The target grows as the window shrinks
 * (flow scaling, section 3.5 there). A window below one frame becomes a rate.
 *
 * The delay can be the median of the last samples: with frames sprayed over many paths, one slow
 * path then does not count. (MSwift has such a rule per path, arXiv 2509.07907, without details;
 * this rule is ours.) The only delay is the fabric's: the model's hosts add none.
 */
class SwiftCongestionControl : public Forkable<SwiftCongestionControl, CongestionControl>
{
  public:
    static TypeId GetTypeId();

    SwiftCongestionControl()
    {
        m_traits.usesAcks = true;
    }

    /// \throws ConfigurationError when the parameters contradict each other
    void Check() const override;
    void Join(const NicState& nic) override;
    void Start(TimePs now, uint64_t lineRateBps) override;
    void SetLineRate(TimePs now, uint64_t lineRateBps) override;
    uint64_t GetRateBps(TimePs now) override;
    void OnAck(TimePs now, const AckReport& report) override;
    void OnLoss(TimePs now) override;
    uint64_t GetWindowBytes() const override;
    bool WantsIdleRoundTrip() const override;
    void SetIdleRoundTrip(TimePs time) override;
    std::optional<RoundTripParameter> GetRoundTripParameter() const override;

    /// \return the window in frames
    double GetWindow() const
    {
        return m_window;
    }

    /// \return target round-trip time of the present window
    TimePs GetTarget() const;
    /// \return the median of the last samples, 0 before the first
    TimePs GetDelay() const;

  private:
    TimePs GetBaseTarget() const;
    void AddSample(TimePs roundTrip);
    void SetWindow(double frames);

    Time m_baseTarget;
    Time m_flowScalingRange;
    double m_flowScalingMinimum{0};
    double m_flowScalingMaximum{0};
    double m_additiveIncrease{0};
    double m_multiplicativeDecrease{0};
    double m_largestDecrease{0};
    ByteSize m_startWindow;
    double m_minimumWindow{0};
    ByteSize m_maximumWindow;
    uint32_t m_samples{0};
    bool m_reactToLoss{false};

    TimePs m_idleRoundTrip{0}; // set in the prototype before the first frame
    NicState m_nic{};
    uint64_t m_lineRateBps{0};
    double m_window{0};    // frames
    double m_largest{0};   // frames
    TimePs m_roundTrip{0}; // last sample
    TimePs m_decreasedAt{0};
    std::vector<TimePs> m_recent; // ring of the last samples
    std::vector<TimePs> m_sorted; // the last samples in ascending order
    uint32_t m_oldest{0};         // index in m_recent
};

} // namespace ns3::rails

#endif // SWIFT_CONGESTION_CONTROL_H
