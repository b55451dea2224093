// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-port-selector.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EcmpPortSelector);

TypeId
EcmpPortSelector::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::EcmpPortSelector").SetParent<PortSelector>(),
                 "A hash chooses the port, so that all frames of one entropy take one "
                 "path. (RFC 2992)")
            .SetGroupName("Rails")
            .AddConstructor<EcmpPortSelector>();
    return tid;
}

Ptr<PortSelector>
EcmpPortSelector::Fork() const
{
    return CopyObject<EcmpPortSelector>(Ptr<const EcmpPortSelector>(this));
}

uint16_t
EcmpPortSelector::Select(const Switch&, Frame& frame, const NextHops& hops)
{
    return m_hash.Choose(frame.sourceNic, frame.destinationNic, frame.entropy, hops);
}

PathSpread
EcmpPortSelector::GetSpread() const
{
    return PathSpread::OnePath;
}

int64_t
EcmpPortSelector::AssignStreams(int64_t stream)
{
    return m_hash.AssignStreams(stream);
}

} // namespace ns3::rails
