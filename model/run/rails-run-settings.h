// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_RUN_SETTINGS_H
#define RAILS_RUN_SETTINGS_H

#include "rails-engine-choice.h"
#include "rails-failure-plan.h"
#include "rails-optical-options.h"
#include "rails-record-options.h"
#include "rails-watchdog-options.h"

#include "ns3/frame-settings.h"
#include "ns3/planner.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::rails
{

class CollectiveChooser;

/// How a cluster runs a workload: everything but the wiring and what is to be done. All parts have
/// to be there.
struct RunSettings
{
    Ptr<const EngineChoice> engine;
    FrameSettings parts;               //!< of servers and switches; flows read what they have of it
    Ptr<Planner> planner;              //!< which NIC carries which piece
    Ptr<const FailurePlan> failures;   //!< what fails and comes back
    Ptr<const OpticalOptions> optical; //!< of a wiring with optical switches
    Ptr<const WatchdogOptions> watchdog;
    Ptr<const RecordOptions> record;
    std::shared_ptr<CollectiveChooser> chooser{}; //!< remembers those of the same wiring, if any
    std::string folder;                           //!< where captures of NICs are written
    uint32_t threads{1};                          //!< of a run that says nothing of how many
    bool maySkipReplicas{false}; //!< whoever reads what came of it knows GraphProgram::GetFold()
    int64_t firstStream{0};      //!< of random numbers: of kRunStreams, see rails-streams.h
};

/// \return the usual of everything but the engine, which is to be set
RunSettings MakeRunSettings();

/// \return the key of what has frames of a queue pair take several paths of the fabric, so that
/// they may overtake each other; empty: nothing has
std::string FindSprayKey(const RunSettings& settings, const FabricTraits& traits);

/// \return why each of a program's equal units is run (GraphProgram::FindRepetition()); empty: some
/// may be enough
std::string FindWhyWhole(const Wiring& wiring, const RunSettings& settings);

} // namespace ns3::rails

#endif // RAILS_RUN_SETTINGS_H
