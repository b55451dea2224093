// SPDX-License-Identifier: GPL-2.0-only
#include "rails-plus-balancer.h"

#include "demand-pieces.h"
#include "paced-pieces.h"

#include "ns3/component-documentation.h"

#include <algorithm>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return the seconds that each server's NICs are busy, in the direction in which they have more
std::vector<double>
FindBusyTimes(const ServerView& view, const ServerSums& sums)
{
    std::vector<double> times;
    for (uint32_t server = 0; server < view.shape.servers; ++server)
    {
        const auto getWire = [&view](const ServerTraffic& data, const ServerTraffic& acknowledged) {
            return view.frames.GetDataWire(data.bytes, data.frames) +
                   view.frames.GetAckWire(acknowledged.frames);
        };
        const uint64_t wire = std::max(getWire(sums.sent[server], sums.received[server]),
                                       getWire(sums.received[server], sums.sent[server]));
        const double rate = GetServerRate(view, server);
        times.push_back(rate > 0 ? 8 * static_cast<double>(wire) / rate : 0);
    }
    return times;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RailsPlusBalancer);

TypeId
RailsPlusBalancer::GetTypeId()
{
    static TypeId tid = AddChunk(
        SetDocumentation(TypeId("ns3::rails::RailsPlusBalancer").SetParent<SumsBalancer>(),
                         "RailS with paces (ours). What a server has for another one is split "
                         "evenly over its NICs, which begin with what GPUs near them have, and "
                         "paced: each pair of servers gets of the NICs "
                         "what it has, ACKs included, over the largest of the sums that its two "
                         "servers send and receive. No NIC is offered more than it takes, so no "
                         "queue grows.")
            .SetGroupName("Rails")
            .AddConstructor<RailsPlusBalancer>(),
        &RailsPlusBalancer::m_chunk,
        ByteSize(1'000'000),
        "Largest piece, cut at borders of frames. (ours: what a NIC that dies loses)");
    return tid;
}

std::vector<Piece>
RailsPlusBalancer::Plan(const ServerView& view, const ServerSums& sums)
{
    const std::vector<double> times = FindBusyTimes(view, sums);
    return MakePacedPieces(view, m_chunk, [&](uint32_t to) {
        return MakeEvenSchedule(view.GetRailRates(to), std::max(times[view.server], times[to]));
    });
}

} // namespace ns3::rails
