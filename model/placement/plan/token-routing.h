// SPDX-License-Identifier: GPL-2.0-only
#ifndef TOKEN_ROUTING_H
#define TOKEN_ROUTING_H

#include "expert-plan.h"
#include "token-counts.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Tokens of an expert that a host computes.
struct HostShare
{
    uint32_t host{0};
    uint64_t tokens{0};
};

/// By expert: its hosts, each once; their tokens add up to the expert's load.
using ExpertQuota = std::vector<std::vector<HostShare>>;

/// Preference for near hosts.
enum class RoutingLocality
{
    Gpu,   //!< the source GPU first, then any
    Server //!< the source GPU first, then its server, then any
};

/**
 * Tokens stay on their source GPU up to its quota, then (if asked) in its server. The rest is
 * assigned source by source to hosts in the order of the quota (MicroMoE, Algorithm 1).
 */
std::vector<TokenRoute> RouteNearFirst(const TokenCounts& counts,
                                       const ExpertQuota& quota,
                                       const ClusterView& cluster,
                                       RoutingLocality locality = RoutingLocality::Gpu);

/// Tokens of an expert are assigned source by source to hosts in the order of the quota.
std::vector<TokenRoute> RouteInOrder(const TokenCounts& counts, const ExpertQuota& quota);

/**
 * Adds routes of a source that splits its tokens of an expert evenly over the slots that hold it,
 * weighted by shares. The first slot rotates with the source.
 */
void RouteEvenly(const SourceCounts& own,
                 const ExpertPlacement& placement,
                 std::vector<TokenRoute>& routes);

/**
 * Adds routes as RouteEvenly() does, over the nearest slots only: on the source itself, else in its
 * server, else all (SGLang's static dispatch).
 */
void RouteToNearest(const SourceCounts& own,
                    const ExpertPlacement& placement,
                    const ClusterView& cluster,
                    std::vector<TokenRoute>& routes);

/// Splits tokens of all sources evenly; routes are ordered by expert.
std::vector<TokenRoute> RouteEvenly(const TokenCounts& counts, const ExpertPlacement& placement);

/// Each source sends to the default host of the expert in its own expert-parallel group.
std::vector<TokenRoute> RouteInGroups(const TokenCounts& counts, const ExpertSetting& setting);

/**
 * Adds temporary replicas for hosts of a plan's routes that its placement lacks: parameters from
 * the home of the expert, and gradients back.
 */
void AddCopies(const ExpertSetting& setting, ExpertPlan& plan);

} // namespace ns3::rails

#endif // TOKEN_ROUTING_H
