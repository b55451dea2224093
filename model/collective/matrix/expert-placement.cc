// SPDX-License-Identifier: GPL-2.0-only
#include "expert-placement.h"

#include "ns3/rails-error.h"

#include <string>

namespace ns3::rails
{

ExpertPlacement::ExpertPlacement(uint32_t experts, uint32_t gpus)
    : m_experts(experts),
      m_gpus(gpus)
{
    if (experts == 0 || gpus == 0 || (experts % gpus != 0 && gpus % experts != 0))
    {
        throw ConfigurationError("experts",
                                 std::to_string(experts) + " experts and " + std::to_string(gpus) +
                                     " GPUs: one must be a multiple of the other");
    }
}

std::vector<uint64_t>
ExpertPlacement::GetTokensPerGpu(const std::vector<uint64_t>& tokens) const
{
    std::vector<uint64_t> perGpu(m_gpus, 0);
    for (uint32_t expert = 0; expert < m_experts; ++expert)
    {
        if (m_experts >= m_gpus)
        {
            perGpu[expert / (m_experts / m_gpus)] += tokens[expert];
            continue;
        }
        const uint32_t gpus = m_gpus / m_experts;
        for (uint32_t i = 0; i < gpus; ++i)
        {
            const uint64_t remainder = i < tokens[expert] % gpus ? 1 : 0;
            perGpu[expert * gpus + i] = tokens[expert] / gpus + remainder;
        }
    }
    return perGpu;
}

} // namespace ns3::rails
