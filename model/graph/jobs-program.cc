// SPDX-License-Identifier: GPL-2.0-only
#include "jobs-program.h"

#include "ns3/matrix-sum.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

JobsProgram::JobsProgram(const ClusterShape& shape, std::vector<Job> jobs)
    : m_shape(shape),
      m_jobs(std::move(jobs)),
      m_stepsOfJob((uint64_t{1} << 32) / std::max<std::size_t>(m_jobs.size(), 1)),
      m_places(shape.GetGpus()),
      m_hosted(shape.domains)
{
    for (uint32_t number = 0; number < m_jobs.size(); ++number)
    {
        Job& job = m_jobs[number];
        for (const uint32_t server : job.gpus.empty() ? job.servers : std::vector<uint32_t>{})
        {
            for (uint32_t place = 0; place < m_shape.gpusPerDomain; ++place)
            {
                job.gpus.push_back(server * m_shape.gpusPerDomain + place);
            }
        }
        std::map<std::string, uint16_t> known;
        std::vector<uint16_t>& kinds = m_kindsOf.emplace_back();
        for (const std::string& kind : job.program->GetKinds())
        {
            const auto [at, isNew] = known.try_emplace(kind, static_cast<uint16_t>(m_kinds.size()));
            kinds.push_back(at->second);
            if (isNew)
            {
                m_kinds.push_back(job.name + ": " + kind);
            }
        }
        m_startKinds.push_back(static_cast<uint16_t>(m_kinds.size()));
        if (job.start > 0)
        {
            m_kinds.push_back(job.name + ": start");
        }
        m_streams = std::max(m_streams, job.program->GetStreams());
        for (uint32_t gpu = 0; gpu < job.program->GetShape().GetGpus(); ++gpu)
        {
            std::optional<Place>& place = m_places.at(job.gpus.at(gpu));
            if (place)
            {
                throw std::logic_error("two jobs have the same GPU");
            }
            place = Place{number, gpu};
            m_hosted[m_shape.GetDomain(job.gpus[gpu])][number].insert(m_shape.GetDomain(gpu));
        }
    }
}

const ClusterShape&
JobsProgram::GetShape() const
{
    return m_shape;
}

const std::vector<std::string>&
JobsProgram::GetKinds() const
{
    return m_kinds;
}

uint32_t
JobsProgram::GetStreams() const
{
    return m_streams;
}

uint32_t
JobsProgram::CountStreams(uint32_t gpu) const
{
    const std::optional<Place>& place = m_places[gpu];
    return place ? m_jobs[place->job].program->CountStreams(place->gpu) : 0;
}

/// \return the job that a step or a barrier belongs to
const Job&
JobsProgram::GetJob(uint32_t step) const
{
    return m_jobs[step / m_stepsOfJob];
}

/// \return the number that a step or a barrier has in its job
uint32_t
JobsProgram::GetOwn(uint32_t step) const
{
    return static_cast<uint32_t>(step % m_stepsOfJob);
}

/// \return what a GPU of a job sends, with the numbers of the cluster
std::vector<Demand>
JobsProgram::Translate(const Job& job, std::vector<Demand> demands) const
{
    for (Demand& demand : demands)
    {
        demand.destination = job.gpus[demand.destination];
    }
    std::sort(demands.begin(), demands.end(), [](const Demand& one, const Demand& other) {
        return one.destination < other.destination;
    });
    return demands;
}

/// \return number of a job's step, or barrier, among those of all jobs
uint32_t
JobsProgram::Number(uint32_t job, uint32_t step) const
{
    if (step >= m_stepsOfJob)
    {
        throw ConfigurationError("workload",
                                 "job '" + m_jobs[job].name + "' has more than " +
                                     std::to_string(m_stepsOfJob) +
                                     " steps: shorten it, or run it with fewer other jobs");
    }
    return static_cast<uint32_t>(job * m_stepsOfJob + step);
}

bool
JobsProgram::GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const
{
    const std::optional<Place>& place = m_places[gpu];
    if (!place || stream >= m_jobs[place->job].program->GetStreams())
    {
        return false;
    }
    const Job& job = m_jobs[place->job];
    const uint64_t before = job.start > 0 ? 1 : 0; // a stream waits for the start of its job
    if (index < before)
    {
        node.kind = m_startKinds[place->job];
        node.duration = job.start;
        return true;
    }
    if (!job.program->GetNode(place->gpu, stream, index - before, node))
    {
        return false;
    }
    node.kind = m_kindsOf[place->job][node.kind];
    const uint32_t last = Number(place->job, node.step + node.steps - 1);
    node.step = last - (node.steps - 1);
    node.isAwaited = true; // other jobs go on, so the end of all says nothing
    for (GraphNode::Wait& wait : node.waits)
    {
        wait.count += before;
    }
    return true;
}

uint64_t
JobsProgram::CountNodes(uint32_t gpu, uint32_t stream) const
{
    const std::optional<Place>& place = m_places[gpu];
    if (!place || stream >= m_jobs[place->job].program->GetStreams())
    {
        return 0;
    }
    const Job& job = m_jobs[place->job];
    return (job.start > 0 ? 1 : 0) + job.program->CountNodes(place->gpu, stream);
}

std::vector<GraphParty>
JobsProgram::GetParties() const
{
    std::vector<GraphParty> parties;
    for (const Job& job : m_jobs)
    {
        parties.push_back({job.name, job.gpus, job.iterations});
    }
    return parties;
}

std::vector<Demand>
JobsProgram::GetSends(uint32_t gpu, uint32_t step) const
{
    const Job& job = GetJob(step);
    return Translate(job, job.program->GetSends(m_places[gpu]->gpu, GetOwn(step)));
}

std::vector<Demand>
JobsProgram::GetAnnounced(uint32_t gpu, uint32_t barrier) const
{
    const Job& job = GetJob(barrier);
    return Translate(job, job.program->GetAnnounced(m_places[gpu]->gpu, GetOwn(barrier)));
}

uint64_t
JobsProgram::GetReceived(uint32_t gpu, uint32_t step) const
{
    return GetJob(step).program->GetReceived(m_places[gpu]->gpu, GetOwn(step));
}

uint16_t
JobsProgram::GetRail(uint32_t gpu, uint32_t step) const
{
    return GetJob(step).program->GetRail(m_places[gpu]->gpu, GetOwn(step));
}

std::vector<CollectiveRecord>
JobsProgram::GetCollectives() const
{
    std::vector<CollectiveRecord> all;
    for (std::size_t job = 0; job < m_jobs.size(); ++job)
    {
        for (CollectiveRecord record : m_jobs[job].program->GetCollectives())
        {
            record.kind = m_kindsOf[job][record.kind];
            all.push_back(std::move(record));
        }
    }
    return all;
}

TimePs
JobsProgram::GetStart(uint32_t step) const
{
    return GetJob(step).program->GetStart(GetOwn(step));
}

std::vector<uint32_t>
JobsProgram::GetMembers(uint32_t server, uint32_t step) const
{
    const auto hosted = m_hosted[server].find(static_cast<uint32_t>(step / m_stepsOfJob));
    if (hosted == m_hosted[server].end())
    {
        return {};
    }
    const Job& job = GetJob(step);
    std::vector<uint32_t> members;
    for (const uint32_t own : hosted->second)
    {
        for (const uint32_t gpu : job.program->GetMembers(own, GetOwn(step)))
        {
            if (m_shape.GetDomain(job.gpus[gpu]) == server)
            {
                members.push_back(job.gpus[gpu]);
            }
        }
    }
    std::sort(members.begin(), members.end());
    return members;
}

uint32_t
JobsProgram::CountMembers(uint32_t barrier) const
{
    return GetJob(barrier).program->CountMembers(GetOwn(barrier));
}

TimePs
JobsProgram::GetComputeTime() const
{
    TimePs longest = 0;
    for (const Job& job : m_jobs)
    {
        longest = std::max(longest, AddTimes(job.start, job.program->GetComputeTime()));
    }
    return longest;
}

TrafficMatrix
JobsProgram::GetTotal() const
{
    MatrixSum total(m_shape);
    for (const Job& job : m_jobs)
    {
        const TrafficMatrix own = job.program->GetTotal();
        for (uint32_t gpu = 0; gpu < own.GetShape().GetGpus(); ++gpu)
        {
            total.Add(job.gpus[gpu], Translate(job, own.GetRow(gpu)));
        }
    }
    return total.Get();
}

const std::vector<Job>&
JobsProgram::GetJobs() const
{
    return m_jobs;
}

std::vector<uint16_t>
JobsProgram::GetKindsOf(uint32_t job) const
{
    return m_kindsOf[job];
}

} // namespace ns3::rails
