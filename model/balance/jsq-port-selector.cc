// SPDX-License-Identifier: GPL-2.0-only
#include "jsq-port-selector.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(JsqPortSelector);

TypeId
JsqPortSelector::GetTypeId()
{
    static TypeId tid = AddAbout(TypeId("ns3::rails::JsqPortSelector").SetParent<PortSelector>(),
                                 "Each frame takes the port with the shortest queue. (JSQ of arXiv "
                                 "2507.21372)")
                            .SetGroupName("Rails")
                            .AddConstructor<JsqPortSelector>();
    return tid;
}

Ptr<PortSelector>
JsqPortSelector::Fork() const
{
    return CopyObject<JsqPortSelector>(Ptr<const JsqPortSelector>(this));
}

uint16_t
JsqPortSelector::Select(const Switch& at, Frame& /* frame */, const NextHops& hops)
{
    return m_draw.Shortest(at, hops.ports);
}

bool
JsqPortSelector::ScattersFrames() const
{
    return true;
}

int64_t
JsqPortSelector::AssignStreams(int64_t stream)
{
    return m_draw.AssignStreams(stream);
}

} // namespace ns3::rails
