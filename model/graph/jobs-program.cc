// SPDX-License-Identifier: GPL-2.0-only
#include "jobs-program.h"

#include "ns3/matrix-sum.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

JobsProgram::JobsProgram(const ClusterShape& shape, std::vector<Job> jobs)
    : m_shape(shape),
      m_jobs(std::move(jobs)),
      m_stepsOfJob((uint64_t{1} << 32) / std::max<std::size_t>(m_jobs.size(), 1)),
      m_gpus(shape.GetGpus())
{
    for (uint32_t number = 0; number < m_jobs.size(); ++number)
    {
        Job& job = m_jobs[number];
        for (const uint32_t server : job.gpus.empty() ? job.servers : std::vector<uint32_t>{})
        {
            for (uint32_t place = 0; place < m_shape.gpusPerServer; ++place)
            {
                job.gpus.push_back(server * m_shape.gpusPerServer + place);
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
        const uint32_t gpus = job.program->GetShape().GetGpus();
        if (job.gpus.size() < gpus)
        {
            throw std::logic_error("a job has fewer GPUs than its program");
        }
        m_gpus.Add({job.gpus.begin(), job.gpus.begin() + gpus});
    }
}

uint32_t
JobsProgram::CountStreams(uint32_t gpu) const
{
    const std::optional<JobGpus::Place>& place = m_gpus.Find(gpu);
    return place ? m_jobs[place->job].program->CountStreams(place->gpu) : 0;
}

/// \return global number of a job's step or barrier. \param steps of the transfer, from `step` on
uint32_t
JobsProgram::Number(uint32_t job, uint32_t step, uint32_t steps) const
{
    if (uint64_t{step} + steps > m_stepsOfJob)
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
    const std::optional<JobGpus::Place>& place = m_gpus.Find(gpu);
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
    if (node.transfer)
    {
        node.step = Number(place->job, node.step, node.transfer->GetTraits().steps);
        node.transfer =
            std::make_shared<const JobTransfer>(std::move(node.transfer), place->job, m_gpus);
    }
    if (node.barrier)
    {
        node.step = Number(place->job, node.step, 1);
        node.barrier =
            std::make_shared<const JobBarrier>(std::move(node.barrier), place->job, m_gpus);
    }
    for (GraphNode::Wait& wait : node.waits)
    {
        wait.count += before;
    }
    return true;
}

uint64_t
JobsProgram::CountNodes(uint32_t gpu, uint32_t stream) const
{
    const std::optional<JobGpus::Place>& place = m_gpus.Find(gpu);
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

std::vector<JobRecord>
JobsProgram::DescribeJobs(const GraphRecord& record) const
{
    std::vector<JobRecord> records;
    for (uint32_t number = 0; number < m_jobs.size(); ++number)
    {
        const Job& job = m_jobs[number];
        JobRecord& own = records.emplace_back();
        own.name = job.name;
        own.servers = job.servers;
        own.start = job.start;
        own.end = job.start;
        own.iterations = job.iterations;
        for (const uint16_t kind : m_kindsOf[number])
        {
            own.end = std::max(own.end, record.kinds[kind].end);
        }
        const double seconds = static_cast<double>(own.end - own.start) * 1e-12 / own.iterations;
        if (seconds > 0)
        {
            own.figures = job.program->GetFigures(seconds, nullptr);
        }
    }
    return records;
}

std::vector<std::string>
JobsProgram::GetNotes() const
{
    std::vector<std::string> notes;
    for (const Job& job : m_jobs)
    {
        for (const std::string& note : job.program->GetNotes())
        {
            notes.push_back("job " + job.name + ": " + note);
        }
        if (job.program->FindRepetition())
        {
            notes.push_back("job " + job.name +
                            ": fast_forward does nothing: jobs meet at times of their own");
        }
    }
    return notes;
}

TrafficMatrix
JobsProgram::GetTotal() const
{
    MatrixSum total(m_shape);
    for (uint32_t job = 0; job < m_jobs.size(); ++job)
    {
        const TrafficMatrix own = m_jobs[job].program->GetTotal();
        for (uint32_t gpu = 0; gpu < own.GetShape().GetGpus(); ++gpu)
        {
            total.Add(m_gpus.GetOf(job)[gpu], m_gpus.Translate(job, own.GetRow(gpu)));
        }
    }
    return total.Get();
}

std::vector<uint16_t>
JobsProgram::GetKindsOf(uint32_t job) const
{
    return m_kindsOf[job];
}

} // namespace ns3::rails
