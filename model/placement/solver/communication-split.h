// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMMUNICATION_SPLIT_H
#define COMMUNICATION_SPLIT_H

#include "linear-program.h"

#include "ns3/cluster-view.h"
#include "ns3/token-counts.h"
#include "ns3/token-routing.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// What sending a token costs beside computing one.
struct CommunicationWeights
{
    double across{0};             //!< to another server, or to any GPU where servers do not count
    std::optional<double> inside; //!< to another GPU of its server; none: servers do not count
};

/// A split of tokens, and what it comes to.
struct CommunicationSplit
{
    ExpertQuota quota;  //!< whole tokens by expert: its hosts in the order given
    double cost{0};     //!< what was minimised, before tokens became whole: in computed tokens
    double computed{0}; //!< largest number of tokens that a GPU computes, of the same
    double inside{0};   //!< largest that one sends or gets in its server, of the same
    double across{0};   //!< largest that one sends or gets otherwise, of the same
};

/**
 * Splits the tokens of each expert over the GPUs that hold it so that the largest load of a GPU and
 * the weighted largest number of tokens that one sends or gets are least together: LP 4 of MicroMoE
 * (arXiv 2511.16947). Sent is what a GPU cannot compute itself, of all experts (the paper's formula
 * leaves out experts that the GPU does not hold).
 *
 * Where servers count (the paper's variant with two weights, whose formula it does not give), a
 * host knows which tokens come from its own server: of an expert, no more than its GPUs have. Which
 * GPU of a server sends which is decided only with the routing. So what leaves a server counts in
 * the mean over its GPUs, and what a GPU sends in all, inside and across, is no more than the
 * largest of both together. With one server, or with servers of one GPU, this is LP 4 with the
 * weight that is left.
 *
 * Tokens become whole so that the largest load grows by less than one: each host keeps its whole
 * tokens, and the rest is split as in BalancedSplit.
 * \param counts tokens
 * \param hosts GPUs by expert, at least one each
 * \param cluster where GPUs are
 * \param solver library that is used
 */
CommunicationSplit SplitWithCommunication(const TokenCounts& counts,
                                          const std::vector<std::vector<uint32_t>>& hosts,
                                          const ClusterView& cluster,
                                          const CommunicationWeights& weights,
                                          LinearSolver solver = LinearSolver::LpSolve);

} // namespace ns3::rails

#endif // COMMUNICATION_SPLIT_H
