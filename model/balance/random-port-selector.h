// SPDX-License-Identifier: GPL-2.0-only
#ifndef RANDOM_PORT_SELECTOR_H
#define RANDOM_PORT_SELECTOR_H

#include "rails-port-draw.h"

#include "ns3/port-selector.h"

namespace ns3::rails
{

/**
 * Each frame takes any of the valid ports, each as likely as the others, whatever their weights:
 * adaptive routing that knows nothing of the queues (RSQ of arXiv 2507.21372, appendix D).
 */
class RandomPortSelector : public PortSelector
{
  public:
    static TypeId GetTypeId();

    Ptr<PortSelector> Fork() const override;
    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    bool ScattersFrames() const override;
    PathSpread GetSpread() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    PortDraw m_draw;
};

} // namespace ns3::rails

#endif // RANDOM_PORT_SELECTOR_H
