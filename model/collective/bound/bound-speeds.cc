// SPDX-License-Identifier: GPL-2.0-only
#include "bound-speeds.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace ns3::rails
{

namespace
{

using Wide = boost::multiprecision::uint128_t; // bytes * 8e12 outgrows 64 bits

constexpr uint64_t kPicosecondBits = 8'000'000'000'000; // bits per byte * ps per second

} // namespace

PathTimes
FindPathTimes(const ClusterSpeeds& speeds)
{
    const FrameFormat& frames = speeds.frames;
    const uint64_t smallest = frames.GetDataWire(1, 1);
    const uint64_t ack = frames.GetAckWire(1);
    PathTimes times;
    times.crossing = speeds.interior->GetLeastLatency();
    for (size_t i = 0; i < speeds.path.size(); ++i)
    {
        const PathLink& link = speeds.path[i];
        const TimePs frameTime = GetTransferTime(smallest, link.rateBps);
        times.afterSending += link.delay + (i == 0 ? 0 : frameTime);
        times.beforeReceiving += link.delay + (i + 1 == speeds.path.size() ? 0 : frameTime);
        times.ackReturn += link.delay + GetTransferTime(ack, link.rateBps);
    }
    return times;
}

TimePs
GetTransferTime(uint64_t bytes, const Wide& rate, uint64_t scale)
{
    return (Wide(bytes) * kPicosecondBits * scale / rate).convert_to<TimePs>();
}

uint64_t
GetNicRate(const ClusterSpeeds& speeds, const ClusterShape& shape, uint32_t nic)
{
    return speeds.bestRatesBps.empty() ? speeds.nicRatesBps[shape.GetRail(nic)]
                                       : speeds.bestRatesBps[nic];
}

ClusterSpeeds
FindSpeeds(const Wiring& wiring, const FabricTraits& traits)
{
    ClusterSpeeds speeds;
    speeds.interior = wiring.GetInterior();
    PathLink fastest{0, std::numeric_limits<TimePs>::max()};
    const ClusterShape& shape = wiring.GetShape();
    bool areAlike = true; // whether all servers have equal NIC rates
    for (uint32_t nic = 0; nic < shape.GetNics(); ++nic)
    {
        speeds.bestRatesBps.push_back(wiring.GetNicKind(nic).rateBps);
        fastest.rateBps = std::max(fastest.rateBps, speeds.bestRatesBps.back());
        areAlike =
            areAlike && speeds.bestRatesBps.back() == speeds.bestRatesBps[shape.GetRail(nic)];
    }
    speeds.nicRatesBps.assign(speeds.bestRatesBps.begin(),
                              speeds.bestRatesBps.begin() + shape.nicsPerServer);
    if (areAlike)
    {
        speeds.bestRatesBps.clear();
    }
    TimePs atNics = kNever; // least delay of NIC links, which include the latency of NICs
    for (const Cable& cable : wiring.GetCables())
    {
        const TimePs delay = wiring.GetKind(cable).delay;
        fastest.delay = std::min(fastest.delay, delay);
        atNics = cable.isNic ? std::min(atNics, delay) : atNics;
    }
    speeds.path.assign(CountBoundedLinks(wiring, traits), fastest);
    speeds.path.front().delay = atNics;
    speeds.path.back().delay = atNics;
    return speeds;
}

} // namespace ns3::rails
