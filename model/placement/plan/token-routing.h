// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_ROUTING_H
#define TOKEN_ROUTING_H

#include "expert-plan.h"
#include "token-counts.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// How many tokens of an expert a GPU computes.
struct HostShare
{
    uint32_t host{0};
    uint64_t tokens{0};
};

/// By expert: its GPUs, each once, whose shares add up to the expert's load.
using ExpertQuota = std::vector<std::vector<HostShare>>;

/// How near a host has to be before tokens may go farther.
enum class RoutingLocality
{
    Gpu,   //!< own GPU first, then any
    Server //!< own GPU first, then own server, then any
};

/**
 * Tokens stay on their own GPU as far as its share reaches, then (if asked) in their server; what
 * is left goes source by source to the hosts in the order of the quota (MicroMoE, Algorithm 1).
 */
std::vector<TokenRoute> RouteNearFirst(const TokenCounts& counts,
                                       const ExpertQuota& quota,
                                       const ClusterView& cluster,
                                       RoutingLocality locality = RoutingLocality::Gpu);

/// Tokens of an expert, numbered source by source, are dealt to the hosts in the order of the
/// quota, each as many as its share.
std::vector<TokenRoute> RouteInOrder(const TokenCounts& counts, const ExpertQuota& quota);

/**
 * Adds routes of a source that deals its tokens of an expert evenly over the slots of a placement
 * that hold it, or over its shares, one by one; which is the first changes from source to source.
 */
void RouteEvenly(const SourceCounts& own,
                 const ExpertPlacement& placement,
                 std::vector<TokenRoute>& routes);

/**
 * The same over the nearest slots: those of the source itself, else of its server, else all.
 * (SGLang's static dispatch.)
 */
void RouteToNearest(const SourceCounts& own,
                    const ExpertPlacement& placement,
                    const ClusterView& cluster,
                    std::vector<TokenRoute>& routes);

/// Each source deals its tokens evenly; routes stand by expert.
std::vector<TokenRoute> RouteEvenly(const TokenCounts& counts, const ExpertPlacement& placement);

/// Each source sends to the GPU of its own group of expert parallelism that holds the expert.
std::vector<TokenRoute> RouteInGroups(const TokenCounts& counts, const ExpertSetting& setting);

/**
 * Adds what a plan needs for hosts of its routes that its placement lacks: parameters from the home
 * of the expert, and gradients to it.
 */
void AddCopies(const ExpertSetting& setting, ExpertPlan& plan);

} // namespace ns3::rails

#endif // TOKEN_ROUTING_H
