// SPDX-License-Identifier: GPL-2.0-only
#include "program-workload.h"

#include "ns3/rails-about.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(ProgramWorkload);

TypeId
ProgramWorkload::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::ProgramWorkload").SetParent<Workload>(),
                 "A workload whose GPUs wait for each other where one needs what another sends.")
            .SetGroupName("Rails");
    return tid;
}

void
ProgramWorkload::DoDispose()
{
    m_program = nullptr;
    Workload::DoDispose();
}

void
ProgramWorkload::CheckBarriers(TimePs) const
{
}

WorkloadSchedule
ProgramWorkload::MakeSchedule(const ClusterShape& shape)
{
    m_program = MakeProgram(shape);
    WorkloadSchedule schedule = MakeOneExchange(m_program->GetTotal());
    schedule.iterations = GetIterations();
    return schedule;
}

std::shared_ptr<const GraphProgram>
ProgramWorkload::GetProgram() const
{
    return m_program;
}

std::vector<std::pair<std::string, double>>
ProgramWorkload::GetFigures(double) const
{
    return {};
}

std::vector<JobRecord>
ProgramWorkload::DescribeJobs(const GraphRecord&) const
{
    return {};
}

bool
ProgramWorkload::SetCircuits(const CircuitTiming&)
{
    return false;
}

bool
ProgramWorkload::MovesOther() const
{
    return true;
}

std::vector<std::string>
ProgramWorkload::GetNotes() const
{
    return {};
}

} // namespace ns3::rails
