// SPDX-License-Identifier: GPL-2.0-only
#include "circuit-warnings.h"

#include "ns3/patient-circuit-planner.h"
#include "ns3/rails-effective-config.h"
#include "ns3/rails-error.h"

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::rails
{

namespace
{

/// \return keys that are set for circuits that move, where they do not
std::vector<ExperimentWarning>
FindIdleKeys(const OpticalOptions& options)
{
    const TypeId type = OpticalOptions::GetTypeId();
    const nlohmann::ordered_json set = DescribeComponent(options, type);
    const nlohmann::ordered_json usual = DescribeComponent(*CreateObject<OpticalOptions>(), type);
    std::vector<std::string> keys;
    for (const auto& [key, value] : set.items())
    {
        if (key != "circuits" && value != usual[key])
        {
            keys.push_back(key);
        }
    }
    if (options.GetPlanner()->GetPlanningTime() > 0)
    {
        keys.emplace_back("circuits.planning_time");
    }
    std::vector<ExperimentWarning> warnings;
    for (const std::string& key : keys)
    {
        warnings.push_back({"optical." + key,
                            "static circuits do not move, so this has no effect: leave it out, or "
                            "set optical.circuits to greedy"});
    }
    return warnings;
}

} // namespace

void
CheckCircuitKeys(const Wiring& wiring, const OpticalOptions& options)
{
    const auto describe = [](const OpticalOptions& of) {
        return DescribeComponent(of, OpticalOptions::GetTypeId());
    };
    if (!wiring.HasOptical() && describe(options) != describe(*CreateObject<OpticalOptions>()))
    {
        throw ConfigurationError("optical",
                                 "the topology has no optical switches, so this section would have "
                                 "no effect: leave it out, or take a topology.type: nic-groups "
                                 "with a fabric of type optical");
    }
}

std::vector<ExperimentWarning>
FindCircuitWarnings(const Wiring& wiring, const RunSettings& settings)
{
    const Ptr<const OpticalOptions> options = settings.optical;
    if (wiring.HasOptical() && !settings.balancer->UsesCircuits())
    {
        return {{"balance.type",
                 "nothing takes circuits with this scheme, so NICs at optical switches stay idle: "
                 "delegates takes them"}};
    }
    if (wiring.HasOptical() && options->GetMoves() == MOVES_ALWAYS &&
        DynamicCast<PatientCircuitPlanner>(options->GetPlanner()))
    {
        return {{"optical.moves",
                 "circuits that patient leaves where they are move all the same with always: leave "
                 "this out, or set it to needed"}};
    }
    if (wiring.HasOptical() && !options->GetPlanner()->GetTraits().followsDemand)
    {
        return FindIdleKeys(*options);
    }
    return {};
}

} // namespace ns3::rails
