// SPDX-License-Identifier: GPL-2.0-only
#include "frame-settings.h"

#include "ns3/ecmp-port-selector.h"
#include "ns3/flow-path-selector.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Buffer of a switch without the headroom of its ports.
class Headroom
{
  public:
    Headroom(const FrameSettings& settings, const Wiring& wiring)
        : m_settings(settings),
          m_wiring(wiring)
    {
    }

    /**
     * \return bytes in the shared pool of a switch
     * \throws ConfigurationError when the headroom does not fit the buffer
     */
    uint64_t FindPool(const WiredSwitch& at)
    {
        const uint64_t size = m_settings.profile->GetBuffer();
        uint64_t left = size;
        for (std::size_t port = 0; port < at.cables.size(); ++port)
        {
            const uint64_t headroom = Get(m_wiring.GetCables()[at.cables[port]]);
            if (headroom >= left)
            {
                SwitchProfile::RefuseHeadroom(at.name, port + 1, size);
            }
            left -= headroom;
        }
        return left;
    }

  private:
    // Cached: links have few kinds.
    uint64_t Get(const Cable& cable)
    {
        constexpr uint64_t unknown = std::numeric_limits<uint64_t>::max();
        if (cable.kind >= m_byKind.size())
        {
            m_byKind.resize(cable.kind + 1, unknown);
        }
        uint64_t& headroom = m_byKind[cable.kind];
        if (headroom == unknown)
        {
            const CableKind& kind = m_wiring.GetKind(cable);
            headroom = m_settings.profile->GetHeadroom(kind.rateBps,
                                                       kind.delay,
                                                       m_settings.transport->GetLargestFrame());
        }
        return headroom;
    }

    const FrameSettings& m_settings;
    const Wiring& m_wiring;
    std::vector<uint64_t> m_byKind;
};

} // namespace

FrameSettings
MakeFrameSettings()
{
    return {CreateObject<SwitchProfile>(),
            CreateObject<Transport>(),
            CreateObject<NicProfile>(),
            CreateObject<FlowPathSelector>(),
            CreateObject<EcmpPortSelector>()};
}

void
FrameSettings::Check(const Wiring& wiring) const
{
    CheckNested("switch", [&] {
        profile->CheckPauses(
            static_cast<uint32_t>(transport->GetLargestFrame() + transport->GetWireOverhead()));
        profile->CheckHeadroom(transport->GetAckClass() == Transport::ACKS_IN_DATA
                                   ? transport->GetLargestFrame()
                                   : transport->GetLargestDataFrame());
    });
    Headroom headroom(*this, wiring);
    const WiredSwitch* tightest = nullptr;
    uint64_t left = std::numeric_limits<uint64_t>::max();
    for (const WiredSwitch& at : wiring.GetSwitches())
    {
        if (at.isOptical)
        {
            continue; // it has no buffer
        }
        const uint64_t pool = headroom.FindPool(at);
        tightest = pool < left ? &at : tightest;
        left = std::min(left, pool);
    }
    // A switch must hold one frame in addition to its headroom.
    const uint64_t smallest =
        profile->GetSmallestPool(transport->GetLargestDataFrame(),
                                 static_cast<uint32_t>(transport->GetAckBytes()));
    if (left < smallest)
    {
        throw ConfigurationError(
            "switch.buffer",
            "besides the headroom of its ports " + tightest->name + " has " + std::to_string(left) +
                " B, which lets no frame in that has no headroom: set "
                "switch.buffer to " +
                std::to_string(profile->GetBuffer() - left + smallest) + "B or more");
    }
}

std::optional<PathSpread>
FrameSettings::FindSpread() const
{
    return Combine(path->GetTraits().spread, selector->GetTraits().spread);
}

int64_t
FrameSettings::CountStreamsOfSwitch() const
{
    const bool draws =
        transport->GetCongestionControl()->GetTraits().usesEcn || path->GetTraits().usesEcn;
    return draws ? 2 : 1;
}

uint64_t
FrameSettings::FindSafeHeadroom(const Wiring& wiring) const
{
    uint64_t largest = 0;
    for (const Cable& cable : wiring.GetCables())
    {
        const CableKind& kind = wiring.GetKind(cable);
        largest = std::max(
            largest,
            profile->FindSafeHeadroom(kind.rateBps, kind.delay, transport->GetLargestFrame()));
    }
    return largest;
}

TimePs
FrameSettings::FindTravelTime(const Wiring& wiring, uint32_t links, uint64_t bytes) const
{
    TimePs atNics = 0;
    TimePs between = 0;
    for (const Cable& cable : wiring.GetCables())
    {
        const CableKind& kind = wiring.GetKind(cable);
        TimePs& longest = cable.isNic ? atNics : between;
        longest = std::max(
            longest,
            kind.delay + SerialisationTime(bytes + transport->GetWireOverhead(), kind.rateBps));
    }
    constexpr uint32_t ofNics = 2;
    return ofNics * atNics + (links - std::min(links, ofNics)) * between;
}

TimePs
FrameSettings::FindIdleRoundTrip(const Wiring& wiring, uint32_t links) const
{
    return FindTravelTime(wiring, links, transport->GetLargestDataFrame()) +
           FindTravelTime(wiring, links, transport->GetAckBytes());
}

} // namespace ns3::rails
