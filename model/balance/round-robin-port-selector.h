// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUND_ROBIN_PORT_SELECTOR_H
#define ROUND_ROBIN_PORT_SELECTOR_H

#include "rails-hop-groups.h"
#include "rails-port-draw.h"

#include "ns3/port-selector.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Round robin over the valid ports, frame by frame: Switch Pkt of arXiv 2507.21372, and with
 * `reshuffle: 0` its Simple RR.
 *
 * A switch has one counter, which data and ACKs to all destinations share; it says which port of a
 * list is next. After so many choices that the list was gone through Reshuffle times, the counter
 * starts afresh and the list at hand is shuffled. A switch with NICs has one list, of all ports
 * that lead on to more than one way. Any other has a list for each set of next hops, or for each
 * NIC (Order). Lists begin in an order by lot.
 *
 * Ports of the list that do not lead to the destination are passed over, which counts like a
 * choice; weights are ignored.
 */
class RoundRobinPortSelector : public PortSelector
{
  public:
    /// Which destinations share a list at a switch without NICs.
    enum Order
    {
        GROUP, //!< those that the same ports lead to
        NIC    //!< none: each NIC has its own
    };

    static TypeId GetTypeId();

    Ptr<PortSelector> Fork() const override;
    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    bool ScattersFrames() const override;
    PathSpread GetSpread() const override;
    void OnRoutesChanged(const Switch& at) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    using Ports = std::vector<uint16_t>;

    /// A counter with the lists that it goes through.
    struct Rotation
    {
        uint64_t counter{0};
        std::vector<Ports> lists; // at an edge switch one, else by group or by NIC
    };

    Ports& GetList(Rotation& rotation, const Switch& at, const Frame& frame, const NextHops& hops);
    void UpdateEdgeList(Ports& list, const Switch& at);

    uint32_t m_reshuffle;
    bool m_ownAckCounter;
    Order m_order;

    PortDraw m_draw;
    HopGroups m_groups;
    std::array<Rotation, 2> m_rotations; // of all frames or of data, of ACKs
};

} // namespace ns3::rails

#endif // ROUND_ROBIN_PORT_SELECTOR_H
