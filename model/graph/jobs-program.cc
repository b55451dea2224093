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
      m_places(shape.GetGpus())
{
    for (uint32_t number = 0; number < m_jobs.size(); ++number)
    {
        const Job& job = m_jobs[number];
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
            std::optional<Place>& place = m_places.at(Find(job, gpu));
            if (place)
            {
                throw std::logic_error("two jobs have the same server");
            }
            place = Place{number, gpu};
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

/// \return number in the cluster of a GPU of a job
uint32_t
JobsProgram::Find(const Job& job, uint32_t gpu) const
{
    const uint32_t gpus = m_shape.gpusPerDomain;
    return job.servers[gpu / gpus] * gpus + gpu % gpus;
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

std::vector<Demand>
JobsProgram::GetSends(uint32_t gpu, uint32_t step) const
{
    const Job& job = GetJob(step);
    std::vector<Demand> sends = job.program->GetSends(m_places[gpu]->gpu, GetOwn(step));
    for (Demand& demand : sends)
    {
        demand.destination = Find(job, demand.destination);
    }
    std::sort(sends.begin(), sends.end(), [](const Demand& one, const Demand& other) {
        return one.destination < other.destination;
    });
    return sends;
}

uint64_t
JobsProgram::GetReceived(uint32_t gpu, uint32_t step) const
{
    return GetJob(step).program->GetReceived(m_places[gpu]->gpu, GetOwn(step));
}

TimePs
JobsProgram::GetStart(uint32_t step) const
{
    return GetJob(step).program->GetStart(GetOwn(step));
}

std::vector<uint32_t>
JobsProgram::GetMembers(uint32_t server, uint32_t step) const
{
    const Job& job = GetJob(step);
    const std::optional<Place>& first = m_places[server * m_shape.gpusPerDomain];
    if (!first || &m_jobs[first->job] != &job)
    {
        return {};
    }
    std::vector<uint32_t> members =
        job.program->GetMembers(first->gpu / m_shape.gpusPerDomain, GetOwn(step));
    for (uint32_t& member : members)
    {
        member = Find(job, member);
    }
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
        longest = std::max(longest, job.start + job.program->GetComputeTime());
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
            std::vector<Demand> row = own.GetRow(gpu);
            for (Demand& demand : row)
            {
                demand.destination = Find(job, demand.destination);
            }
            total.Add(Find(job, gpu), row);
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
