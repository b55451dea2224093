// SPDX-License-Identifier: GPL-2.0-only
#ifndef HPCC_CONGESTION_CONTROL_H
#define HPCC_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/rails-frame.h"

#include <array>

namespace ns3::rails
{

/**
 * A window that follows what the ports on the way say of themselves (HPCC: Li et al., "High
 * Precision Congestion Control", SIGCOMM'19, section 3, algorithm 1).
 *
 * Two reports of a port tell how much of it is in use: what it sent meanwhile, and what waits there
 * in parts of what it sends in a base round trip T. The most used port counts. Each ACK sets the
 * window anew, from a reference that changes once a round trip only: so the same congestion is
 * answered at once and not twice. Above the target the window is divided by what is too much of
 * use; below it the window grows by a constant, for MaxStage round trips, and then in proportion.
 *
 * Choices where the paper leaves them open:
 * - The window counts bytes on the wire and lets frames go as a whole, the last one in part too. It
 *   never exceeds that of the start, line rate times T.
 * - A round trip is over when the answer comes to a frame that was sent at or after the moment at
 *   which the reference changed.
 * - A queue pair remembers the ports of a way in their order. Where another port
 *   stands there now, nothing is known of it until it reports again.
 * - Use begins at 1, as a queue pair begins at line rate.
 */
class HpccCongestionControl : public CongestionControl
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError when the parameters cannot work
    void Check() const override;
    Ptr<CongestionControl> Fork() const override;
    void Join(const NicState& nic) override;
    void Start(TimePs now, uint64_t lineRateBps) override;
    void SetLineRate(TimePs now, uint64_t lineRateBps) override;
    uint64_t GetRateBps(TimePs now) override;
    TimePs GetNextChange(TimePs now) override;
    bool UsesAcks() const override;
    bool UsesTelemetry() const override;
    void OnAck(TimePs now, const AckReport& report) override;
    uint64_t GetWindowBytes() const override;
    bool UsesEcn() const override;
    std::optional<RoundTripParameter> GetRoundTripParameter() const override;

    /// \return the window in bytes on the wire
    double GetWindow() const;
    /// \return the smoothed use of the most used port, 1 when all of its rate is in use
    double GetUse() const;

  private:
    bool Measure(const Telemetry& telemetry);
    double GetLargestWindow() const;
    void SetWindow(double bytes);

    Time m_baseRoundTrip;
    double m_target{0};
    uint32_t m_maxStage{0};
    ByteSize m_additiveIncrease;

    NicState m_nic{};
    uint64_t m_lineRateBps{0};
    double m_window{0};    // bytes on the wire
    double m_reference{0}; // the window that the next ones are made from
    uint32_t m_stage{0};   // round trips of growth by a constant since the last division
    double m_use{0};
    TimePs m_referenceAt{0}; // when the reference changed
    uint8_t m_ports{0};      // ports remembered; 0 before the first answer
    std::array<PortReport, Telemetry::kMostPorts> m_reports; // their last words
};

} // namespace ns3::rails

#endif // HPCC_CONGESTION_CONTROL_H
