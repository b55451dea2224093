// SPDX-License-Identifier: GPL-2.0-only
#include "rails-port-draw.h"

#include "ns3/component-documentation.h"
#include "ns3/port-selector.h"

namespace ns3::rails
{

/**
 * Join the shortest queue: each frame takes the valid port that holds the fewest bytes, the frame
 * being sent included and weights ignored; ports that tie are as likely as each other. Adaptive
 * routing without quantisation or delay (JSQ of arXiv 2507.21372, appendix C).
 */
class JsqPortSelector : public Forkable<JsqPortSelector, PortSelector>
{
  public:
    static TypeId GetTypeId();

    JsqPortSelector()
    {
        m_traits.scattersFrames = true;
    }

    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    PortDraw m_draw;
};

NS_OBJECT_ENSURE_REGISTERED(JsqPortSelector);

TypeId
JsqPortSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::JsqPortSelector").SetParent<PortSelector>(),
                         "Each frame takes the port with the shortest queue. (JSQ of arXiv "
                         "2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<JsqPortSelector>();
    return tid;
}

uint16_t
JsqPortSelector::Select(const Switch& at, Frame& /* frame */, const NextHops& hops)
{
    return m_draw.Shortest(at, hops.ports);
}

int64_t
JsqPortSelector::AssignStreams(int64_t stream)
{
    return m_draw.AssignStreams(stream);
}

} // namespace ns3::rails
