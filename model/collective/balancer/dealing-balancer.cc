// SPDX-License-Identifier: GPL-2.0-only
#include "dealing-balancer.h"

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

NS_OBJECT_ENSURE_REGISTERED(DealingBalancer);

TypeId
DealingBalancer::GetTypeId()
{
    constexpr uint64_t most = RangeTraits<ByteSizeValue>::kHighest;
    static TypeId tid =
        TypeId("ns3::rails::DealingBalancer")
            .SetParent<RowBalancer>()
            .SetGroupName("Rails")
            .AddAttribute("Chunk",
                          "Largest piece of what one GPU has for another. automatic: so small "
                          "that LPT's bound leaves each NIC within 1 % of the mean of what its "
                          "server sends to another one. (unknown in arXiv 2510.19262)",
                          ByteSizeValue(ByteSize::Automatic()),
                          MakeByteSizeAccessor(&DealingBalancer::m_chunk),
                          MakeByteRange(1, most, {"whole", "automatic"}))
            .AddAttribute("MinChunk",
                          "Smallest piece into which chunk: automatic cuts: by default one whose "
                          "headers and ACK take a seventh of it. Where posting a message costs "
                          "time (nic.message_gap), what a NIC sends in that is more sensible.",
                          ByteSizeValue(ByteSize(1024)),
                          MakeByteSizeAccessor(&DealingBalancer::m_minChunk),
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
DealingBalancer::FindChunk(uint64_t demand, const ToServer& all, uint64_t mtu) const
{
    if (!m_chunk.IsAutomatic() || all.rails < 2)
    {
        return m_chunk.Get();
    }
    if (all.isWhole)
    {
        return demand;
    }
    const auto fine =
        static_cast<uint64_t>(kMostAboveMean * static_cast<double>(all.bytes) / (all.rails - 1));
    const uint64_t equal = all.isEven ? (demand + all.rails - 1) / all.rails : 0;
    return std::max({m_minChunk.Get(), fine - fine % mtu, equal});
}

std::vector<Piece>
DealingBalancer::Cut(const ServerView& view) const
{
    if (!m_chunk.IsAutomatic())
    {
        return CutDemands(view, m_chunk);
    }
    const DestinationServers servers(view);
    std::vector<ToServer> toServers(servers.GetCount());
    const bool isEven = view.GetLayout().HasEqualNics();
    for (uint32_t number = 0; number < toServers.size(); ++number)
    {
        const auto rails = view.GetRails(servers.GetServer(number)).size();
        toServers[number] = {0, 0, rails, isEven, isEven && m_traits.dealsInTurn};
    }
    for (uint32_t first = 0; first < view.demands.size();)
    {
        // As they are dealt: those of the next GPU begin where the ones for other servers end.
        ToServer& all = toServers[servers.GetNumber(first)];
        all.each = all.each == 0 ? view.demands[first].bytes : all.each;
        uint32_t end = first;
        while (end < view.demands.size() && servers.GetNumber(end) == servers.GetNumber(first))
        {
            all.isWhole = all.isWhole && view.demands[end].bytes == all.each;
            all.bytes += view.demands[end++].bytes;
        }
        all.isWhole = all.isWhole && (end - first) % all.rails == 0;
        first = end;
    }
    return CutDemands(view, [&](uint32_t demand) {
        const ToServer& all = toServers[servers.GetNumber(demand)];
        return FindChunk(view.demands[demand].bytes, all, view.frames.mtu);
    });
}

double
DealingBalancer::EstimatePieces(double bytes, const ClusterShape& shape, bool areEqual) const
{
    // As if each GPU of a server had something for each one of the other.
    const auto demand = static_cast<uint64_t>(bytes);
    const uint64_t pairs = uint64_t{shape.gpusPerServer} * shape.gpusPerServer;
    const bool isWhole =
        m_traits.dealsInTurn && areEqual && shape.gpusPerServer % shape.nicsPerServer == 0;
    const ToServer all{pairs * demand, demand, shape.nicsPerServer, true, isWhole};
    return EstimateParts(bytes, FindChunk(demand, all, 1));
}

} // namespace ns3::rails
