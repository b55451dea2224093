// SPDX-License-Identifier: GPL-2.0-only
#include "training-context.h"

#include "ns3/token-copies.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

TrainingContext::TrainingContext(const TrainingPlan& plan)
    : m_plan(plan),
      m_expertGroups(plan),
      m_expertTensor(plan.experts, {"etp"}),
      m_expertData(plan.experts, {"edp"}),
      m_expertParties(plan, m_expertGroups.GetTable()),
      m_tensorParties(plan, m_expertTensor),
      m_stageStride(plan.attention.GetStride("pp"))
{
    for (uint32_t gpu = 0; gpu < plan.shape.GetGpus(); ++gpu)
    {
        m_stages.push_back(plan.attention.GetCoordinate(gpu, "pp"));
    }
    if (plan.handling.IsPlain())
    {
        m_router = std::make_unique<DrawnRouter>(plan, m_expertGroups);
    }
}

void
TrainingContext::Prepare()
{
    if (!m_plan.handling.IsPlain())
    {
        auto planned = std::make_unique<PlannedRouter>(m_plan, m_expertGroups);
        m_planned = planned.get();
        m_router = std::move(planned);
    }
}

void
TrainingContext::Outline()
{
    if (!m_plan.handling.IsPlain())
    {
        m_outlined = m_plan.MakeMicrobatch();
        m_router = std::make_unique<PlannedRouter>(m_outlined, m_expertGroups);
    }
}

void
TrainingContext::Sample()
{
    m_sample = SamplePlans(m_plan, m_expertGroups);
}

std::vector<uint32_t>
TrainingContext::ListGpus(uint32_t stage) const
{
    std::vector<uint32_t> gpus;
    for (uint32_t gpu = 0; gpu < m_stages.size(); ++gpu)
    {
        if (m_stages[gpu] == stage)
        {
            gpus.push_back(gpu);
        }
    }
    return gpus;
}

uint32_t
TrainingContext::FindPeer(uint32_t gpu, uint32_t stage) const
{
    return gpu - m_stages[gpu] * m_stageStride + stage * m_stageStride;
}

TransferTraits
TrainingContext::MakeTraits(TrainingKind kind, bool isExchange, bool isApart) const
{
    const Communicator communicator = isApart ? Communicator::Copies : GetCommunicator(kind);
    TransferTraits traits;
    traits.channel =
        isApart || !m_plan.sharesQueues ? static_cast<uint16_t>(communicator) : uint16_t{0};
    traits.isExchange = isExchange;
    return traits;
}

std::shared_ptr<const ExpertRouting>
TrainingContext::GetRouting(uint32_t gpu, const LoadPlace& place) const
{
    return m_router->Get(GetExperts().GetNumber(gpu), place);
}

const ExpertRouting*
TrainingContext::FindNext(uint32_t gpu, const LoadPlace& place) const
{
    if (place.microbatch + 1 < m_plan.microbatches)
    {
        return nullptr;
    }
    const uint32_t next = std::min(place.iteration + 1, m_plan.iterations - 1);
    return GetRouting(gpu, {next, place.layer, 0, 0}).get(); // the router keeps what is planned
}

double
TrainingContext::EstimateCopies(double parts) const
{
    const auto [known, isNew] = m_copies.try_emplace(parts);
    if (isNew)
    {
        const uint32_t experts = m_plan.model.experts;
        const std::vector<double> inclusion(experts, double{1} * m_plan.model.topK / experts);
        std::vector<uint32_t> setOf(experts);
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            setOf[expert] = static_cast<uint32_t>(expert * parts / experts);
        }
        known->second = m_plan.GetTokens() *
                        FindSetInclusion(m_plan.GetLoadShape(), inclusion, setOf, 1).front();
    }
    return known->second;
}

} // namespace ns3::rails
