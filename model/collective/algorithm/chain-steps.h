// SPDX-License-Identifier: GPL-2.0-only
#ifndef CHAIN_STEPS_H
#define CHAIN_STEPS_H

#include "ring-steps.h"

#include "ns3/cluster-shape.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * A broadcast on chains: rings that are cut before their first GPU, which has the buffer. It goes
 * down in chunks that follow each other: in step s the GPU at a distance d from the first passes on
 * chunk s - d.
 * \param shape the cluster
 * \param chains of equal length, at least two GPUs each, each with GPUs of its own
 * \param chunks of a buffer; those without a byte are left out
 * \return what each step moves
 */
CollectiveSteps MakeChainSteps(const ClusterShape& shape,
                               const std::vector<GpuRing>& chains,
                               uint32_t chunks);

/**
 * \param length GPUs of a chain
 * \param chunks of a buffer
 * \return how many steps MakeChainSteps() makes
 */
uint64_t CountChainSteps(uint32_t length, uint32_t chunks);

/**
 * What is reduced goes the ways of a broadcast backwards.
 * \param steps of a collective
 * \return the last step first, and each from destinations to sources
 */
CollectiveSteps MirrorSteps(const CollectiveSteps& steps);

} // namespace ns3::rails

#endif // CHAIN_STEPS_H
