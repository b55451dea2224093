// SPDX-License-Identifier: GPL-2.0-only
#ifndef HPCC_CONGESTION_CONTROL_H
#define HPCC_CONGESTION_CONTROL_H

#include "congestion-control.h"

#include "ns3/rails-frame.h"

#include <array>

namespace ns3::rails
{

/**
 * A window that follows in-band telemetry of the ports on the path (HPCC: Li et al., "High
 * Precision Congestion Control", SIGCOMM'19, section 3, algorithm 1).
 *
 * Two successive reports of a port give its utilization: its throughput between the reports plus
 * its queue over a base round trip T, both relative to its rate. The most utilized port counts.
 * Each ACK computes the window from a reference that changes once per round trip, so one congestion
 * event is answered at once and not twice. Above the target the window is divided by the excess of
 * utilization; below it the window grows by a constant, for MaxStage round trips, and then in
 * proportion.
 *
 * Choices where the paper leaves them open:
 * - The window counts bytes on the wire and lets whole frames go, also the last one that fits only
 *   in part. It never exceeds the start window, line rate times T.
 * - A round trip is over at the answer to a frame that was sent at or after the last change of the
 *   reference.
 * - A queue pair keeps the reports of the ports of a path in their order. A different port at the
 *   same position counts only from its second report.
 * - Utilization starts at 1, as a queue pair starts at line rate.
 */
class HpccCongestionControl : public Forkable<HpccCongestionControl, CongestionControl>
{
  public:
    static TypeId GetTypeId();

    HpccCongestionControl()
    {
        m_traits.usesAcks = true;
        m_traits.usesTelemetry = true;
    }

    /// \throws ConfigurationError when the parameters cannot work
    void Check() const override;
    void Join(const NicState& nic) override;
    void Start(TimePs now, uint64_t lineRateBps) override;
    void SetLineRate(TimePs now, uint64_t lineRateBps) override;
    uint64_t GetRateBps(TimePs now) override;
    void OnAck(TimePs now, const AckReport& report) override;
    uint64_t GetWindowBytes() const override;
    std::optional<RoundTripParameter> GetRoundTripParameter() const override;

    /// \return the window in bytes on the wire
    double GetWindow() const
    {
        return m_window;
    }

    /// \return the smoothed utilization of the most utilized port; 1 at its full rate
    double GetUse() const
    {
        return m_use;
    }

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
    double m_reference{0}; // reference window, in bytes on the wire
    uint32_t m_stage{0};   // round trips of constant growth since the last division
    double m_use{0};
    TimePs m_referenceAt{0}; // time of the last change of the reference
    uint8_t m_ports{0};      // ports with reports; 0 before the first answer
    std::array<PortReport, Telemetry::kMostPorts> m_reports; // last reports
};

} // namespace ns3::rails

#endif // HPCC_CONGESTION_CONTROL_H
