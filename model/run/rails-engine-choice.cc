// SPDX-License-Identifier: GPL-2.0-only
#include "rails-engine-choice.h"

#include "ns3/component-name.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(EngineChoice);

TypeId
EngineChoice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::EngineChoice").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

std::string
EngineChoice::GetTypeName() const
{
    return MakeTypeName(GetInstanceTypeId().GetName(), EngineChoice::GetTypeId().GetName());
}

std::optional<PathSpread>
EngineChoice::FindSpread(const RunSettings& /* settings */) const
{
    return std::nullopt;
}

Symmetry
EngineChoice::GetSymmetry() const
{
    return SYMMETRY_OFF;
}

double
EngineChoice::EstimateSeconds(const RunSettings& /* settings */,
                              const FabricTraits& /* traits */,
                              const ExpectedTraffic& traffic) const
{
    constexpr double perMessage = 15e-6;
    return perMessage * traffic.cost;
}

// Fitted to the runs in bench/memory.txt.
double
EngineChoice::EstimateMemory(double cables, double queuePairs) const
{
    return 2'300 * cables + 580 * queuePairs;
}

} // namespace ns3::rails
