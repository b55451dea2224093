// SPDX-License-Identifier: GPL-2.0-only
#include "jobs-workload.h"

#include "phase-program.h"

#include "ns3/component-list.h"
#include "ns3/pointer.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/ring-workload.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(JobsWorkload);

TypeId
JobsWorkload::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::JobsWorkload").SetParent<ProgramWorkload>(),
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
    m_programs.clear();
    m_made = nullptr;
    ProgramWorkload::DoDispose();
}

std::vector<JobsWorkload::Placed>
JobsWorkload::Place(const ClusterShape& shape) const
{
    std::vector<Placed> placed;
    std::vector<bool> taken(shape.domains, false);
    for (const NamedJob& job : GetJobs())
    {
        CheckNested("jobs." + job.first + ".placement", [&] {
            std::vector<uint32_t> servers = job.second->GetPlacement()->Place(taken);
            for (const uint32_t server : servers)
            {
                taken[server] = true;
            }
            ClusterShape own = shape;
            own.domains = static_cast<uint32_t>(servers.size());
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
            latest.gpus = job.second->Replace(latest.servers, shape.gpusPerDomain);
        });
    }
    return placed;
}

void
JobsWorkload::SetRates(const ClusterRates& rates)
{
    for (const auto& [name, job] : GetJobs())
    {
        if (job->GetWorkload())
        {
            job->GetWorkload()->SetRates(rates);
        }
    }
}

bool
JobsWorkload::SetCircuits(const CircuitTiming& timing)
{
    m_circuits = timing;
    return std::all_of(GetJobs().begin(), GetJobs().end(), [&](const NamedJob& job) {
        const auto program = DynamicCast<ProgramWorkload>(job.second->GetWorkload());
        return program && program->SetCircuits(timing);
    });
}

/// A job sees regions of circuits where it has servers that follow each other; they must be there.
void
JobsWorkload::CheckRegions(const Placed& placed) const
{
    const uint32_t region = m_circuits.servers;
    if (region == 0)
    {
        return;
    }
    const auto& servers = placed.servers;
    for (std::size_t i = 0; i < servers.size(); ++i)
    {
        const std::size_t first = i / region * region;
        if (servers[first] % region != 0 || servers[i] != servers[first] + i - first ||
            first + region > servers.size() || servers[i] >= m_circuits.joined)
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
        if (spare < m_circuits.joined)
        {
            throw ConfigurationError("spares",
                                     "server " + std::to_string(spare) +
                                         " is in a region of circuits: expected one of those that "
                                         "`spares` of the optical fabric leaves without");
        }
    }
}

void
JobsWorkload::Check(const ClusterShape& shape) const
{
    const auto runs = [](const NamedJob& job) { return job.second->Runs(); };
    if (std::none_of(GetJobs().begin(), GetJobs().end(), runs))
    {
        throw ConfigurationError("jobs", "expected at least one job that runs: true");
    }
    double bytes = 0;
    for (const Placed& placed : Place(shape))
    {
        const std::string& name = placed.job.first;
        if (name.find_first_of(",\"\n") != std::string::npos)
        {
            throw ConfigurationError("jobs",
                                     "job '" + name +
                                         "' is named in tables: expected a name "
                                         "without commas, quotes and ends of lines");
        }
        constexpr TimePs kLatest = 2'000'000'000'000'000'000; // where 2^63 is the end of time
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
            workload->Check(placed.shape);
            bytes += workload->EstimateBytes(placed.shape);
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
        if (const auto program = DynamicCast<ProgramWorkload>(job->GetWorkload()))
        {
            CheckNested("jobs." + name + ".workload",
                        [program = program, longest] { program->CheckBarriers(longest); });
        }
    }
}

double
JobsWorkload::EstimateBytes(const ClusterShape& shape) const
{
    double sum = 0;
    for (const Placed& placed : Place(shape))
    {
        const WorkloadJob& job = *placed.job.second;
        sum += job.Runs() ? job.GetWorkload()->EstimateBytes(placed.shape) : 0;
    }
    return sum;
}

double
JobsWorkload::EstimateMessages(const ClusterShape& shape) const
{
    double sum = 0;
    for (const Placed& placed : Place(shape))
    {
        const WorkloadJob& job = *placed.job.second;
        sum += job.Runs() ? job.GetWorkload()->EstimateMessages(placed.shape) : 0;
    }
    return sum;
}

/// A job's streams depend on those before it, whether they run or not.
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
JobsWorkload::MakeProgram(const ClusterShape& shape)
{
    std::vector<Job> jobs;
    m_programs.clear();
    for (const Placed& placed : Place(shape))
    {
        const auto& [name, job] = placed.job;
        if (!job->Runs())
        {
            continue;
        }
        const WorkloadSchedule schedule = job->GetWorkload()->MakeSchedule(placed.shape);
        m_programs.push_back(DynamicCast<ProgramWorkload>(job->GetWorkload()));
        jobs.push_back({name,
                        m_programs.back() ? m_programs.back()->GetProgram()
                                          : std::make_shared<const PhaseProgram>(schedule),
                        placed.servers,
                        job->GetStart(),
                        schedule.iterations,
                        placed.gpus});
    }
    m_made = std::make_shared<const JobsProgram>(shape, std::move(jobs));
    return m_made;
}

uint32_t
JobsWorkload::GetIterations() const
{
    return 1;
}

bool
JobsWorkload::MovesOther() const
{
    return std::any_of(GetJobs().begin(), GetJobs().end(), [](const NamedJob& job) {
        const auto program = DynamicCast<ProgramWorkload>(job.second->GetWorkload());
        return program && program->MovesOther();
    });
}

std::vector<std::string>
JobsWorkload::GetNotes() const
{
    std::vector<std::string> notes;
    for (uint32_t number = 0; number < m_programs.size(); ++number)
    {
        if (!m_programs[number])
        {
            continue;
        }
        for (const std::string& note : m_programs[number]->GetNotes())
        {
            notes.push_back("job " + m_made->GetJobs()[number].name + ": " + note);
        }
    }
    return notes;
}

std::vector<JobRecord>
JobsWorkload::DescribeJobs(const GraphRecord& record) const
{
    std::vector<JobRecord> records;
    for (uint32_t number = 0; number < m_programs.size(); ++number)
    {
        const Job& job = m_made->GetJobs()[number];
        JobRecord& own = records.emplace_back();
        own.name = job.name;
        own.servers = job.servers;
        own.start = job.start;
        own.end = job.start;
        own.iterations = job.iterations;
        for (const uint16_t kind : m_made->GetKindsOf(number))
        {
            own.end = std::max(own.end, record.kinds[kind].end);
        }
        const double seconds = static_cast<double>(own.end - own.start) * 1e-12 / own.iterations;
        if (m_programs[number] && seconds > 0)
        {
            own.figures = m_programs[number]->GetFigures(seconds);
        }
    }
    return records;
}

std::vector<std::pair<Ptr<Workload>, std::vector<uint32_t>>>
JobsWorkload::ListRunning() const
{
    std::vector<std::pair<Ptr<Workload>, std::vector<uint32_t>>> running;
    for (const auto& [name, job] : GetJobs())
    {
        if (job->Runs())
        {
            running.emplace_back(job->GetWorkload(),
                                 m_made ? m_made->GetJobs()[running.size()].gpus
                                        : std::vector<uint32_t>());
        }
    }
    return running;
}

} // namespace ns3::rails
