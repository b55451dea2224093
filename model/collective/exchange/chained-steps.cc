// SPDX-License-Identifier: GPL-2.0-only
#include "chained-steps.h"

#include <utility>

namespace ns3::rails
{

ChainedSteps::ChainedSteps(ClusterShape shape,
                           const std::vector<TrafficStep>& steps,
                           StepPoster& poster,
                           std::function<void()> onFirstPost)
    : m_gpus(shape.GetGpus()),
      m_steps(steps.size()),
      m_poster(poster),
      m_onFirstPost(std::move(onFirstPost)),
      m_expected(steps.size() * shape.GetGpus(), 0),
      m_next(shape.GetGpus(), 1)
{
    for (uint32_t step = 0; step < m_steps; ++step)
    {
        for (uint32_t source = 0; source < m_gpus; ++source)
        {
            for (const Demand& demand : steps[step].traffic->GetRow(source))
            {
                GetExpected(step, demand.destination) += demand.bytes;
            }
        }
    }
}

void
ChainedSteps::Start()
{
    m_onFirstPost();
    m_poster.PostStep(0);
    for (uint32_t gpu = 0; gpu < m_gpus; ++gpu)
    {
        Advance(gpu);
    }
}

void
ChainedSteps::OnDelivered(const Message& message)
{
    GetExpected(message.step, message.destination) -= message.bytes;
    Advance(message.destination);
}

void
ChainedSteps::Advance(uint32_t gpu)
{
    uint32_t& next = m_next[gpu];
    while (next < m_steps && GetExpected(next - 1, gpu) == 0)
    {
        m_poster.PostStepOfGpu(next++, gpu);
    }
}

uint64_t&
ChainedSteps::GetExpected(uint32_t step, uint32_t gpu)
{
    return m_expected[size_t{step} * m_gpus + gpu];
}

bool
ChainedSteps::IsWaiting() const
{
    return false;
}

} // namespace ns3::rails
