// SPDX-License-Identifier: GPL-2.0-only
#include "rails-workload.h"
#include "ring-workload.h"
#include "workload-job.h"

#include "ns3/component-documentation.h"
#include "ns3/component-list.h"
#include "ns3/jobs-program.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// `jobs`: several workloads on one cluster, on disjoint servers.
class JobsWorkload : public Workload
{
  public:
    static TypeId GetTypeId();
    JobsWorkload();

    void Check(const WorkloadSetting& setting) const override;
    void CheckBarriers(TimePs longest) const override;
    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    double EstimateCost(const WorkloadSetting& setting) const override;
    int64_t AssignStreams(int64_t stream) override;
    std::string WhyUnannounced() const override;
    bool MovesOther() const override;
    bool PlacesExperts() const override;

  protected:
    void DoDispose() override;

  private:
    using NamedJob = std::pair<std::string, Ptr<WorkloadJob>>;

    /// A job and its servers.
    struct Placed
    {
        const NamedJob& job;
        std::vector<uint32_t> servers;
        std::vector<uint32_t> gpus; //!< of the cluster, by GPU of the job
        WorkloadSetting setting;    //!< of the job's part of the cluster
    };

    const std::vector<NamedJob>& GetJobs() const;
    std::vector<Placed> Place(const WorkloadSetting& setting) const;
    double SumJobs(
        const WorkloadSetting& setting,
        const std::function<double(const Workload&, const WorkloadSetting&)>& measure) const;
    static void CheckRegions(const Placed& placed);

    std::vector<NamedJob> m_jobs;
    std::vector<NamedJob> m_usual; //!< default jobs
};

NS_OBJECT_ENSURE_REGISTERED(JobsWorkload);

namespace
{

/// Paths between the servers of a job, by the job's numbers.
class JobWays : public FabricPaths
{
  public:
    /// \param servers of the cluster, by the job's numbers \param nics of a server
    JobWays(std::shared_ptr<const FabricPaths> ways, std::vector<uint32_t> servers, uint32_t nics)
        : m_ways(std::move(ways)),
          m_servers(std::move(servers)),
          m_nics(nics)
    {
    }

    Way Find(uint32_t fromNic, uint32_t toNic, uint32_t queuePair) const override
    {
        return m_ways->Find(Move(fromNic), Move(toNic), queuePair);
    }

    double GetRate(uint32_t link) const override
    {
        return m_ways->GetRate(link);
    }

    uint64_t GetVariant() const override
    {
        uint64_t variant = m_ways->GetVariant();
        for (const uint32_t server : m_servers)
        {
            constexpr uint64_t prime = 0x100000001b3; // of FNV-1
            variant = variant * prime ^ (server + 1);
        }
        return variant;
    }

  private:
    uint32_t Move(uint32_t nic) const
    {
        return m_servers[nic / m_nics] * m_nics + nic % m_nics;
    }

    std::shared_ptr<const FabricPaths> m_ways;
    std::vector<uint32_t> m_servers;
    uint32_t m_nics;
};

} // namespace

TypeId
JobsWorkload::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::JobsWorkload").SetParent<Workload>(),
            "Several workloads on one cluster, each on servers of its own: what a neighbour "
            "costs.")
            .SetGroupName("Rails")
            .AddConstructor<JobsWorkload>()
            .AddAttribute(
                "Jobs",
                "The workloads by name, with their servers. Empty: one, named job, a ring "
                "of all GPUs.",
                ComponentListValue(),
                MakeComponentListAccessor(&JobsWorkload::m_jobs),
                MakeComponentListChecker<WorkloadJob>("job", true));
    return tid;
}

JobsWorkload::JobsWorkload()
    : m_usual{{"job", CreateObject<WorkloadJob>()}}
{
    m_usual.front().second->SetAttribute("Workload", PointerValue(CreateObject<RingWorkload>()));
}

const std::vector<JobsWorkload::NamedJob>&
JobsWorkload::GetJobs() const
{
    return m_jobs.empty() ? m_usual : m_jobs;
}

void
JobsWorkload::DoDispose()
{
    m_usual.clear();
    m_jobs.clear();
    Workload::DoDispose();
}

std::vector<JobsWorkload::Placed>
JobsWorkload::Place(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    std::vector<Placed> placed;
    std::vector<bool> taken(shape.servers, false);
    for (const NamedJob& job : GetJobs())
    {
        CheckNested("jobs." + job.first + ".placement", [&] {
            std::vector<uint32_t> servers = job.second->GetPlacement()->Place(taken);
            for (const uint32_t server : servers)
            {
                taken[server] = true;
            }
            WorkloadSetting own = setting;
            own.shape.servers = static_cast<uint32_t>(servers.size());
            if (setting.rates.ways)
            {
                own.rates.ways = std::make_shared<const JobWays>(setting.rates.ways,
                                                                 servers,
                                                                 shape.nicsPerServer);
            }
            placed.push_back({job, std::move(servers), {}, own});
        });
        CheckNested("jobs." + job.first, [&] {
            for (const uint32_t spare : job.second->GetSpares())
            {
                if (spare >= taken.size() || taken[spare])
                {
                    throw ConfigurationError("spares",
                                             "server " + std::to_string(spare) +
                                                 " does not exist, or is in use already");
                }
                taken[spare] = true;
            }
            Placed& latest = placed.back();
            latest.gpus = job.second->Replace(latest.servers, shape.gpusPerServer);
        });
    }
    return placed;
}

/// Checks that the servers of a job are whole regions of circuits, in order, and its spares in
/// none.
void
JobsWorkload::CheckRegions(const Placed& placed)
{
    const CircuitTiming& circuits = placed.setting.circuits;
    const uint32_t region = circuits.servers;
    if (region == 0)
    {
        return;
    }
    const auto& servers = placed.servers;
    for (std::size_t i = 0; i < servers.size(); ++i)
    {
        const std::size_t first = i / region * region;
        if (servers[first] % region != 0 || servers[i] != servers[first] + i - first ||
            first + region > servers.size() || servers[i] >= circuits.joined)
        {
            throw ConfigurationError("placement",
                                     "server " + std::to_string(servers[i]) +
                                         " is not with the others of its region of circuits: "
                                         "expected whole regions of " +
                                         std::to_string(region) + " servers each");
        }
    }
    for (const uint32_t spare : placed.job.second->GetSpares())
    {
        if (spare < circuits.joined)
        {
            throw ConfigurationError("spares",
                                     "server " + std::to_string(spare) +
                                         " is in a region of circuits: expected one of those that "
                                         "`spares` of the optical fabric leaves without");
        }
    }
}

void
JobsWorkload::Check(const WorkloadSetting& setting) const
{
    const auto runs = [](const NamedJob& job) { return job.second->Runs(); };
    if (std::none_of(GetJobs().begin(), GetJobs().end(), runs))
    {
        throw ConfigurationError("jobs", "expected at least one job that runs: true");
    }
    double bytes = 0;
    for (const Placed& placed : Place(setting))
    {
        const std::string& name = placed.job.first;
        if (name.find_first_of(",\"\n") != std::string::npos)
        {
            throw ConfigurationError("jobs",
                                     "job '" + name +
                                         "' is named in tables: expected a name "
                                         "without commas, quotes and ends of lines");
        }
        constexpr TimePs kLatest = 2'000'000'000'000'000'000; // times end at 2^63 ps
        if (placed.job.second->GetStart() > kLatest)
        {
            throw ConfigurationError("jobs." + name + ".start", "expected at most 23 days");
        }
        CheckNested("jobs." + name, [&] { CheckRegions(placed); });
        CheckNested("jobs." + name + ".workload", [&] {
            const Ptr<Workload> workload = placed.job.second->GetWorkload();
            if (!workload)
            {
                throw ConfigurationError("", "expected a workload");
            }
            if (DynamicCast<JobsWorkload>(workload))
            {
                throw ConfigurationError("type", "the jobs of a job go into the same list as it");
            }
            workload->Check(placed.setting);
            bytes += workload->EstimateBytes(placed.setting);
        });
    }
    if (bytes > 4e18)
    {
        throw ConfigurationError("jobs", "all together move more than 4 exabytes");
    }
}

void
JobsWorkload::CheckBarriers(TimePs longest) const
{
    for (const auto& [name, job] : GetJobs())
    {
        if (const Ptr<Workload> workload = job->GetWorkload())
        {
            CheckNested("jobs." + name + ".workload", [&] { workload->CheckBarriers(longest); });
        }
    }
}

/// \return sum over all jobs that run
double
JobsWorkload::SumJobs(
    const WorkloadSetting& setting,
    const std::function<double(const Workload&, const WorkloadSetting&)>& measure) const
{
    double sum = 0;
    for (const Placed& placed : Place(setting))
    {
        const WorkloadJob& job = *placed.job.second;
        sum += job.Runs() ? measure(*job.GetWorkload(), placed.setting) : 0;
    }
    return sum;
}

double
JobsWorkload::EstimateBytes(const WorkloadSetting& setting) const
{
    return SumJobs(setting, [](const Workload& workload, const WorkloadSetting& its) {
        return workload.EstimateBytes(its);
    });
}

double
JobsWorkload::EstimateMessages(const WorkloadSetting& setting) const
{
    return SumJobs(setting, [](const Workload& workload, const WorkloadSetting& its) {
        return workload.EstimateMessages(its);
    });
}

double
JobsWorkload::EstimateCost(const WorkloadSetting& setting) const
{
    return SumJobs(setting, [](const Workload& workload, const WorkloadSetting& its) {
        return workload.EstimateCost(its);
    });
}

/// Jobs that do not run use streams, too, so that the streams of later jobs stay the same.
int64_t
JobsWorkload::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& [name, job] : GetJobs())
    {
        used += job->GetWorkload() ? job->GetWorkload()->AssignStreams(stream + used) : 0;
    }
    return used;
}

std::shared_ptr<const GraphProgram>
JobsWorkload::MakeProgram(const WorkloadSetting& setting)
{
    std::vector<Job> jobs;
    for (const Placed& placed : Place(setting))
    {
        const auto& [name, job] = placed.job;
        if (job->Runs())
        {
            const auto program = job->GetWorkload()->MakeProgram(placed.setting);
            jobs.push_back({name,
                            program,
                            placed.servers,
                            job->GetStart(),
                            program->GetIterations(),
                            placed.gpus});
        }
    }
    return std::make_shared<const JobsProgram>(setting.shape, std::move(jobs));
}

std::string
JobsWorkload::WhyUnannounced() const
{
    for (const auto& [name, job] : GetJobs())
    {
        const std::string why = job->GetWorkload() ? job->GetWorkload()->WhyUnannounced() : "";
        if (!why.empty())
        {
            return "of job '" + name + "', " + why;
        }
    }
    return "";
}

bool
JobsWorkload::MovesOther() const
{
    return std::any_of(GetJobs().begin(), GetJobs().end(), [](const NamedJob& job) {
        return job.second->GetWorkload() && job.second->GetWorkload()->MovesOther();
    });
}

bool
JobsWorkload::PlacesExperts() const
{
    return std::any_of(GetJobs().begin(), GetJobs().end(), [](const NamedJob& job) {
        const Ptr<Workload> workload = job.second->GetWorkload();
        return job.second->Runs() && workload && workload->PlacesExperts();
    });
}

} // namespace ns3::rails
