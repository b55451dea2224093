// SPDX-License-Identifier: GPL-2.0-only
#include "circulant-offsets.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>

namespace ns3::rails
{

namespace
{

/// Distances between the servers of a circle.
struct Closeness
{
    uint64_t distances{0}; //!< sum from a server to all others; an unreachable server counts as
                           //!< farther than any other
    double paths{0};       //!< number of shortest paths from a server to all others

    /// \return true when the servers are at least as close as in `other`
    bool IsAsGoodAs(const Closeness& other) const
    {
        return distances < other.distances ||
               (distances == other.distances && paths >= other.paths);
    }
};

Closeness
FindCloseness(uint32_t servers, const std::vector<uint32_t>& offsets)
{
    std::set<uint32_t> steps(offsets.begin(), offsets.end());
    for (const uint32_t offset : offsets)
    {
        steps.insert(servers - offset);
    }
    std::vector<uint32_t> distances(servers, servers);
    std::vector<double> paths(servers);
    distances[0] = 0;
    paths[0] = 1;
    std::vector<uint32_t> found{0};
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        const uint32_t at = found[i];
        for (const uint32_t step : steps)
        {
            const uint32_t next = (at + step) % servers;
            if (distances[next] == servers)
            {
                distances[next] = distances[at] + 1;
                found.push_back(next);
            }
            paths[next] += distances[next] == distances[at] + 1 ? paths[at] : 0;
        }
    }
    return {std::accumulate(distances.begin(), distances.end(), uint64_t{0}),
            std::accumulate(paths.begin(), paths.end(), 0.0)};
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
        Closeness closest;
        for (uint32_t offset = 1; 2 * offset < servers; ++offset)
        {
            if (std::find(offsets.begin(), offsets.end(), offset) != offsets.end())
            {
                continue;
            }
            offsets.push_back(offset);
            const Closeness closeness = FindCloseness(servers, offsets);
            offsets.pop_back();
            if (best == 0 || closeness.IsAsGoodAs(closest))
            {
                best = offset;
                closest = closeness;
            }
        }
        offsets.push_back(best);
    }
    return offsets;
}

} // namespace ns3::rails
