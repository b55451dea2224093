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
 * Divides the optimizer states of an expert equally over its hosts, each of which updates its part.
 * \param bytes of all states
 * \param hosts each once
 * \return bytes by GPU
 */
std::map<uint32_t, uint64_t> DivideStates(uint64_t bytes, const std::vector<uint32_t>& hosts);

/**
 * Moves optimizer states to a new placement of an expert. Each GPU receives the growth of its part
 * from GPUs whose part shrinks, preferably in its own server.
 * \param cluster the GPUs
 * \param expert number of the expert
 * \param bytes of all states
 * \param before old hosts, each once
 * \param after new hosts, each once
 */
std::vector<ExpertTransfer> MoveStates(const ClusterView& cluster,
                                       uint32_t expert,
                                       uint64_t bytes,
                                       const std::vector<uint32_t>& before,
                                       const std::vector<uint32_t>& after);

} // namespace ns3::rails

#endif // EXPERT_STATES_H
