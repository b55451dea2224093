// SPDX-License-Identifier: GPL-2.0-only
#include "rails-workload.h"

#include "ns3/rails-error.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(Workload);

void
CheckRegionsOfCircuits(const WorkloadSetting& setting)
{
    const CircuitTiming& circuits = setting.circuits;
    const uint32_t servers = setting.shape.servers;
    if (circuits.servers > 0 && (servers % circuits.servers != 0 || servers > circuits.joined))
    {
        throw ConfigurationError("",
                                 "expected whole regions of circuits (" +
                                     std::to_string(circuits.servers) + " servers each), found " +
                                     std::to_string(servers) +
                                     " servers: leave spare ones out with workload.type: jobs");
    }
}

TypeId
Workload::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::Workload").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

void
Workload::CheckBarriers(TimePs) const
{
}

double
Workload::EstimateConnections(const WorkloadSetting& setting, uint32_t ways) const
{
    const double servers = setting.shape.servers;
    return servers * (servers - 1) * setting.shape.nicsPerServer * ways;
}

std::shared_ptr<const GraphProgram>
Workload::MakeOutline(const WorkloadSetting&) const
{
    return nullptr;
}

double
Workload::EstimateMessages(const WorkloadSetting& setting) const
{
    return setting.shape.GetGpus();
}

double
Workload::EstimateCost(const WorkloadSetting& setting) const
{
    return EstimateMessages(setting);
}

double
Workload::EstimateOutside(const WorkloadSetting& setting) const
{
    return GetOutsideOfExchange(setting.shape.GetGpus(), setting.shape.servers);
}

std::string
Workload::WhyUnannounced() const
{
    return "each GPU sends when it is ready";
}

bool
Workload::MovesOther() const
{
    return false;
}

bool
Workload::PlacesExperts() const
{
    return false;
}

int64_t
Workload::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::rails
