// SPDX-License-Identifier: GPL-2.0-only
#include "workload-job.h"

#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/rails-about.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadJob);

TypeId
WorkloadJob::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::WorkloadJob").SetParent<Object>(),
                 "A workload that has some of the servers for itself.")
            .SetGroupName("Rails")
            .AddConstructor<WorkloadJob>()
            .AddAttribute("Workload",
                          "What its servers do, as if they were the whole cluster.",
                          PointerValue(),
                          MakePointerAccessor(&WorkloadJob::m_workload),
                          MakePointerChecker<Workload>())
            .AddAttribute("Placement",
                          "Which servers it gets.",
                          StringValue("ns3::rails::ContiguousServerPlacement"),
                          MakePointerAccessor(&WorkloadJob::m_placement),
                          MakePointerChecker<ServerPlacement>())
            .AddAttribute("Start",
                          "When it begins, from the start of the run.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&WorkloadJob::m_start),
                          MakeTimeRange())
            .AddAttribute("Runs",
                          "Whether it runs; without it its servers are idle, and other jobs are as "
                          "fast as without a neighbour.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&WorkloadJob::m_runs),
                          MakeBooleanChecker());
    return tid;
}

void
WorkloadJob::DoDispose()
{
    m_workload = nullptr;
    m_placement = nullptr;
    Object::DoDispose();
}

Ptr<Workload>
WorkloadJob::GetWorkload() const
{
    return m_workload;
}

Ptr<ServerPlacement>
WorkloadJob::GetPlacement() const
{
    return m_placement;
}

TimePs
WorkloadJob::GetStart() const
{
    return m_start.GetPicoSeconds();
}

bool
WorkloadJob::Runs() const
{
    return m_runs;
}

} // namespace ns3::rails
