// SPDX-License-Identifier: GPL-2.0-only
#include "rails-port-draw.h"

#include "ns3/component-documentation.h"
#include "ns3/port-selector.h"

namespace ns3::rails
{

/**
 * Each frame takes any of the valid ports, each as likely as the others, whatever their weights:
 * adaptive routing that knows nothing of the queues (RSQ of arXiv 2507.21372, appendix D).
 */
class RandomPortSelector : public Forkable<RandomPortSelector, PortSelector>
{
  public:
    static TypeId GetTypeId();

    RandomPortSelector()
    {
        m_traits.scattersFrames = true;
        m_traits.spread = PathSpread::Even;
    }

    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    PortDraw m_draw;
};

NS_OBJECT_ENSURE_REGISTERED(RandomPortSelector);

TypeId
RandomPortSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::RandomPortSelector").SetParent<PortSelector>(),
                         "Each frame takes a port by lot. (RSQ of arXiv 2507.21372)")
            .SetGroupName("Rails")
            .AddConstructor<RandomPortSelector>();
    return tid;
}

uint16_t
RandomPortSelector::Select(const Switch& /* at */, Frame& /* frame */, const NextHops& hops)
{
    return m_draw.Any(hops.ports);
}

int64_t
RandomPortSelector::AssignStreams(int64_t stream)
{
    return m_draw.AssignStreams(stream);
}

} // namespace ns3::rails
