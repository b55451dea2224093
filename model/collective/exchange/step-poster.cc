// SPDX-License-Identifier: GPL-2.0-only
#include "step-poster.h"

#include <utility>

namespace ns3::rails
{

StepPoster::StepPoster(ClusterShape shape,
                       const PlanMaker& planMaker,
                       ExchangeMessages& messages,
                       PieceSender& sender)
    : m_shape(shape),
      m_planMaker(planMaker),
      m_messages(messages),
      m_sender(sender)
{
}

bool
StepPoster::PlanSteps(const std::vector<TrafficStep>& steps)
{
    const size_t first = m_messages.GetSize();
    m_batches.clear();
    for (uint32_t step = 0; step < steps.size(); ++step)
    {
        for (uint32_t domain = 0; domain < m_shape.domains; ++domain)
        {
            PlanServer(*steps[step].traffic, domain, step);
        }
    }
    return m_messages.GetSize() > first;
}

void
StepPoster::PlanServer(const TrafficMatrix& traffic, uint32_t domain, uint32_t step)
{
    ServerPlan plan = m_planMaker.MakePlan(MakeServerView(traffic, domain));
    const size_t first = m_messages.AddPlanned(plan, step);
    m_sender.OnPlanned(std::move(plan), first);
    const size_t inside = m_messages.GetSize();
    const uint32_t gpus = m_shape.gpusPerDomain;
    for (uint32_t source = domain * gpus; source < (domain + 1) * gpus; ++source)
    {
        for (const Demand& demand : traffic.GetRow(source))
        {
            if (m_shape.GetDomain(demand.destination) == domain)
            {
                m_messages.AddInside(source, demand, step);
            }
        }
    }
    m_batches.push_back({first, inside, m_messages.GetSize()});
}

void
StepPoster::PostStep(uint32_t step)
{
    for (uint32_t domain = 0; domain < m_shape.domains; ++domain)
    {
        PostBatch(step, domain, std::nullopt);
    }
}

void
StepPoster::PostStepOfGpu(uint32_t step, uint32_t gpu)
{
    PostBatch(step, m_shape.GetDomain(gpu), gpu);
}

void
StepPoster::PostBatch(uint32_t step, uint32_t domain, std::optional<uint32_t> gpu)
{
    const Batch& batch = m_batches[size_t{step} * m_shape.domains + domain];
    for (size_t id = batch.first; id < batch.end; ++id)
    {
        Message& message = m_messages.Get(id);
        if (gpu && message.source != *gpu)
        {
            continue;
        }
        if (id < batch.inside)
        {
            m_sender.Send(message);
        }
        else
        {
            m_messages.Post(message);
        }
    }
}

} // namespace ns3::rails
