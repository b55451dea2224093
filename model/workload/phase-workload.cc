// SPDX-License-Identifier: GPL-2.0-only
#include "phase-workload.h"

#include "ns3/phase-program.h"

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
    return std::make_shared<const PhaseProgram>(MakeSchedule(setting));
}

bool
PhaseWorkload::HasPhases() const
{
    return true;
}

} // namespace ns3::rails
