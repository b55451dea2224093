// SPDX-License-Identifier: GPL-2.0-only
#include "nic-turns.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>

namespace ns3::rails
{

namespace
{

/// What a source GPU has for others, or what there is for a destination GPU.
struct Share
{
    uint32_t demands{0};
    uint32_t pieces{0};
    uint32_t turn{0};     // pieces that had theirs
    uint32_t servers{0};  // other ones
    uint32_t distance{0}; // of the one that was looked at last; 0: none
    uint32_t place{0};    // of that one
};

} // namespace

std::vector<NicTurn>
FindNicTurns(const ServerView& view, const std::vector<Piece>& pieces)
{
    std::vector<NicTurn> turns(pieces.size());
    const ClusterShape& shape = view.shape;
    if (shape.nicsPerServer <= shape.gpusPerServer)
    {
        return turns;
    }
    const auto getDemand = [&](std::size_t piece) -> const LocalDemand& {
        return view.demands[pieces[piece].demand];
    };
    const auto getDistance = [&](const LocalDemand& demand) {
        return (shape.GetServer(demand.destination) + shape.servers - view.server) % shape.servers;
    };
    std::map<uint32_t, Share> rows;    // by source
    std::map<uint32_t, Share> columns; // by destination
    for (const LocalDemand& demand : view.demands)
    {
        Share& row = rows[demand.source];
        ++row.demands;
        row.servers += row.distance == getDistance(demand) ? 0 : 1; // they are by destination
        row.distance = getDistance(demand);
        ++columns[demand.destination].demands;
    }
    for (auto& [source, row] : rows)
    {
        row.distance = 0;
    }
    std::vector<std::size_t> order(pieces.size());
    std::iota(order.begin(), order.end(), 0);
    for (const std::size_t piece : order)
    {
        ++rows[getDemand(piece).source].pieces;
        ++columns[getDemand(piece).destination].pieces;
    }
    const auto rank = [&](std::size_t piece) {
        const LocalDemand& demand = getDemand(piece);
        return std::tuple(getDistance(demand), demand.destination, demand.source);
    };
    std::stable_sort(order.begin(), order.end(), [&rank](std::size_t one, std::size_t other) {
        return rank(one) < rank(other);
    });
    for (const std::size_t piece : order)
    {
        const LocalDemand& demand = getDemand(piece);
        const uint32_t distance = getDistance(demand);
        Share& row = rows[demand.source];
        Share& column = columns[demand.destination];
        row.place += row.distance != 0 && row.distance != distance ? 1 : 0;
        row.distance = distance;
        const bool isAlone = row.demands == 1;
        const uint32_t server = isAlone ? distance - 1 : row.place;
        const uint32_t others = server * shape.gpusPerServer; // GPUs of servers before
        turns[piece].source = view.lane * row.pieces + row.turn++;
        turns[piece].source +=
            isAlone ? (others + shape.GetLocal(demand.destination)) * row.pieces : 0;
        turns[piece].destination = view.lane * row.servers * column.pieces + column.turn++;
        turns[piece].destination += isAlone && column.demands == 1
                                        ? (others + shape.GetLocal(demand.source)) * column.pieces
                                        : server * column.pieces;
    }
    return turns;
}

} // namespace ns3::rails
