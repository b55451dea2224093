// SPDX-License-Identifier: GPL-2.0-only
#include "training-context.h"

#include "expert-groups.h"

#include "ns3/token-copies.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

TrainingContext::TrainingContext(const TrainingSpec& spec)
    : m_spec(spec),
      m_expertGroups(MakeExpertGroups(spec)),
      m_expertTensor(spec.shape, spec.experts.ListGroups({"etp"})),
      m_expertData(spec.shape, spec.experts.ListGroups({"edp"})),
      m_expertParties(FindParties(spec, m_expertGroups)),
      m_tensorParties(FindParties(spec, m_expertTensor)),
      m_stageStride(spec.attention.GetStride("pp"))
{
    for (uint32_t gpu = 0; gpu < spec.shape.GetGpus(); ++gpu)
    {
        m_stages.push_back(spec.attention.GetCoordinate(gpu, "pp"));
    }
    if (spec.handling.IsPlain())
    {
        m_dispatch = std::make_unique<DrawnDispatch>(spec, m_expertGroups);
    }
}

void
TrainingContext::Prepare()
{
    if (!m_spec.handling.IsPlain())
    {
        auto planned = std::make_unique<PlannedDispatch>(m_spec, m_expertGroups);
        m_planned = planned.get();
        m_dispatch = std::move(planned);
    }
}

void
TrainingContext::Outline()
{
    if (!m_spec.handling.IsPlain())
    {
        m_outlined = m_spec.MakeMicrobatch();
        m_dispatch = std::make_unique<PlannedDispatch>(m_outlined, m_expertGroups);
    }
}

void
TrainingContext::Sample()
{
    m_sample = SamplePlans(m_spec, m_expertGroups);
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

CommOpTraits
TrainingContext::MakeTraits(TrainingKind kind, bool isExchange, bool isApart) const
{
    const Communicator communicator = isApart ? Communicator::Copies : GetCommunicator(kind);
    CommOpTraits traits;
    traits.channel =
        isApart || !m_spec.sharesQueues ? static_cast<uint16_t>(communicator) : uint16_t{0};
    traits.isExchange = isExchange;
    return traits;
}

std::shared_ptr<const ExpertRouting>
TrainingContext::GetRouting(uint32_t gpu, const LoadPlace& place) const
{
    return m_dispatch->Get(GetExperts().GetNumber(gpu), place);
}

const ExpertRouting*
TrainingContext::FindNext(uint32_t gpu, const LoadPlace& place) const
{
    if (place.microbatch + 1 < m_spec.microbatches)
    {
        return nullptr;
    }
    const uint32_t next = std::min(place.iteration + 1, m_spec.iterations - 1);
    return GetRouting(gpu, {next, place.layer, 0, 0}).get(); // PlannedDispatch keeps it
}

double
TrainingContext::EstimateCopies(double parts) const
{
    const auto [known, isNew] = m_copies.try_emplace(parts);
    if (isNew)
    {
        const uint32_t experts = m_spec.model.experts;
        const std::vector<double> inclusion(experts, double{1} * m_spec.model.topK / experts);
        std::vector<uint32_t> setOf(experts);
        for (uint32_t expert = 0; expert < experts; ++expert)
        {
            setOf[expert] = static_cast<uint32_t>(expert * parts / experts);
        }
        known->second = m_spec.GetTokens() *
                        FindSetInclusion(m_spec.GetLoadShape(), inclusion, setOf, 1).front();
    }
    return known->second;
}

} // namespace ns3::rails
