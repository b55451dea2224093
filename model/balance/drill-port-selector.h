// SPDX-License-Identifier: GPL-2.0-only
#ifndef DRILL_PORT_SELECTOR_H
#define DRILL_PORT_SELECTOR_H

#include "rails-hop-groups.h"
#include "rails-port-draw.h"

#include "ns3/port-selector.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * DRILL(d, m): each frame takes the shortest queue of d ports drawn by lot and of the m best ports
 * of the time before (Ghorbani et al., "DRILL: Micro Load Balancing for Low-latency Data Center
 * Networks", SIGCOMM'17). The drawn ports differ from each other; weights are ignored. Of queues
 * that tie, a remembered port is taken first, then the one drawn first.
 *
 * There is a memory for each set of next hops, not for each destination.
 */
class DrillPortSelector : public PortSelector
{
  public:
    static TypeId GetTypeId();

    Ptr<PortSelector> Fork() const override;
    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    bool ScattersFrames() const override;
    void OnRoutesChanged(const Switch& at) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    struct Candidate
    {
        uint64_t bytes; // of its queue
        uint16_t port;
    };

    void Consider(const Switch& at, uint16_t port);

    uint32_t m_samples;
    uint32_t m_memory;

    PortDraw m_draw;
    HopGroups m_groups;
    std::vector<std::vector<uint16_t>> m_remembered; // by group, best first
    std::vector<Candidate> m_candidates;             // of the frame at hand
    std::vector<uint32_t> m_ranks;                   // of hops, in an order by lot
};

} // namespace ns3::rails

#endif // DRILL_PORT_SELECTOR_H
