// SPDX-License-Identifier: GPL-2.0-only
#ifndef COPY_HOPS_H
#define COPY_HOPS_H

#include "cluster-view.h"
#include "expert-plan.h"
#include "expert-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// A transfer of an expert's parameters or gradients between two GPUs.
struct CopyHop
{
    uint32_t from{0};
    uint32_t to{0};
    uint32_t turn{0}; //!< preceding hops on its path, whose data it forwards
    uint64_t bytes{0};
};

/**
 * Finds the hops of transfers.
 * - Chain: a broadcast visits its receivers in the order of their numbers, from the next after the
 *   sender and around. So it enters each server once.
 * - Relays: the sender sends to at most eight relays, and each forwards to an equal share of the
 *   others. Relays are used for four or more receivers in a group of at least nine GPUs (UltraEP
 *   1.0.0: moe-runtime-2026, section 3.1). Each relay serves at least two receivers; this condition
 *   is ours.
 * \param cluster the GPUs
 * \param transfers of experts to GPUs that lack them
 * \param way of the hops
 * \return hops, sorted by sending GPU
 */
std::vector<CopyHop> LayCopies(const ClusterView& cluster,
                               const std::vector<ExpertTransfer>& transfers,
                               CopyWay way);

/// Finds the hops of gradients: the reverse of the hops of parameters. Gradients are summed along a
/// chain.
std::vector<CopyHop> LayReturns(const ClusterView& cluster,
                                const std::vector<ExpertTransfer>& transfers,
                                CopyWay way);

/// Chunk size in bytes: NCCL broadcasts in steps of an eighth of its 4 MiB buffer.
constexpr uint64_t kCopyPiece = 512 << 10;

/// \return default number of chunks of a temporary replica. \param bytes of an expert's parameters
uint32_t CountCopyPieces(uint64_t bytes);

/// \return most hops of a path in a cluster
uint32_t CountTurns(const ClusterView& cluster, CopyWay way);

} // namespace ns3::rails

#endif // COPY_HOPS_H
