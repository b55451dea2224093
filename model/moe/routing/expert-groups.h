// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_GROUPS_H
#define EXPERT_GROUPS_H

#include "ns3/cluster-view.h"
#include "ns3/gpu-partition.h"
#include "ns3/training-spec.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * \return groups of GPUs whose experts are planned together. Each is an expert-parallel group, or
 *     several consecutive ones of a stage (a MicroEP group of MicroMoE, arXiv 2511.16947). Groups
 *     are numbered through all stages, TrainingSpec::CountExpertGroups() per stage.
 */
GpuPartition MakeExpertGroups(const TrainingSpec& spec);

/**
 * \param groups of GPUs whose experts are planned together
 * \param cluster whole servers
 * \return the cluster as seen by one group: its GPUs, and its share of each server's NICs
 */
ClusterView Narrow(const GpuPartition& groups, ClusterView cluster);

/**
 * Assigns groups to parties. Groups that share a server get different parties. Each party has its
 * own step in an operation, so that these groups do not wait for each other. Groups without a
 * common server may share a party.
 *
 * \param spec the training
 * \param groups of GPUs that exchange tokens
 * \return numbers of parties from 0, by GPU
 */
std::vector<uint32_t> FindParties(const TrainingSpec& spec, const GpuPartition& groups);

} // namespace ns3::rails

#endif // EXPERT_GROUPS_H
