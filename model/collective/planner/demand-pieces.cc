// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"

#include "ns3/range-checker.h"

#include <algorithm>

namespace ns3::rails
{

std::vector<Piece>
CutDemands(const ServerView& view, ByteSize chunk)
{
    std::vector<Piece> pieces;
    pieces.reserve(view.demands.size());
    for (uint32_t demand = 0; demand < view.demands.size(); ++demand)
    {
        uint64_t left = view.demands[demand].bytes;
        while (left > 0)
        {
            const uint64_t bytes = std::min(left, chunk.Get());
            pieces.push_back({demand, bytes, 0, 0});
            left -= bytes;
        }
    }
    return pieces;
}

Ptr<const AttributeChecker>
MakeChunkChecker()
{
    return MakeByteRange(1, uint64_t{1} << 62, "whole");
}

} // namespace ns3::rails
