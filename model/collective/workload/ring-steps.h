// SPDX-License-Identifier: GPL-2.0-only
#ifndef RING_STEPS_H
#define RING_STEPS_H

#include "ns3/gpu-groups.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

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
 * A collective on a ring of the GPUs of each group: in a step every GPU sends a part of its buffer
 * to the next (GetRingPart()).
 * \param groups the GPUs of the cluster, at least two in a group
 * \param bytes of the buffer, which the GPUs of a group have in parts
 * \param rounds how often each part goes round: 2 of all-reduce
 * \return what each step moves; steps that are equal share a matrix
 */
std::vector<std::shared_ptr<const TrafficMatrix>> MakeRingSteps(const GpuGroups& groups,
                                                                uint64_t bytes,
                                                                uint32_t rounds);

} // namespace ns3::rails

#endif // RING_STEPS_H
