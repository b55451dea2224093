// SPDX-License-Identifier: GPL-2.0-only
#ifndef CONGA_PORT_SELECTOR_H
#define CONGA_PORT_SELECTOR_H

#include "rails-port-draw.h"

#include "ns3/nstime.h"
#include "ns3/port-selector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * CONGA: a leaf sends each flowlet by the uplink whose path is least loaded. Every switch estimates
 * the load of its ports; frames collect the largest load on their way, the leaf they go to writes
 * it down, and frames the other way bring it back. (Alizadeh et al., SIGCOMM'14, section 3)
 */
class CongaPortSelector : public PortSelector
{
  public:
    static TypeId GetTypeId();
    CongaPortSelector();

    void Check(const FabricTraits& fabric) const override;
    Ptr<PortSelector> Fork() const override;
    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    void OnForward(const Switch& at, Frame& frame, uint16_t port) override;
    void OnRoutesChanged(const Switch& at) override;
    int64_t AssignStreams(int64_t stream) override;

    /// \return the load of a port, from 0 to 2^bits - 1 at its full rate
    uint8_t GetLoad(const Switch& at, uint16_t port);

    /// \return the load that frames by an uplink met on the way to a leaf, as far as heard of
    uint8_t GetPathLoad(const Switch& at, uint32_t leaf, uint16_t port) const;

  private:
    static constexpr uint16_t kNone = std::numeric_limits<uint16_t>::max();

    // Discounting rate estimator of a port (section 3.2).
    struct Estimator
    {
        double bytes{0};
        TimePs decayAt{0}; // when the register decays next
    };

    struct Flowlet
    {
        TimePs lastAt{0}; // when the latest frame of the flowlet came
        uint16_t port{kNone};
    };

    // An entry of the congestion-to-leaf table: heard from the leaf.
    struct PathLoad
    {
        TimePs at{0}; // when the load was heard
        uint8_t metric{0};
    };

    // An entry of the congestion-from-leaf table: to be told to the leaf.
    struct Arrival
    {
        TimePs at{0}; // when the latest frame came that way
        uint8_t metric{0};
        bool isKnown{false};
        bool isNew{false}; // changed since the leaf was told
    };

    struct Arrivals
    {
        std::vector<Arrival> byUplink; // of the other leaf
        uint32_t changed{0};           // entries of byUplink that are new
        uint32_t next{0};              // uplink whose turn it is
    };

    void Decay(const Switch& at, Estimator& estimator) const;
    uint8_t Quantise(const Switch& at, uint16_t port, const Estimator& estimator) const;
    uint16_t Choose(const Switch& at, uint32_t leaf, const NextHops& hops, uint16_t former);
    void AttachFeedback(TimePs now, CongestionTag& tag, Arrivals& arrivals) const;
    void Learn(const Switch& at, uint32_t leaf, const CongestionTag& tag);

    uint32_t m_bits;
    double m_alpha;
    Time m_decayInterval;
    Time m_flowletGap;
    Time m_aging;
    uint32_t m_flowletEntries;
    PortDraw m_draw;
    Ptr<PortSelector> m_hash; // where no leaf decides

    std::vector<Estimator> m_estimators; // by port
    std::vector<Flowlet> m_flowlets;     // by hash; a leaf's
    std::vector<uint16_t> m_uplinks;     // by port: its number among the uplinks, or kNone
    uint16_t m_uplinkCount{0};
    std::vector<std::vector<PathLoad>> m_toLeaf; // by leaf and own uplink
    std::vector<Arrivals> m_fromLeaf;            // by leaf
    std::vector<uint16_t> m_best;                // best uplinks of a decision; kept for its memory
};

} // namespace ns3::rails

#endif // CONGA_PORT_SELECTOR_H
