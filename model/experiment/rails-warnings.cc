// SPDX-License-Identifier: GPL-2.0-only
#include "rails-warnings.h"

#include "ns3/rails-planner.h"
#include "ns3/rails-transport.h"

namespace ns3::rails
{

namespace
{

/// Frames that overtake each other, and a receiver that takes the overtaken ones for lost.
void
LookForReordering(const Experiment& experiment,
                  const FabricTraits& traits,
                  std::vector<ExperimentWarning>& warnings)
{
    const Ptr<Planner> planner = experiment.Get<Planner>("balance");
    const bool forks = traits.forksInRail || (planner->CrossesRails() && traits.forksAcross);
    const bool isByHosts = planner->GetPathSelector()->ScattersFrames();
    const bool isBySwitches = planner->GetPortSelector()->ScattersFrames();
    if (forks && (isByHosts || isBySwitches) &&
        experiment.Get<Transport>("transport")->m_lossRecovery->NeedsOrder())
    {
        warnings.push_back({isBySwitches ? "balance.switch" : "balance.host",
                            "frames of a message take several ways and overtake each other, and "
                            "with this transport.loss_recovery all that comes out of order is sent "
                            "again: set transport.loss_recovery to selective-repeat, best with "
                            "loss_threshold: 32"});
    }
}

} // namespace

std::vector<ExperimentWarning>
FindWarnings(const Experiment& experiment, const FabricTraits& traits)
{
    std::vector<ExperimentWarning> warnings;
    LookForReordering(experiment, traits, warnings);
    return warnings;
}

} // namespace ns3::rails
