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

/// All of an expert's parameters, or of its gradients, from one GPU to another.
struct CopyHop
{
    uint32_t from{0};
    uint32_t to{0};
    uint32_t turn{0}; //!< hops before it on its way: it passes on what they have brought
    uint64_t bytes{0};
};

/**
 * Lays the ways of transfers. A broadcast of an expert goes along the numbers of the GPUs that get
 * it, from the next behind its sender on and round from the first again: so it enters each server
 * once. Relays are taken where an expert goes to four GPUs or more of a group of at least nine, at
 * most eight of them, each of which passes it on to as many others as the rest has (UltraEP 1.0.0:
 * moe-runtime-2026, section 3.1; that a relay needs two of these is ours).
 * \param cluster the GPUs
 * \param transfers of experts to GPUs that lack them
 * \param way by which GPUs they go
 * \return hops, sorted by the GPU that they leave
 */
std::vector<CopyHop> LayCopies(const ClusterView& cluster,
                               const std::vector<ExpertTransfer>& transfers,
                               CopyWay way);

/// The same for gradients, which go back where parameters would come from: from the last of a chain
/// to the first, added up on the way.
std::vector<CopyHop> LayReturns(const ClusterView& cluster,
                                const std::vector<ExpertTransfer>& transfers,
                                CopyWay way);

/// Bytes of a piece, as NCCL passes a broadcast on: a step of its buffer of 4 MiB in eight.
constexpr uint64_t kCopyPiece = 512 << 10;

/// \return pieces that a copy is passed on in, where nothing else is asked for
/// \param bytes of an expert's parameters
uint32_t CountCopyPieces(uint64_t bytes);

/// \return hops on the longest way that there can be in a cluster
uint32_t CountTurns(const ClusterView& cluster, CopyWay way);

} // namespace ns3::rails

#endif // COPY_HOPS_H
