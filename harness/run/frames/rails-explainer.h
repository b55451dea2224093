// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_EXPLAINER_H
#define RAILS_EXPLAINER_H

#include "rails-port-watch.h"

#include "ns3/collective-runner.h"
#include "ns3/frame-engine.h"
#include "ns3/lower-bound.h"
#include "ns3/rails-explanation.h"

#include <string>

namespace ns3::rails
{

/// What an explanation is made from.
struct ExplanationSources
{
    const CollectiveRunner& runner;
    const LowerBound& bound;
    const ClusterSpeeds& speeds;
    const FrameEngine& cluster;
    const PortWatch* watch; //!< nullptr: not recorded
    std::string heldBy;     //!< what holds queue pairs back: "dcqcn", "its window"
    std::string missing;    //!< what NICs wait for: "bytes over NVLink"
};

/**
 * \param sources of a run that came to its end
 * \return why it took as long
 */
Explanation Explain(const ExplanationSources& sources);

} // namespace ns3::rails

#endif // RAILS_EXPLAINER_H
