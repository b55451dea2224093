// SPDX-License-Identifier: GPL-2.0-only
#include "circulant-offsets.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

namespace
{

/// \return the sum of the distances from a server to all others; one that cannot be reached counts
/// as one that is farther than any
uint64_t
SumDistances(uint32_t servers, const std::vector<uint32_t>& offsets)
{
    std::vector<uint32_t> distances(servers, servers);
    distances[0] = 0;
    std::vector<uint32_t> found{0};
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        for (const uint32_t offset : offsets)
        {
            for (const uint32_t step : {offset, servers - offset})
            {
                const uint32_t next = (found[i] + step) % servers;
                if (distances[next] == servers)
                {
                    distances[next] = distances[found[i]] + 1;
                    found.push_back(next);
                }
            }
        }
    }
    uint64_t sum = 0;
    for (const uint32_t distance : distances)
    {
        sum += distance;
    }
    return sum;
}

} // namespace

std::vector<uint32_t>
FindCirculantOffsets(uint32_t servers, uint32_t nics)
{
    std::vector<uint32_t> offsets;
    if (nics % 2 == 1)
    {
        offsets.push_back(servers / 2);
    }
    for (uint32_t pair = 0; pair < nics / 2; ++pair)
    {
        uint32_t best = 0;
        uint64_t least = 0;
        for (uint32_t offset = 1; 2 * offset < servers; ++offset)
        {
            if (std::find(offsets.begin(), offsets.end(), offset) != offsets.end())
            {
                continue;
            }
            offsets.push_back(offset);
            const uint64_t sum = SumDistances(servers, offsets);
            offsets.pop_back();
            if (best == 0 || sum <= least)
            {
                best = offset;
                least = sum;
            }
        }
        offsets.push_back(best);
    }
    return offsets;
}

} // namespace ns3::rails
