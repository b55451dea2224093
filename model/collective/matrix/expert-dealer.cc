// SPDX-License-Identifier: GPL-2.0-only
#include "expert-dealer.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <string>

namespace ns3::rails
{

ExpertDealer::ExpertDealer(uint32_t experts, uint32_t gpus)
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

void
ExpertDealer::Deal(uint32_t expert, uint64_t tokens, std::vector<GpuTokens>& dealt) const
{
    if (m_experts >= m_gpus && tokens > 0)
    {
        const uint32_t gpu = expert / (m_experts / m_gpus);
        if (dealt.empty() || dealt.back().gpu != gpu)
        {
            dealt.push_back({gpu});
        }
        dealt.back().tokens += tokens;
        return;
    }
    const uint32_t gpus = m_gpus / m_experts;
    for (uint32_t i = 0; i < std::min<uint64_t>(gpus, tokens); ++i)
    {
        dealt.push_back({expert * gpus + i, tokens / gpus + (i < tokens % gpus ? 1 : 0)});
    }
}

uint32_t
ExpertDealer::GetGpu(uint32_t expert, uint64_t turn) const
{
    if (m_experts >= m_gpus)
    {
        return expert / (m_experts / m_gpus);
    }
    const uint32_t gpus = m_gpus / m_experts;
    return expert * gpus + static_cast<uint32_t>(turn % gpus);
}

} // namespace ns3::rails
