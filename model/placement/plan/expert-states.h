// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_STATES_H
#define EXPERT_STATES_H

#include "cluster-view.h"
#include "expert-plan.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::rails
{

/**
 * States of the optimizer of an expert: GPUs that hold it for good have an even part each, and
 * update that.
 * \param bytes of all states
 * \param hosts GPUs that hold it, each once
 * \return bytes by GPU
 */
std::map<uint32_t, uint64_t> DivideStates(uint64_t bytes, const std::vector<uint32_t>& hosts);

/**
 * What of these goes to other GPUs when an expert is placed anew: each GPU gets what it has now and
 * did not have before, from GPUs that have less than before, those of its own server first.
 * \param cluster the GPUs
 * \param expert which of them
 * \param bytes of all states
 * \param before GPUs that held it, each once
 * \param after GPUs that hold it, each once
 */
std::vector<ExpertTransfer> MoveStates(const ClusterView& cluster,
                                       uint32_t expert,
                                       uint64_t bytes,
                                       const std::vector<uint32_t>& before,
                                       const std::vector<uint32_t>& after);

} // namespace ns3::rails

#endif // EXPERT_STATES_H
