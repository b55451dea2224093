// SPDX-License-Identifier: GPL-2.0-only
#include "dealing-planner.h"

#include "demand-pieces.h"

#include "ns3/range-checker.h"

#include <algorithm>

namespace ns3::rails
{

namespace
{

/// By how much LPT may leave a rail above the mean, as a part of the mean.
constexpr double kMostAboveMean = 0.01;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(DealingPlanner);

TypeId
DealingPlanner::GetTypeId()
{
    constexpr uint64_t most = RangeTraits<ByteSizeValue>::kHighest;
    static TypeId tid =
        TypeId("ns3::rails::DealingPlanner")
            .SetParent<RowPlanner>()
            .SetGroupName("Rails")
            .AddAttribute("Chunk",
                          "Largest piece of what one GPU has for another. automatic: so small "
                          "that LPT's bound leaves each NIC within 1 % of the mean of what its "
                          "server sends to another one. (unknown in arXiv 2510.19262)",
                          ByteSizeValue(ByteSize::Automatic()),
                          MakeByteSizeAccessor(&DealingPlanner::m_chunk),
                          MakeByteRange(1, most, {"whole", "automatic"}))
            .AddAttribute("MinChunk",
                          "Smallest piece into which chunk: automatic cuts: by default one whose "
                          "headers and ACK take a seventh of it. Where posting a message costs "
                          "time (nic.message_gap), what a NIC sends in that is more sensible.",
                          ByteSizeValue(ByteSize(1024)),
                          MakeByteSizeAccessor(&DealingPlanner::m_minChunk),
                          MakeByteRange(1, most));
    return tid;
}

/**
 * \param demand bytes that one GPU has for another
 * \param all what goes to the same server
 * \param mtu payload of a frame: pieces of several frames have full ones
 * \return the largest piece of the demand
 */
uint64_t
DealingPlanner::FindChunk(uint64_t demand, const ToServer& all, uint64_t mtu) const
{
    if (!m_chunk.IsAutomatic() || all.rails < 2)
    {
        return m_chunk.Get();
    }
    if (all.hasEqualNics && all.demands % all.rails == 0 && all.demands * all.largest == all.bytes)
    {
        return demand;
    }
    const auto fine =
        static_cast<uint64_t>(kMostAboveMean * static_cast<double>(all.bytes) / (all.rails - 1));
    const uint64_t equal = all.hasEqualNics ? (demand + all.rails - 1) / all.rails : 0;
    return std::max({m_minChunk.Get(), fine - fine % mtu, equal});
}

std::vector<Piece>
DealingPlanner::Cut(const ServerView& view) const
{
    if (!m_chunk.IsAutomatic())
    {
        return CutDemands(view, m_chunk);
    }
    const DestinationServers servers(view);
    std::vector<ToServer> toServers(servers.GetCount());
    for (uint32_t number = 0; number < toServers.size(); ++number)
    {
        const auto rails = view.GetRails(servers.GetServer(number)).size();
        toServers[number] = {0, 0, 0, rails, view.GetLayout().HasEqualNics()};
    }
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        ToServer& all = toServers[servers.GetNumber(demand)];
        const uint64_t bytes = view.demands[demand].bytes;
        all.bytes += bytes;
        all.largest = std::max(all.largest, bytes);
        ++all.demands;
    }
    return CutDemands(view, [&](uint32_t demand) {
        const ToServer& all = toServers[servers.GetNumber(demand)];
        return FindChunk(view.demands[demand].bytes, all, view.frames.mtu);
    });
}

double
DealingPlanner::EstimatePieces(double bytes, const ClusterShape& shape, bool areEqual) const
{
    // As if each GPU of a server had something for each one of the other.
    const auto demand = static_cast<uint64_t>(bytes);
    const uint64_t pairs = uint64_t{shape.gpusPerServer} * shape.gpusPerServer;
    const ToServer all{pairs * demand, areEqual ? demand : 0, pairs, shape.nicsPerServer};
    return EstimateParts(bytes, FindChunk(demand, all, 1));
}

} // namespace ns3::rails
