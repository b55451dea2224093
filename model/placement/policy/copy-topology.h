// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPY_TOPOLOGY_H
#define COPY_TOPOLOGY_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Replica topology of LPLB in a block of GPUs: by GPU, for each edge, the number in the block of
 * the GPU whose expert it replicates. On each edge every GPU is replicated once and replicates
 * once.
 */
using CopyTopology = std::vector<std::vector<uint32_t>>;

/// \return eight GPUs, two edges: two rings of four, and four diagonals in each direction
CopyTopology MakeCubeTopology();

/// \return one edge: each GPU replicates the next one. \param gpus at least 2
CopyTopology MakeRingTopology(uint32_t gpus);

/// \return 16 GPUs, two edges: rings of four, and rings across these
CopyTopology MakeHypercubeTopology();

/**
 * \param rows at least 2
 * \param columns at least 2
 * \return two edges: each GPU replicates the GPU in the next row, and the GPU in the next column.
 *     GPUs of a row are consecutive.
 */
CopyTopology MakeTorusTopology(uint32_t rows, uint32_t columns);

} // namespace ns3::rails

#endif // COPY_TOPOLOGY_H
