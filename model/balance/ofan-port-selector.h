// SPDX-License-Identifier: GPL-2.0-only
#ifndef OFAN_PORT_SELECTOR_H
#define OFAN_PORT_SELECTOR_H

#include "rails-port-draw.h"

#include "ns3/port-selector.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * Ofan: destination-based rotation in the switches. Frames whose ways join at a place that all must
 * pass rotate over the ports as one flow: at an edge switch those to the same edge switch, further
 * up those to the same region (pod). Data and answers rotate apart. The cycle over the ports is a
 * weighted one, so that after a failure no port gets more than the bandwidth behind it.
 * ("Load Balancing for AI Training Workloads", arXiv 2507.21372, sections 5 and appendix F)
 */
class OfanPortSelector : public Forkable<OfanPortSelector, PortSelector>
{
  public:
    static TypeId GetTypeId();

    OfanPortSelector()
    {
        m_traits.scattersFrames = true;
        m_traits.spread = PathSpread::Weighted;
    }

    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    void OnRoutesChanged(const Switch& at) override;
    int64_t AssignStreams(int64_t stream) override;

    /// \return regions for which there is a schedule
    std::size_t CountSchedules() const;

    /// \return destinations (edge switches, or regions) that have a pointer for each size bin
    std::size_t CountPointers() const;

  private:
    static constexpr uint32_t kUnset = std::numeric_limits<uint32_t>::max();
    static constexpr std::size_t kBins = 2; // data, and what answers it

    // The cycle toward a region: all its ports in their shares.
    struct Schedule
    {
        std::vector<uint16_t> ports; // empty: not made yet
        std::size_t distinct{0};     // different ones among them
    };

    struct Pointer
    {
        uint32_t position{kUnset}; // in the schedule: where the next frame looks first
        uint32_t cycles{0};        // since it last skipped a position
    };

    void Prepare(const Switch& at);
    void MakeSchedule(const Switch& at, uint32_t region, Schedule& schedule);

    uint32_t m_skipAfter{0};
    PortDraw m_draw;
    std::vector<Schedule> m_schedules;                  // by region
    std::vector<std::array<Pointer, kBins>> m_pointers; // by edge switch, or by region
    bool m_byEdge{false};                               // which of the two
};

} // namespace ns3::rails

#endif // OFAN_PORT_SELECTOR_H
