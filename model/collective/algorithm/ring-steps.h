// SPDX-License-Identifier: GPL-2.0-only
#ifndef RING_STEPS_H
#define RING_STEPS_H

#include "ns3/even-parts.h"
#include "ns3/gpu-groups.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// What each step of a collective moves; steps that are equal share a matrix.
using CollectiveSteps = std::vector<std::shared_ptr<const TrafficMatrix>>;

/// GPUs of which each passes on to the next what it got from the one before.
struct GpuRing
{
    std::vector<uint32_t> gpus{};
    uint64_t bytes{0};  //!< of the buffer that is passed on in parts
    bool isOpen{false}; //!< the last one sends nothing to the first
};

/**
 * A member of a ring begins with the part of its own number and passes on the one it got last.
 * \param bytes of the buffer, in as many parts as there are members
 * \param size members of the ring
 * \param member which of them
 * \param step from 0
 * \return bytes that it sends to the next member in a step
 */
uint64_t GetRingPart(uint64_t bytes, uint32_t size, uint32_t member, uint32_t step);

/**
 * \param bytes of the buffer
 * \param size members of the ring
 * \param member which of them
 * \param first of some steps that follow each other
 * \param end of these
 * \return bytes that it sends to the next member in all of them, see GetRingPart()
 */
uint64_t SumRingParts(uint64_t bytes, uint32_t size, uint32_t member, uint32_t first, uint32_t end);

/**
 * \param groups the GPUs of the cluster
 * \param bytes of a buffer of each group
 * \param first member of each group that is the first of its ring
 * \return a ring of the members of each group in their order
 */
std::vector<GpuRing> MakeRings(const GpuGroups& groups, uint64_t bytes, uint32_t first = 0);

/**
 * A collective on rings: in a step every GPU sends a part of its buffer to the next
 * (GetRingPart()).
 * \param shape the cluster
 * \param rings of equal length, each with GPUs of its own
 * \param rounds how often each part goes round: 2 of all-reduce
 * \return what each step moves
 */
CollectiveSteps MakeRingSteps(const ClusterShape& shape,
                              const std::vector<GpuRing>& rings,
                              uint32_t rounds);

} // namespace ns3::rails

#endif // RING_STEPS_H
