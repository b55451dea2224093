// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCULANT_OFFSETS_H
#define CIRCULANT_OFFSETS_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Which servers of a circle are joined by circuits, all servers alike: by the offset between their
 * places (a circulant graph). Every offset joins a server to one ahead and to one behind, and takes
 * two of its NICs; only half of an even circle takes one.
 *
 * Each further offset is the one that brings the servers closest together, by the sum of their
 * distances; of equals that with the most shortest paths, which share the load, then the largest.
 *
 * \param servers of the circle, 2 at least
 * \param nics of every server, fewer than it has peers; servers * nics is even
 * \return the offsets, each at most half of the circle, and none twice
 */
std::vector<uint32_t> FindCirculantOffsets(uint32_t servers, uint32_t nics);

} // namespace ns3::rails

#endif // CIRCULANT_OFFSETS_H
