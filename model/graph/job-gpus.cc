// SPDX-License-Identifier: GPL-2.0-only
#include "job-gpus.h"

#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Single messages of a job matter: other jobs continue, so the end of all traffic is too late.
CommOpTraits
AwaitAll(CommOpTraits traits)
{
    traits.isAwaited = true;
    return traits;
}

} // namespace

JobGpus::JobGpus(uint32_t gpus)
    : m_places(gpus)
{
}

void
JobGpus::Add(std::vector<uint32_t> gpus)
{
    for (uint32_t own = 0; own < gpus.size(); ++own)
    {
        std::optional<Place>& place = m_places.at(gpus[own]);
        if (place)
        {
            throw std::logic_error("two jobs have the same GPU");
        }
        place = Place{static_cast<uint32_t>(m_gpus.size()), own};
    }
    m_gpus.push_back(std::move(gpus));
}

const std::vector<uint32_t>&
JobGpus::GetOf(uint32_t job) const
{
    return m_gpus[job];
}

const std::optional<JobGpus::Place>&
JobGpus::Find(uint32_t gpu) const
{
    return m_places[gpu];
}

std::vector<Demand>
JobGpus::Translate(uint32_t job, std::vector<Demand> demands) const
{
    for (Demand& demand : demands)
    {
        demand.destination = m_gpus[job][demand.destination];
    }
    SortByDestination(demands);
    return demands;
}

JobTransfer::JobTransfer(std::shared_ptr<const CommOp> own, uint32_t job, const JobGpus& gpus)
    : CommOp(AwaitAll(own->GetTraits())),
      m_own(std::move(own)),
      m_job(job),
      m_gpus(gpus)
{
}

bool
JobTransfer::TakesPart(uint32_t gpu, uint32_t step) const
{
    const std::optional<JobGpus::Place>& place = m_gpus.Find(gpu);
    return place && place->job == m_job && m_own->TakesPart(place->gpu, step);
}

std::vector<Demand>
JobTransfer::GetSends(uint32_t gpu, uint32_t step) const
{
    return m_gpus.Translate(m_job, m_own->GetSends(m_gpus.Find(gpu)->gpu, step));
}

uint64_t
JobTransfer::GetReceived(uint32_t gpu, uint32_t step) const
{
    return m_own->GetReceived(m_gpus.Find(gpu)->gpu, step);
}

RailQueue
JobTransfer::GetRail(uint32_t gpu, uint32_t step) const
{
    return m_own->GetRail(m_gpus.Find(gpu)->gpu, step);
}

TimePs
JobTransfer::GetStart(uint32_t step) const
{
    return m_own->GetStart(step);
}

JobBarrier::JobBarrier(std::shared_ptr<const GraphBarrier> own, uint32_t job, const JobGpus& gpus)
    : GraphBarrier(own->CountMembers()),
      m_own(std::move(own)),
      m_job(job),
      m_gpus(gpus)
{
}

std::optional<CircuitPurpose>
JobBarrier::GetPurpose() const
{
    return m_own->GetPurpose();
}

std::vector<Demand>
JobBarrier::GetAnnounced(uint32_t gpu) const
{
    return m_gpus.Translate(m_job, m_own->GetAnnounced(m_gpus.Find(gpu)->gpu));
}

} // namespace ns3::rails
