// SPDX-License-Identifier: GPL-2.0-only
#include "workload-job.h"

#include "ns3/boolean.h"
#include "ns3/component-documentation.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadJob);

TypeId
WorkloadJob::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::WorkloadJob").SetParent<Object>(),
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
            .AddAttribute("FailedServers",
                          "Servers of the cluster, among those that it got, that have failed: the "
                          "next of its spares replaces each. (MixNet, arXiv 2501.03905, section "
                          "5.4)",
                          CountListValue(),
                          MakeCountListAccessor(&WorkloadJob::m_failedServers),
                          MakeCountListChecker())
            .AddAttribute("FailedGpus",
                          "GPUs of the cluster, likewise: the GPU at the same place of a spare "
                          "replaces each, so that its group of tensor parallelism spans servers. "
                          "(MixNet, section 5.4)",
                          CountListValue(),
                          MakeCountListAccessor(&WorkloadJob::m_failedGpus),
                          MakeCountListChecker())
            .AddAttribute("Spares",
                          "Servers of the cluster that do nothing but replace others.",
                          CountListValue(),
                          MakeCountListAccessor(&WorkloadJob::m_spares),
                          MakeCountListChecker())
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

const std::vector<uint32_t>&
WorkloadJob::GetSpares() const
{
    return m_spares.Get();
}

std::vector<uint32_t>
WorkloadJob::Replace(const std::vector<uint32_t>& servers, uint32_t gpus) const
{
    std::vector<uint32_t> placed;
    for (const uint32_t server : servers)
    {
        for (uint32_t place = 0; place < gpus; ++place)
        {
            placed.push_back(server * gpus + place);
        }
    }
    std::vector<uint32_t> failed;
    for (const uint32_t server : m_failedServers.Get())
    {
        if (std::find(servers.begin(), servers.end(), server) == servers.end())
        {
            throw ConfigurationError("failed_servers",
                                     "server " + std::to_string(server) + " is none of the job's");
        }
        for (uint32_t place = 0; place < gpus; ++place)
        {
            failed.push_back(server * gpus + place);
        }
    }
    const std::size_t ofServers = failed.size();
    failed.insert(failed.end(), m_failedGpus.Get().begin(), m_failedGpus.Get().end());
    std::vector<uint32_t> used(gpus); // spares, by place
    for (std::size_t i = 0; i < failed.size(); ++i)
    {
        const uint32_t gpu = failed[i];
        const char* key = i < ofServers ? "failed_servers" : "failed_gpus";
        const auto at = std::find(placed.begin(), placed.end(), gpu);
        if (at == placed.end())
        {
            throw ConfigurationError(key,
                                     "GPU " + std::to_string(gpu) +
                                         " is none of the job's, or has failed already");
        }
        if (used[gpu % gpus] == m_spares.Get().size())
        {
            throw ConfigurationError("spares",
                                     "no server is left to replace GPU " + std::to_string(gpu) +
                                         ": name more of them");
        }
        *at = m_spares.Get()[used[gpu % gpus]++] * gpus + gpu % gpus;
    }
    return placed;
}

TimePs
WorkloadJob::GetStart() const
{
    return m_start.GetPicoSeconds();
}

} // namespace ns3::rails
