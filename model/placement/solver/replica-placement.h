// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_PLACEMENT_H
#define REPLICA_PLACEMENT_H

#include "ns3/seeded-bits.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Gives each expert one replica, and further ones one by one to the expert with the highest load
 * per replica (MicroMoE, asymmetric placement).
 * \param loads by expert
 * \param slots number of replicas, at least one per expert
 * \param most replicas of an expert: the number of GPUs
 * \return number of replicas by expert
 */
std::vector<uint32_t> CountReplicas(const std::vector<uint64_t>& loads,
                                    uint32_t slots,
                                    uint32_t most);

/**
 * Assigns replicas to GPUs at random, with equal numbers per GPU up to one. Experts are drawn in
 * random order; each takes the GPUs with fewest replicas, at random among equals.
 * \param replicas by expert, each at most the number of GPUs
 * \param gpus number of GPUs
 * \param bits source of randomness
 * \return GPUs by expert, each once
 */
std::vector<std::vector<uint32_t>> DealReplicas(const std::vector<uint32_t>& replicas,
                                                uint32_t gpus,
                                                SeededBits& bits);

/**
 * Shuffles GPUs and cuts them into groups, until each expert has a group: a substitute for
 * symmetric placements with more than two replicas. Replicas of an expert have the same index on
 * their GPUs, as in PlaceOnPairs().
 * \param gpus a multiple of the number of replicas
 * \param experts a multiple of the number of groups
 * \param replicas of each expert
 * \param bits source of randomness
 * \return GPUs by expert
 */
std::vector<std::vector<uint32_t>> ShuffleGroups(uint32_t gpus,
                                                 uint32_t experts,
                                                 uint32_t replicas,
                                                 SeededBits& bits);

} // namespace ns3::rails

#endif // REPLICA_PLACEMENT_H
