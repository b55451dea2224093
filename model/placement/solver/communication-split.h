// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMMUNICATION_SPLIT_H
#define COMMUNICATION_SPLIT_H

#include "ns3/cluster-view.h"
#include "ns3/token-counts.h"
#include "ns3/token-routing.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Cost of sending a token, relative to computing one.
struct CommunicationWeights
{
    double across{0};             //!< to another server; without `inside`, to any other GPU
    std::optional<double> inside; //!< to another GPU of the server; nothing: servers do not matter
};

/// A split of tokens, and its cost. Cost and maxima are those of the linear program, before
/// rounding to whole tokens.
struct CommunicationSplit
{
    ExpertQuota quota;  //!< whole tokens by expert and host, hosts in the given order
    double cost{0};     //!< minimum of the objective, in computed tokens
    double computed{0}; //!< most tokens that a GPU computes
    double inside{0};   //!< most tokens that a GPU sends or receives in its server
    double across{0};   //!< most tokens that a GPU sends or receives otherwise
};

/**
 * Splits the tokens of each expert over its hosts: LP 4 of MicroMoE (arXiv 2511.16947). It
 * minimizes the largest load of a GPU plus the weighted most tokens that a GPU sends or receives. A
 * GPU sends all tokens that it does not compute itself, of all experts. (The paper's formula leaves
 * out experts that the GPU does not hold.)
 *
 * With server weights (the paper's variant with two weights, without a formula there), a host
 * distinguishes tokens from its own server: per expert, no more than its GPUs have. Routing decides
 * later which GPU of a server sends them. So traffic that leaves a server counts as the mean over
 * its GPUs. All traffic that a GPU sends, inside and across, is at most the sum of both maxima.
 * With one server, or one GPU per server, this is LP 4 with the remaining weight.
 *
 * Rounding to whole tokens raises the largest load by less than one: each host keeps its whole
 * tokens, and BalancedSplit splits the rest.
 * \param counts tokens
 * \param hosts GPUs by expert, at least one each
 * \param cluster servers of the GPUs
 * \param weights cost of sending
 */
CommunicationSplit SplitWithCommunication(const TokenCounts& counts,
                                          const std::vector<std::vector<uint32_t>>& hosts,
                                          const ClusterView& cluster,
                                          const CommunicationWeights& weights);

} // namespace ns3::rails

#endif // COMMUNICATION_SPLIT_H
