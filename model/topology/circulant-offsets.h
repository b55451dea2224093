// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCULANT_OFFSETS_H
#define CIRCULANT_OFFSETS_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Chooses offsets of a circulant graph: circuits join servers of a circle that are an offset apart.
 * Every offset joins a server to one server ahead and to one behind, and takes two of its NICs; the
 * offset of half an even circle takes one.
 *
 * The choice is greedy: each further offset minimizes the sum of the distances between servers.
 * Ties go to the offset with most shortest paths, which share the load, then to the largest offset.
 *
 * \param servers of the circle, at least 2
 * \param nics of every server, fewer than it has peers; servers * nics is even
 * \return distinct offsets, each at most half of the circle
 */
std::vector<uint32_t> FindCirculantOffsets(uint32_t servers, uint32_t nics);

} // namespace ns3::rails

#endif // CIRCULANT_OFFSETS_H
