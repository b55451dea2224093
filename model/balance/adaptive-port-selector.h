// SPDX-License-Identifier: GPL-2.0-only
#ifndef ADAPTIVE_PORT_SELECTOR_H
#define ADAPTIVE_PORT_SELECTOR_H

#include "rails-port-draw.h"

#include "ns3/nstime.h"
#include "ns3/port-selector.h"
#include "ns3/rails-units.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * Adaptive routing in the style of Spectrum-X (Switch Pkt AR of arXiv 2507.21372): the queue of a
 * port is graded into four buckets, and each frame takes any of the valid ports of the lowest
 * bucket, each as likely as the others and weights ignored.
 *
 * The grade of a port is old by design: it is taken anew when a frame is to be sent and the grade
 * is at least Refresh old. Grades are those of ports, not of destinations, so a change of routes
 * leaves them valid.
 */
class AdaptivePortSelector : public PortSelector
{
  public:
    static TypeId GetTypeId();

    void Check(const FabricTraits& fabric) const override;
    Ptr<PortSelector> Fork() const override;
    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    bool ScattersFrames() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    struct Grade
    {
        TimePs until{std::numeric_limits<TimePs>::min()}; // when the grade may be taken anew
        uint8_t bucket{0};
    };

    uint8_t GetBucket(const Switch& at, uint16_t port, TimePs now);

    double m_low;
    double m_middle;
    double m_high;
    ByteSize m_buffer;
    Time m_refresh;

    PortDraw m_draw;
    std::vector<Grade> m_grades; // by port
    TimePs m_lifetime{0};
    std::array<double, 3> m_limits{}; // bytes from which on a queue is in the next bucket
};

} // namespace ns3::rails

#endif // ADAPTIVE_PORT_SELECTOR_H
