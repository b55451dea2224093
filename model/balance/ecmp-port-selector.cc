// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-port-selector.h"

#include "ns3/rails-about.h"
#include "ns3/random-variable-stream.h"

#include <limits>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EcmpPortSelector);

namespace
{

// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA'14): every input bit reaches every
// output bit.
uint64_t
Mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

} // namespace

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
    const uint64_t nics = uint64_t{frame.sourceNic} << 32 | frame.destinationNic;
    const uint64_t hash = Mix(Mix(nics ^ m_salt) + frame.entropy);
    // The high half of a product maps the hash onto the candidates without a division.
    if (hops.isEven)
    {
        return hops.ports[((hash >> 32) * hops.ports.size()) >> 32];
    }
    uint64_t draw = ((hash >> 32) * hops.totalWeight) >> 32;
    std::size_t choice = 0;
    while (draw >= hops.weights[choice])
    {
        draw -= hops.weights[choice++];
    }
    return hops.ports[choice];
}

int64_t
EcmpPortSelector::AssignStreams(int64_t stream)
{
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(stream);
    for (int half = 0; half < 2; ++half)
    {
        m_salt = m_salt << 32 | random->GetInteger(0, std::numeric_limits<uint32_t>::max() - 1);
    }
    return 1;
}

} // namespace ns3::rails
