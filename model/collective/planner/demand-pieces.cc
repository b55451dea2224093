// SPDX-License-Identifier: GPL-2.0-only
#include "demand-pieces.h"

#include <algorithm>
#include <cstddef>

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

std::vector<uint64_t>
SplitOverRails(uint64_t bytes,
               const std::vector<uint16_t>& rails,
               const ServerLayout& layout,
               uint32_t& turn)
{
    const std::size_t count = rails.size();
    double speeds = 0;
    for (const uint16_t rail : rails)
    {
        speeds += layout.GetSpeed(rail);
    }
    std::vector<uint64_t> parts(count, bytes / count);
    uint64_t left = bytes % count;
    if (!layout.HasEqualNics())
    {
        left = bytes;
        for (std::size_t i = 0; i < count; ++i)
        {
            const double share = static_cast<double>(bytes) * layout.GetSpeed(rails[i]) / speeds;
            parts[i] = std::min(left, static_cast<uint64_t>(share));
            left -= parts[i];
        }
    }
    for (uint64_t step = 0; step < left; ++step)
    {
        ++parts[(turn + step) % count];
    }
    turn = static_cast<uint32_t>((turn + left) % count);
    return parts;
}

} // namespace ns3::rails
