// SPDX-License-Identifier: GPL-2.0-only
#ifndef JSQ_PORT_SELECTOR_H
#define JSQ_PORT_SELECTOR_H

#include "rails-port-draw.h"

#include "ns3/port-selector.h"

namespace ns3::rails
{

/**
 * Join the shortest queue: each frame takes the valid port that holds the fewest bytes, the frame
 * being sent included and weights ignored; ports that tie are as likely as each other. Adaptive
 * routing without quantisation or delay (JSQ of arXiv 2507.21372, appendix C).
 */
class JsqPortSelector : public PortSelector
{
  public:
    static TypeId GetTypeId();

    Ptr<PortSelector> Fork() const override;
    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    bool ScattersFrames() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    PortDraw m_draw;
};

} // namespace ns3::rails

#endif // JSQ_PORT_SELECTOR_H
