// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_WATCH_H
#define FLOW_WATCH_H

#include "ns3/flow-engine.h"
#include "ns3/rails-explainer.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// \return the name of a direction of a cable for people: "rail0-leaf0 to rail0-spine1"
std::string GetDirectionName(const Wiring& wiring, uint32_t direction);

/**
 * What every direction of a cable carried, phase by phase, and how much it lost to its cable being
 * down or slower. Looks only when a phase starts or ends and when cables change: what flows have
 * sent is known at any time.
 */
class FlowWatch
{
  public:
    /// \param engine whose cables are watched from now on
    explicit FlowWatch(Ptr<const FlowEngine> engine);

    /// A phase with traffic starts now.
    void StartPhase();

    /// The phase ends now.
    void EndPhase();

    /// Cables went down, came up or changed their rate now.
    void NoteCables();

    /// \return the phases that are over
    const std::vector<WatchedPhase>& GetPhases() const;

  private:
    // One direction of a cable; what is counted is counted from the start of the phase.
    struct Probe
    {
        uint64_t rateBps{0}; // since the last look
        uint64_t bestRateBps{0};
        bool isUp{true};
        FlowNetwork::Carried seen; // at the last look
        double data{0};            // bytes
        double acks{0};            // bytes
        TimePs busy{0};            // what it carried, at the rates that it had
        TimePs down{0};
        TimePs lastData{0};
        double offered{0};          // bits times ps per s: what it could have carried
        TimePs offeredUntil{0};     // when data had crossed it last
        double offeredUntilThen{0}; // `offered` at offeredUntil
    };

    // What is known of a direction when the phase is over.
    struct Times
    {
        TimePs first{0};          // data alone, at its best rate
        TimePs carried{0};        // data and ACKs, at its best rate
        TimePs carriedAndLost{0}; // the same with the time that was lost
    };

    void Look(TimePs now);
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

#endif // FLOW_WATCH_H
