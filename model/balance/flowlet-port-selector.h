// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOWLET_PORT_SELECTOR_H
#define FLOWLET_PORT_SELECTOR_H

#include "rails-port-draw.h"

#include "ns3/nstime.h"
#include "ns3/port-selector.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Flowlet switching: the frames of a flow keep their port as long as no pause between two of them
 * is longer than Gap; then a port is chosen anew, by lot (Vanini et al., "Let It Flow: Resilient
 * Asymmetric Load Balancing with Flowlet Switching", NSDI'17) or by the shortest queue. Weights are
 * ignored.
 *
 * A flow is what has the same two NICs and entropy, so data and ACKs are two flows. As in hardware
 * the table has a fixed number of entries, found by a hash and without a tag: flows that share an
 * entry are one flow to the switch. A port that does not lead to the destination (any more) is
 * chosen anew.
 */
class FlowletPortSelector : public PortSelector
{
  public:
    /// How the port of a new flowlet is found.
    enum Choice
    {
        RANDOM,      //!< by lot
        LEAST_LOADED //!< the shortest queue
    };

    static TypeId GetTypeId();

    void Check(const FabricTraits& fabric) const override;
    Ptr<PortSelector> Fork() const override;
    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    struct Flowlet
    {
        TimePs until{-1}; // when the flowlet ends, unless a frame comes first
        uint16_t port{0};
    };

    Time m_gap;
    Choice m_choice;
    uint32_t m_entries;

    PortDraw m_draw;
    TimePs m_lifetime{0};
    std::vector<Flowlet> m_table; // made for the first frame
};

} // namespace ns3::rails

#endif // FLOWLET_PORT_SELECTOR_H
