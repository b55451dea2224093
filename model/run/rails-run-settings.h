// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_SETTINGS_H
#define RAILS_RUN_SETTINGS_H

#include "rails-engine-choice.h"
#include "rails-failure-plan.h"
#include "rails-optical-options.h"
#include "rails-record-options.h"
#include "rails-watchdog-options.h"

#include "ns3/balancer.h"
#include "ns3/frame-settings.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::rails
{

class CollectiveChooser;

/// Settings of a run: all but the wiring and the workload. All pointers must be set, unless they
/// have an initializer.
struct RunSettings
{
    Ptr<const EngineChoice> engine;
    FrameSettings parts;             //!< of servers and switches; the flow engine reads some of it
    Ptr<Balancer> balancer;          //!< assigns chunks to NICs
    Ptr<const FailurePlan> failures; //!< failures and recoveries
    Ptr<const OpticalOptions> optical; //!< of a wiring with optical switches
    Ptr<const WatchdogOptions> watchdog;
    Ptr<const RecordOptions> record;
    std::shared_ptr<CollectiveChooser> chooser{}; //!< shared by runs of one wiring, or null
    std::string folder;                           //!< of captures of NICs
    bool maySkipReplicas{false}; //!< readers of the results handle GraphProgram::GetFold()
    int64_t firstStream{0};      //!< of kRunStreams random streams, see rails-streams.h
};

/// \return defaults of all but the engine, which has to be set
RunSettings MakeRunSettings();

/// \return the key that makes frames of a queue pair take several paths of the fabric, so that they
/// may overtake each other; empty: no key does
std::string FindSprayKey(const RunSettings& settings, const FabricTraits& traits);

/// \return why all of a program's equal units must run (GraphProgram::FindRepetition()); empty:
/// some of them may suffice
std::string FindWhyWhole(const Wiring& wiring, const RunSettings& settings);

} // namespace ns3::rails

#endif // RAILS_RUN_SETTINGS_H
