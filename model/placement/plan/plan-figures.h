// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLAN_FIGURES_H
#define PLAN_FIGURES_H

#include "expert-plan.h"
#include "token-counts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Bytes between GPUs.
struct MovedBytes
{
    uint64_t inside{0}; //!< within servers, over NVLink
    uint64_t across{0}; //!< from server to server, over NICs

    MovedBytes& operator+=(const MovedBytes& other)
    {
        inside += other.inside;
        across += other.across;
        return *this;
    }

    uint64_t GetSum() const
    {
        return inside + across;
    }
};

/// Figures of a plan, forward and backward pass together.
struct PlanFigures
{
    std::vector<uint64_t> loads; //!< by GPU: token-expert pairs, and padding
    double meanLoad{0};          //!< mean token-expert pairs that a GPU computes
    double maxOverMean{1};       //!< largest load over meanLoad
    uint64_t copies{0};          //!< temporary replicas
    uint64_t mostCopies{0};      //!< most temporary replicas sent by one GPU
    uint64_t localTokens{0};     //!< token-expert pairs that stay on their GPU
    uint64_t droppedTokens{0};
    MovedBytes weights;
    MovedBytes gradients;
    /// Dispatch and combine, forward and backward: four passes. Padding adds rows without a token,
    /// and every GPU sends equally many rows to every other of its group.
    MovedBytes tokens;
};

/// \return figures of a plan
PlanFigures FindFigures(const ExpertSetting& setting,
                        const TokenCounts& counts,
                        const ExpertPlan& plan);

/// \return bytes of transfers, inside servers and between them
MovedBytes AddUp(const ClusterView& cluster, const std::vector<ExpertTransfer>& transfers);

/**
 * Traffic per iteration of replicated experts: gradients are reduced, and new parameters gathered,
 * on a ring of hosts in the order of their numbers, and so of servers.
 * \return transfers of each host to the next, both collectives together
 */
std::vector<ExpertTransfer> FindSynchronisation(const ExpertSetting& setting,
                                                const ExpertPlacement& placement);

/**
 * \return why a plan is invalid, empty if valid: tokens must be conserved, and computed on hosts of
 *     their expert
 */
std::string FindDefect(const ExpertSetting& setting,
                       const TokenCounts& counts,
                       const ExpertPlan& plan);

} // namespace ns3::rails

#endif // PLAN_FIGURES_H
