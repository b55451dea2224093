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

/// What an engine saw of a phase with traffic. Times are the largest of all ports that send.
struct WatchedPhase
{
    TimePs first{0};         //!< wire time of data that was sent for the first time
    std::string firstCable;  //!< where that is: "rail0-leaf0 to rail0-spine1"
    double firstOverMean{0}; //!< `first` over the mean of all ports of the class of that port
    TimePs carried{0};       //!< wire time of everything that got through
    /// As `carried`, with the time in which the cable of the port was down, or that it lost to a
    /// lower rate, while there was still something to carry.
    TimePs carriedAndLost{0};
    std::optional<Explanation::Shares> nic;   //!< what the NIC did that sent data last
    std::optional<Explanation::Shares> cable; //!< what the port of a switch did that sent data last
};

/// How an engine speaks of what it does.
struct ExplainerWords
{
    std::string repeats; //!< what crosses cables besides data: "ACKs"
    std::string heldBy;  //!< what holds queue pairs back: "dcqcn", "its window"
    std::string missing; //!< what NICs wait for: "bytes over NVLink"
    std::string idles;   //!< what an idle NIC did: "had nothing left to send"
    std::string idleWhy; //!< why: "all was sent, and was under way or lost"
};

/// What an explanation is made from.
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
 * \param sources of a run that came to its end
 * \return why it took as long
 */
Explanation Explain(const ExplanationSources& sources);

} // namespace ns3::rails

#endif // RAILS_EXPLAINER_H
