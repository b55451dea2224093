// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_EXPLAINER_H
#define RAILS_EXPLAINER_H

#include "ns3/graph-runner.h"
#include "ns3/lower-bound.h"
#include "ns3/rails-explanation.h"
#include "ns3/rails-wiring.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Recorded times of a phase with traffic. Each is the largest of all sending ports.
struct WatchedPhase
{
    TimePs first{0};         //!< wire time of data, without retransmissions
    std::string firstCable;  //!< the link of `first`: "rail0-leaf0 to rail0-spine1"
    double firstOverMean{0}; //!< `first` over the mean of all ports of the class of that port
    TimePs carried{0};       //!< wire time of all traffic that got through
    /// As `carried`, with the time in which the link of the port was down, or that it lost to a
    /// lower rate, until the port had nothing left to carry.
    TimePs carriedAndLost{0};
    std::optional<Explanation::Shares> nic;   //!< states of the NIC that sent data last
    std::optional<Explanation::Shares> cable; //!< states of the switch port that sent data last
};

/// Phrases of an engine for an explanation.
struct ExplainerWords
{
    std::string repeats; //!< traffic on links besides data: "ACKs"
    std::string heldBy;  //!< limit of queue pairs: "dcqcn", "its window"
    std::string missing; //!< what NICs wait for: "bytes over NVLink"
    std::string idles;   //!< predicate of an idle NIC: "had nothing left to send"
    std::string idleWhy; //!< reason of idleness: "all was sent, and was under way or lost"
};

/// Inputs of an explanation.
struct ExplanationSources
{
    const GraphRunner& runner;
    const LowerBound& bound;
    const ClusterSpeeds& speeds;
    const Wiring& wiring;
    std::optional<std::vector<WatchedPhase>> watched; //!< in order; nothing: not recorded
    ExplainerWords words;
};

/**
 * \param sources of a run that is done
 * \return why it took longer than its lower bound
 */
Explanation Explain(const ExplanationSources& sources);

} // namespace ns3::rails

#endif // RAILS_EXPLAINER_H
