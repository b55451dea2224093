// SPDX-License-Identifier: GPL-2.0-only
#include "ecmp-hash.h"

#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <limits>

namespace ns3::rails
{

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

uint16_t
EcmpHash::Choose(uint32_t sourceNic,
                 uint32_t destinationNic,
                 uint32_t entropy,
                 const NextHops& hops) const
{
    const uint64_t nics = uint64_t{sourceNic} << 32 | destinationNic;
    const uint64_t hash = Mix(Mix(nics ^ m_salt) + entropy);
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
EcmpHash::AssignStreams(int64_t stream)
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
