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

/// What a plan comes to, forward and backward.
struct PlanFigures
{
    std::vector<uint64_t> loads; //!< by GPU: pairs of a token and an expert, and padding
    double meanLoad{0};          //!< pairs of a token and an expert that a GPU computes in the mean
    double maxOverMean{1};       //!< largest load over that mean
    uint64_t copies{0};          //!< experts that come to a GPU for this micro-batch
    uint64_t mostCopies{0};      //!< most of them that leave one GPU
    uint64_t localTokens{0};     //!< pairs of a token and an expert that stay on their GPU
    uint64_t droppedTokens{0};
    MovedBytes weights;
    MovedBytes gradients;
    /// Dispatch and combine, forward and backward: four times each. With padding, rows without a
    /// token travel too, and every GPU sends as many to every other of its group.
    MovedBytes tokens;
};

/// \return what a plan comes to
PlanFigures FindFigures(const ExpertSetting& setting,
                        const TokenCounts& counts,
                        const ExpertPlan& plan);

/// \return bytes of transfers, inside servers and between them
MovedBytes AddUp(const ClusterView& cluster, const std::vector<ExpertTransfer>& transfers);

/**
 * Of experts that several GPUs hold for good, once in an iteration: gradients are reduced, and new
 * parameters gathered, on a ring of these GPUs in the order of their numbers, and so of servers.
 * \return what each sends to the next, of both
 */
std::vector<ExpertTransfer> FindSynchronisation(const ExpertSetting& setting,
                                                const ExpertPlacement& placement);

/**
 * \return what is wrong with a plan, empty if nothing: tokens must be conserved, and computed where
 * their expert is
 */
std::string FindDefect(const ExpertSetting& setting,
                       const TokenCounts& counts,
                       const ExpertPlan& plan);

} // namespace ns3::rails

#endif // PLAN_FIGURES_H
