// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_PLACEMENT_H
#define REPLICA_PLACEMENT_H

#include "ns3/seeded-bits.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * One replica for each expert, then one more for that with the highest load per replica, again and
 * again (MicroMoE, asymmetric placement).
 * \param loads by expert
 * \param slots replicas that there are, at least one for each expert
 * \param most replicas of an expert: how many GPUs there are
 * \return replicas by expert
 */
std::vector<uint32_t> CountReplicas(const std::vector<uint64_t>& loads,
                                    uint32_t slots,
                                    uint32_t most);

/**
 * Deals replicas to GPUs at random, so that each GPU has the same number, or one more: experts come
 * in random order, and each takes GPUs that have fewest, at random among equals.
 * \param replicas by expert, each at most the number of GPUs
 * \return GPUs by expert, each once
 */
std::vector<std::vector<uint32_t>> DealReplicas(const std::vector<uint32_t>& replicas,
                                                uint32_t gpus,
                                                SeededBits& bits);

/**
 * Shuffles GPUs and cuts them into groups, as often as it takes to give a group to each expert: the
 * stand-in for symmetric placements of more than two replicas. Replicas of an expert have the same
 * index on their GPUs, as in PlaceOnPairs().
 * \param gpus a multiple of the number of replicas
 * \param experts a multiple of the number of groups
 * \param replicas of each expert
 * \return GPUs by expert
 */
std::vector<std::vector<uint32_t>> ShuffleGroups(uint32_t gpus,
                                                 uint32_t experts,
                                                 uint32_t replicas,
                                                 SeededBits& bits);

} // namespace ns3::rails

#endif // REPLICA_PLACEMENT_H
