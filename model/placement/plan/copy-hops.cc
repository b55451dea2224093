// SPDX-License-Identifier: GPL-2.0-only
#include "copy-hops.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

// UltraEP 1.0.0.
constexpr std::size_t kLeastRelayed = 4; //!< least receivers for relays
constexpr uint32_t kMostDirect = 8;      //!< most GPUs of a group without relays
constexpr std::size_t kMostRelays = 8;
constexpr std::size_t kLeastServed = 2; //!< least receivers per relay

/// Receivers of an expert from one sender.
struct Spread
{
    uint32_t sender;
    std::vector<uint32_t> receivers;
    uint64_t bytes;
};

std::vector<Spread>
Gather(const std::vector<ExpertTransfer>& transfers)
{
    std::map<std::tuple<uint32_t, uint32_t, uint64_t>, std::vector<uint32_t>> known;
    for (const ExpertTransfer& transfer : transfers)
    {
        known[{transfer.from, transfer.expert, transfer.bytes}].push_back(transfer.to);
    }
    std::vector<Spread> spreads;
    for (auto& [key, receivers] : known)
    {
        std::sort(receivers.begin(), receivers.end());
        spreads.push_back({std::get<0>(key), std::move(receivers), std::get<2>(key)});
    }
    return spreads;
}

void
LayDirect(const Spread& spread, std::vector<CopyHop>& hops)
{
    for (const uint32_t gpu : spread.receivers)
    {
        hops.push_back({spread.sender, gpu, 0, spread.bytes});
    }
}

void
LayChain(const Spread& spread, std::vector<CopyHop>& hops)
{
    const std::vector<uint32_t>& ring = spread.receivers;
    const auto next = static_cast<std::size_t>(
        std::upper_bound(ring.begin(), ring.end(), spread.sender) - ring.begin());
    uint32_t before = spread.sender;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        const uint32_t gpu = ring[(next + i) % ring.size()];
        hops.push_back({before, gpu, static_cast<uint32_t>(i), spread.bytes});
        before = gpu;
    }
}

void
LayRelays(const ClusterView& cluster, const Spread& spread, std::vector<CopyHop>& hops)
{
    const std::size_t all = spread.receivers.size();
    const std::size_t relays = std::min(kMostRelays, all / (1 + kLeastServed));
    if (cluster.gpus <= kMostDirect || all < kLeastRelayed || relays == 0)
    {
        LayDirect(spread, hops);
        return;
    }
    for (std::size_t i = 0; i < all; ++i)
    {
        const bool isRelay = i < relays;
        hops.push_back({isRelay ? spread.sender : spread.receivers[i % relays],
                        spread.receivers[i],
                        isRelay ? 0U : 1U,
                        spread.bytes});
    }
}

std::vector<CopyHop>
Lay(const ClusterView& cluster, const std::vector<Spread>& spreads, CopyWay way, bool isBack)
{
    std::vector<CopyHop> hops;
    for (const Spread& spread : spreads)
    {
        const std::size_t first = hops.size();
        switch (way)
        {
        case CopyWay::Direct:
            LayDirect(spread, hops);
            break;
        case CopyWay::Chain:
            LayChain(spread, hops);
            break;
        case CopyWay::Relays:
            LayRelays(cluster, spread, hops);
            break;
        }
        uint32_t last = 0;
        for (std::size_t i = first; i < hops.size(); ++i)
        {
            last = std::max(last, hops[i].turn);
        }
        for (std::size_t i = first; isBack && i < hops.size(); ++i)
        {
            std::swap(hops[i].from, hops[i].to);
            hops[i].turn = last - hops[i].turn;
        }
    }
    std::stable_sort(hops.begin(), hops.end(), [](const CopyHop& one, const CopyHop& other) {
        return one.from < other.from;
    });
    return hops;
}

} // namespace

std::vector<CopyHop>
LayCopies(const ClusterView& cluster, const std::vector<ExpertTransfer>& transfers, CopyWay way)
{
    return Lay(cluster, Gather(transfers), way, false);
}

std::vector<CopyHop>
LayReturns(const ClusterView& cluster, const std::vector<ExpertTransfer>& transfers, CopyWay way)
{
    std::vector<ExpertTransfer> there = transfers;
    for (ExpertTransfer& transfer : there)
    {
        std::swap(transfer.from, transfer.to);
    }
    return Lay(cluster, Gather(there), way, true);
}

uint32_t
CountCopyPieces(uint64_t bytes)
{
    return static_cast<uint32_t>(std::max<uint64_t>(1, (bytes + kCopyPiece - 1) / kCopyPiece));
}

uint32_t
CountTurns(const ClusterView& cluster, CopyWay way)
{
    switch (way)
    {
    case CopyWay::Chain:
        return std::max(2U, cluster.gpus) - 1;
    case CopyWay::Relays:
        return cluster.gpus <= kMostDirect ? 1 : 2;
    default:
        return 1;
    }
}

} // namespace ns3::rails
