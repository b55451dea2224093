// SPDX-License-Identifier: GPL-2.0-only
#include "random-port-selector.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RandomPortSelector);

TypeId
RandomPortSelector::GetTypeId()
{
    static TypeId tid = AddAbout(TypeId("ns3::rails::RandomPortSelector").SetParent<PortSelector>(),
                                 "Each frame takes a port by lot. (RSQ of arXiv 2507.21372)")
                            .SetGroupName("Rails")
                            .AddConstructor<RandomPortSelector>();
    return tid;
}

Ptr<PortSelector>
RandomPortSelector::Fork() const
{
    return CopyObject<RandomPortSelector>(Ptr<const RandomPortSelector>(this));
}

uint16_t
RandomPortSelector::Select(const Switch& /* at */, Frame& /* frame */, const NextHops& hops)
{
    return m_draw.Any(hops.ports);
}

bool
RandomPortSelector::ScattersFrames() const
{
    return true;
}

PathSpread
RandomPortSelector::GetSpread() const
{
    return PathSpread::Even;
}

int64_t
RandomPortSelector::AssignStreams(int64_t stream)
{
    return m_draw.AssignStreams(stream);
}

} // namespace ns3::rails
