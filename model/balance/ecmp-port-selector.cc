// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-port-selector.h"

#include "ns3/component-documentation.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EcmpPortSelector);

TypeId
EcmpPortSelector::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::EcmpPortSelector").SetParent<PortSelector>(),
                         "A hash chooses the port, so that all frames of one entropy take one "
                         "path. (RFC 2992)")
            .SetGroupName("Rails")
            .AddConstructor<EcmpPortSelector>();
    return tid;
}

uint16_t
EcmpPortSelector::Select(const Switch&, Frame& frame, const NextHops& hops)
{
    return m_hash.Choose(frame.sourceNic, frame.destinationNic, frame.entropy, hops);
}

int64_t
EcmpPortSelector::AssignStreams(int64_t stream)
{
    return m_hash.AssignStreams(stream);
}

} // namespace ns3::rails
