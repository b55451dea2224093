// SPDX-License-Identifier: GPL-2.0-only
#include "rails-run-check.h"

#include "workload-setting.h"

#include "ns3/fabric-balancing.h"
#include "ns3/failure-timetable.h"
#include "ns3/nic-profile.h"
#include "ns3/path-selector.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/rails-quantity.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

namespace ns3::rails
{

namespace
{

void
CheckOther(const Balancer& balancer, const Workload& workload)
{
    if (balancer.GetOtherBalancer()->GetOtherBalancer())
    {
        throw ConfigurationError("balance.other.other", "there is no third kind of traffic");
    }
    if (balancer.GetTraits().choosesAtSending ||
        balancer.GetOtherBalancer()->GetTraits().choosesAtSending)
    {
        throw ConfigurationError("balance.other",
                                 "a scheme that chooses the NIC piece by piece as it sends has to "
                                 "choose for all traffic; use another balance.type or "
                                 "balance.other.type");
    }
    if (!workload.MovesOther())
    {
        throw ConfigurationError("balance.other",
                                 "all traffic of this workload is placed by balance.type: there is "
                                 "other traffic in the workloads graph and training alone, and in "
                                 "jobs of these");
    }
    const Ptr<FabricBalancing> scheme = balancer.GetOtherBalancer()->GetObject<FabricBalancing>();
    const Ptr<FabricBalancing> usual = CreateObject<FabricBalancing>();
    const auto getTypes = [](const FabricBalancing& of) {
        return std::pair(of.GetHost()->GetInstanceTypeId(), of.GetSwitch()->GetInstanceTypeId());
    };
    if (scheme && getTypes(*scheme) != getTypes(*usual))
    {
        throw ConfigurationError("balance.other",
                                 "balance.host and balance.switch hold for all traffic: "
                                 "balance.other says on which NICs it goes, and no more");
    }
}

void
CheckCrossing(const Balancer& balancer, const FabricTraits& traits, const std::string& railsApart)
{
    if (balancer.AnyCrossesRails() && !traits.connectsRails)
    {
        throw ConfigurationError(balancer.CrossesRails() ? "balance.type" : "balance.other.type",
                                 "this scheme changes rail in the fabric, and " + railsApart);
    }
}

void
CheckBalance(const RunSettings& settings,
             const Workload& workload,
             const FabricTraits& traits,
             const std::string& railsApart)
{
    const Balancer& balancer = *settings.balancer;
    CheckCrossing(balancer, traits, railsApart);
    if (balancer.GetOtherBalancer())
    {
        CheckOther(balancer, workload);
    }
    if (balancer.GetTraits().choosesAtSending && settings.parts.path->GetSubflows() > 1)
    {
        throw ConfigurationError("balance.host",
                                 "subflows of a message leave by one NIC at once, and this scheme "
                                 "chooses the NIC piece by piece as it sends; use another "
                                 "balance.type");
    }
}

/// In a graph an exchange of token counts takes at least the propagation delay of the longest link.
void
CheckCounts(const RunSettings& settings, const Workload& workload, TimePs longest)
{
    const Ptr<Balancer> balancer = settings.balancer;
    if (balancer->GetTraits().needsCounts && balancer->GetPlanningTime() < longest &&
        !workload.GetTraits().hasPhases)
    {
        throw ConfigurationError("balance.count_exchange",
                                 "what servers tell each other has to cross cables of " +
                                     FormatTime(longest) + " first");
    }
}

void
CheckWatchdog(const RunSettings& settings)
{
    if (settings.watchdog->GetNoProgressAfter() <= settings.parts.nic->GetMessageGap())
    {
        throw ConfigurationError("watchdog.no_progress_after",
                                 "the watchdog must be more patient than a NIC that posts, "
                                 "nic.message_gap");
    }
}

void
CheckFailures(const RunSettings& settings, const Wiring& wiring)
{
    const Ptr<const FailurePlan> failures = settings.failures;
    const FailureTimetable timetable(failures->MakeSchedule(), wiring);
    if (!failures->IsEmpty() && failures->Converges() &&
        settings.watchdog->GetNoProgressAfter() <= failures->GetConvergence())
    {
        throw ConfigurationError("watchdog.no_progress_after",
                                 "the watchdog must be more patient than the routing, "
                                 "failures.convergence, which is " +
                                     std::to_string(FailurePlan::kUsualConvergenceUs) +
                                     "us unless it is set");
    }
}

/// Called before the check of the workload, which depends on the recorded placement.
void
CheckRecord(const RunSettings& settings, const Workload& workload)
{
    if (settings.record->WantsPlacement() && !workload.PlacesExperts())
    {
        throw ConfigurationError("record.placement",
                                 "this workload knows no experts: set it to false, or take "
                                 "workload.type: training, or jobs of which one is a training");
    }
}

/// \return the longest propagation delay of a link
TimePs
FindLongestDelay(const Wiring& wiring)
{
    TimePs longest = 0;
    for (const Cable& cable : wiring.GetCables())
    {
        longest = std::max(longest, wiring.GetKind(cable).delay);
    }
    return longest;
}

/// Checks the section `optical` and keys that depend on it.
/// \param longest propagation delay of a link
/// \param movesOther true when there may be traffic other than exchanges
void
CheckCircuits(const Wiring& wiring, TimePs longest, const RunSettings& settings, bool movesOther)
{
    const Ptr<Balancer> balancer = settings.balancer;
    const Ptr<Balancer> other = balancer->GetOtherBalancer();
    if (!wiring.HasOptical())
    {
        const bool isOther = other && other->UsesCircuits();
        if (isOther || balancer->UsesCircuits())
        {
            throw ConfigurationError(isOther ? "balance.other.type" : "balance.type",
                                     "this scheme takes circuits, and the topology has none: "
                                     "choose another scheme, or a topology.type: nic-groups with "
                                     "a fabric of type optical");
        }
        return;
    }
    std::set<uint32_t> opticalEdges; // of the first server
    bool isAllOptical = true;        // all NICs of the first server
    for (uint32_t nic = 0; nic < wiring.GetShape().nicsPerServer; ++nic)
    {
        if (wiring.IsOptical(nic))
        {
            opticalEdges.insert(wiring.GetEdge(nic));
        }
        else
        {
            isAllOptical = false;
        }
    }
    if (opticalEdges.size() > 1)
    {
        throw ConfigurationError("topology.fabrics",
                                 "NICs of a server lead to several optical switches, and circuits "
                                 "are moved in one: expected one fabric of type optical");
    }
    const Ptr<const OpticalOptions> options = settings.optical;
    if (isAllOptical && options->GetPlanner()->GetTraits().followsDemand)
    {
        throw ConfigurationError("topology.nic_groups",
                                 "all NICs lead to optical switches, where circuits are for "
                                 "exchanges alone: leave some to a packet fabric for all else");
    }
    CheckNested("optical", [&] { options->Check(wiring, longest); });
    if (!options->GetPlanner()->GetTraits().isLasting && !settings.failures->IsEmpty())
    {
        throw ConfigurationError("failures",
                                 "slots of circuits that take turns are planned for NICs that all "
                                 "work: leave failures out, or set optical.circuits to greedy or "
                                 "exact");
    }
    if (movesOther && options->GetPlanner()->GetTraits().followsDemand &&
        (other ? other : balancer)->UsesCircuits())
    {
        throw ConfigurationError("balance.other",
                                 "only exchanges are announced, so all else must leave circuits "
                                 "alone: set it to {type: delegates, uses_circuits: false}");
    }
}

void
CheckParts(const Wiring& wiring,
           const FabricTraits& traits,
           const RunSettings& settings,
           TimePs longest,
           bool movesOther)
{
    settings.engine->Check(settings, wiring, traits);
    CheckCircuits(wiring, longest, settings, movesOther);
    CheckWatchdog(settings);
    CheckFailures(settings, wiring);
}

} // namespace

void
CheckRun(const Workload& workload,
         const Wiring& wiring,
         const FabricTraits& traits,
         const RunSettings& settings,
         const std::string& railsApart)
{
    const WorkloadSetting setting = MakeWorkloadSetting(workload, wiring, settings);
    CheckRecord(settings, workload);
    CheckNested("workload", [&] { workload.Check(setting); });
    CheckBalance(settings, workload, traits, railsApart);
    const TimePs longest = FindLongestDelay(wiring);
    CheckNested("workload", [&] { workload.CheckBarriers(longest); });
    CheckCounts(settings, workload, longest);
    CheckParts(wiring, traits, settings, longest, workload.MovesOther());
}

void
CheckRun(const Wiring& wiring, const FabricTraits& traits, const RunSettings& settings)
{
    CheckCrossing(*settings.balancer, traits, kRailsApart);
    CheckParts(wiring, traits, settings, FindLongestDelay(wiring), true);
}

} // namespace ns3::rails
