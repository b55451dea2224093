// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_REPORT_H
#define RAILS_RUN_REPORT_H

#include "gpu-losses.h"
#include "rails-engine-run.h"

#include "ns3/fabric-traits.h"
#include "ns3/graph-runner.h"
#include "ns3/published-bound.h"
#include "ns3/rails-experiment.h"
#include "ns3/rails-failures.h"
#include "ns3/rails-result.h"
#include "ns3/rails-wiring.h"

#include <optional>
#include <vector>

namespace ns3::rails
{

/// A run that is over, or has been ended.
struct RunParts
{
    const Experiment& experiment;
    const Wiring& wiring;
    const FabricTraits& traits; //!< of the wiring
    const GraphRunner& runner;
    const Failures& failures;
    const GpuLosses& losses;
    EngineRun& engine;
    const LegRecorder* legs;      //!< of a graph that is to be explained; otherwise null
    std::optional<double> rhoMax; //!< part of their rate at which hosts can send, where it is known
};

/// \return how fast a cluster is, with the best rates that its NICs have had up to now
ClusterSpeeds FindClusterSpeeds(const Experiment& experiment,
                                const Wiring& wiring,
                                const FabricTraits& traits,
                                const Failures& failures);

/**
 * \return what the published bound has to know of a fabric
 * \param rhoMax part of their rate at which hosts can send
 */
PublishedBoundFabric DescribePublishedFabric(const Experiment& experiment,
                                             const Wiring& wiring,
                                             const FabricTraits& traits,
                                             double rhoMax);

/// \return what came out of a run, with its bounds, judged
Result ReportRun(const RunParts& run);

} // namespace ns3::rails

#endif // RAILS_RUN_REPORT_H
