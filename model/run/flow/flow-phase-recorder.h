// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_PHASE_RECORDER_H
#define FLOW_PHASE_RECORDER_H

#include "ns3/flow-engine.h"
#include "ns3/rails-explainer.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// \return the display name of a direction of a link: "rail0-leaf0 to rail0-spine1"
std::string GetDirectionName(const Wiring& wiring, uint32_t direction);

/**
 * Records, phase by phase, the bytes of every direction of a link, and the time that it lost to
 * outages or lower rates. Reads counters only when a phase starts or ends, or links change.
 */
class FlowPhaseRecorder
{
  public:
    /// \param engine whose links are recorded from now on
    explicit FlowPhaseRecorder(Ptr<const FlowEngine> engine);

    /// A phase with traffic starts now.
    void StartPhase();

    /// The phase ends now.
    void EndPhase();

    /// Links went down, came up or changed their rate now.
    void NoteCables();

    /// \return the phases that are over
    const std::vector<WatchedPhase>& GetPhases() const
    {
        return m_phases;
    }

  private:
    // One direction of a link; sums count from the start of the phase.
    struct Probe
    {
        uint64_t rateBps{0}; // since the last Examine()
        uint64_t bestRateBps{0};
        bool isUp{true};
        FlowNetwork::Carried seen; // at the last Examine()
        double data{0};            // bytes
        double acks{0};            // bytes
        TimePs busy{0};            // wire time of data and ACKs, at the rates of their time
        TimePs down{0};
        TimePs lastData{0};         // time of the latest data
        double offered{0};          // capacity so far: bits times ps per s
        TimePs offeredUntil{0};     // time of the latest data
        double offeredUntilThen{0}; // `offered` at offeredUntil
    };

    // Times of a direction in a phase.
    struct Times
    {
        TimePs first{0};          // wire time of data, at its best rate
        TimePs carried{0};        // wire time of data and ACKs, at its best rate
        TimePs carriedAndLost{0}; // `carried` and lost time
    };

    void Examine(TimePs now);
    void Account(Probe& probe, const FlowNetwork::Carried& carried, TimePs now) const;
    void TakeRates();
    Times GetTimes(const Probe& probe, TimePs length) const;
    uint32_t GetPlace(uint32_t place) const;
    bool IsNic(uint32_t direction) const;
    const std::string& GetClass(uint32_t direction) const;
    static Explanation::Shares MakeShares(std::string name, const Probe& probe, TimePs length);

    Ptr<const FlowEngine> m_engine;
    const Wiring& m_wiring;
    std::vector<Probe> m_probes; // by direction
    TimePs m_start{0};
    TimePs m_lookedAt{0};
    bool m_isInPhase{false};
    std::vector<WatchedPhase> m_phases;
};

} // namespace ns3::rails

#endif // FLOW_PHASE_RECORDER_H
