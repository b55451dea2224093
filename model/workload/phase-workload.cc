// SPDX-License-Identifier: GPL-2.0-only
#include "phase-workload.h"

#include "ns3/phase-program.h"
#include "ns3/rails-error.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(PhaseWorkload);

TypeId
PhaseWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::PhaseWorkload").SetParent<Workload>().SetGroupName("Rails");
    return tid;
}

std::shared_ptr<const GraphProgram>
PhaseWorkload::MakeProgram(const WorkloadSetting& setting)
{
    return std::make_shared<const PhaseProgram>(MakeSchedule(setting), setting.circuits);
}

std::string
PhaseWorkload::WhyUnannounced() const
{
    return "";
}

void
PhaseWorkload::CheckCircuits(const WorkloadSetting& setting)
{
    CheckRegionsOfCircuits(setting);
    if (setting.circuits.prediction)
    {
        throw ConfigurationError("",
                                 "the demand of a phase is known at its start, so nothing is "
                                 "foreseen: expected optical.prediction: none");
    }
}

} // namespace ns3::rails
