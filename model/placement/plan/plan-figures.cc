// SPDX-License-Identifier: GPL-2.0-only
#include "plan-figures.h"

#include "ns3/even-parts.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

namespace
{

/// Passes of a token's vector between GPUs: dispatch and combine, forward and backward.
constexpr uint64_t kTokenPasses = 4;

void
Add(const ClusterView& cluster, uint32_t from, uint32_t to, uint64_t bytes, MovedBytes& moved)
{
    if (from != to)
    {
        (cluster.AreTogether(from, to) ? moved.inside : moved.across) += bytes;
    }
}

/// \return ordered pairs of different GPUs of a group: inside servers, and across
MovedBytes
CountPairs(const ExpertSetting& setting)
{
    MovedBytes pairs;
    for (uint32_t from = 0; from < setting.cluster.gpus; ++from)
    {
        const uint32_t first = from / setting.expertParallel * setting.expertParallel;
        for (uint32_t to = first; to < first + setting.expertParallel; ++to)
        {
            Add(setting.cluster, from, to, 1, pairs);
        }
    }
    return pairs;
}

/**
 * With padding, every GPU sends equally many rows to every other of its group.
 * \param tokens bytes of tokens sent, forward and backward
 * \param padded rows sent without a token
 */
MovedBytes
SpreadEvenly(const ExpertSetting& setting, const MovedBytes& tokens, uint64_t padded)
{
    const MovedBytes pairs = CountPairs(setting);
    const uint64_t all = tokens.GetSum() + kTokenPasses * padded * setting.tokenBytes;
    const uint64_t many = std::max<uint64_t>(1, pairs.GetSum());
    // Groups may pad to different rows, so that bytes need not be a multiple of the pairs.
    const uint64_t across = all / many * pairs.across + all % many * pairs.across / many;
    return {all - across, across};
}

std::string
Name(uint32_t source, uint32_t expert)
{
    return "tokens of GPU " + std::to_string(source) + " for expert " + std::to_string(expert);
}

} // namespace

MovedBytes
AddUp(const ClusterView& cluster, const std::vector<ExpertTransfer>& transfers)
{
    MovedBytes moved;
    for (const ExpertTransfer& transfer : transfers)
    {
        Add(cluster, transfer.from, transfer.to, transfer.bytes, moved);
    }
    return moved;
}

PlanFigures
FindFigures(const ExpertSetting& setting, const TokenCounts& counts, const ExpertPlan& plan)
{
    const ClusterView& cluster = setting.cluster;
    PlanFigures figures;
    figures.loads = plan.padding;
    figures.loads.resize(cluster.gpus);
    for (const TokenRoute& route : plan.routes)
    {
        figures.loads[route.host] += route.tokens;
        figures.localTokens += route.source == route.host ? route.tokens : 0;
        Add(cluster,
            route.source,
            route.host,
            kTokenPasses * route.tokens * setting.tokenBytes,
            figures.tokens);
    }
    if (plan.paddedTokens > 0)
    {
        figures.tokens = SpreadEvenly(setting, figures.tokens, plan.paddedTokens);
    }
    // Neither dropped tokens nor padding count as work.
    figures.meanLoad = static_cast<double>(counts.GetTotal() - plan.dropped) / cluster.gpus;
    const uint64_t largest = *std::max_element(figures.loads.begin(), figures.loads.end());
    figures.maxOverMean =
        figures.meanLoad > 0 ? static_cast<double>(largest) / figures.meanLoad : 1;
    figures.copies = plan.weights.size();
    std::vector<uint64_t> sent(cluster.gpus);
    for (const ExpertTransfer& transfer : plan.weights)
    {
        ++sent[transfer.from];
    }
    figures.mostCopies = *std::max_element(sent.begin(), sent.end());
    figures.droppedTokens = plan.dropped;
    figures.weights = AddUp(cluster, plan.weights);
    if (plan.fetchesAgain)
    {
        figures.weights += figures.weights;
    }
    figures.gradients = AddUp(cluster, plan.gradients);
    return figures;
}

std::vector<ExpertTransfer>
FindSynchronisation(const ExpertSetting& setting, const ExpertPlacement& placement)
{
    std::vector<ExpertTransfer> transfers;
    for (uint32_t expert = 0; expert < placement.hosts.size(); ++expert)
    {
        std::vector<uint32_t> hosts = placement.ListHosts(expert);
        std::sort(hosts.begin(), hosts.end());
        const auto size = static_cast<uint32_t>(hosts.size());
        for (uint32_t member = 0; size > 1 && member < size; ++member)
        {
            // A member forwards all parts except the next member's own.
            const uint32_t next = (member + 1) % size;
            const auto count = [&](uint64_t bytes) { return bytes - GetPart(bytes, size, next); };
            transfers.push_back({expert,
                                 hosts[member],
                                 hosts[next],
                                 count(setting.gradientBytes) + count(setting.weightBytes)});
        }
    }
    return transfers;
}

std::string
FindDefect(const ExpertSetting& setting, const TokenCounts& counts, const ExpertPlan& plan)
{
    const uint32_t experts = setting.experts;
    std::vector<bool> holds(std::size_t{setting.cluster.gpus} * experts);
    for (uint32_t expert = 0; expert < experts; ++expert)
    {
        for (const uint32_t gpu : plan.placement->hosts[expert])
        {
            holds[std::size_t{gpu} * experts + expert] = true;
        }
    }
    for (const ExpertTransfer& transfer : plan.weights)
    {
        holds[std::size_t{transfer.to} * experts + transfer.expert] = true;
    }
    std::vector<uint64_t> routed(counts.GetCounts().size());
    uint64_t computed = 0;
    for (const TokenRoute& route : plan.routes)
    {
        if (route.source >= counts.GetSources() || route.expert >= experts ||
            route.host >= setting.cluster.gpus)
        {
            return Name(route.source, route.expert) + " go to GPU " + std::to_string(route.host) +
                   ", and one of these is not there";
        }
        if (!holds[std::size_t{route.host} * experts + route.expert])
        {
            return Name(route.source, route.expert) + " are computed on GPU " +
                   std::to_string(route.host) + ", which does not have it";
        }
        routed[std::size_t{route.source} * experts + route.expert] += route.tokens;
        computed += route.tokens;
    }
    for (uint32_t source = 0; source < counts.GetSources(); ++source)
    {
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            const uint64_t had = counts.Get(source, expert);
            const uint64_t has = routed[std::size_t{source} * experts + expert];
            if (has > had || (has < had && plan.dropped == 0))
            {
                return Name(source, expert) + " were " + std::to_string(had) + " and became " +
                       std::to_string(has);
            }
        }
    }
    return computed + plan.dropped == counts.GetTotal()
               ? ""
               : std::to_string(plan.dropped) + " tokens are said to be dropped, and " +
                     std::to_string(counts.GetTotal() - computed) + " are not computed";
}

} // namespace ns3::rails
