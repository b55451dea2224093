// SPDX-License-Identifier: GPL-2.0-only
#include "expert-division.h"

#include <algorithm>
#include <numeric>

namespace ns3::rails
{

ExpertDivision::ExpertDivision(const ExpertSetting& setting, const TokenCounts& counts)
    : m_setting(setting),
      m_counts(counts),
      m_loads(setting.cluster.gpus),
      m_total(counts.GetTotal())
{
    const std::vector<uint64_t> tokens = counts.GetLoads();
    for (uint32_t expert = 0; expert < setting.experts; ++expert)
    {
        const uint32_t home = setting.GetHome(expert);
        m_quota.push_back({{home, tokens[expert]}});
        m_loads[home] += tokens[expert];
    }
}

std::vector<uint32_t>
ExpertDivision::ListHeaviestFirst(uint32_t gpu) const
{
    std::vector<uint32_t> experts(m_setting.GetHomes());
    std::iota(experts.begin(), experts.end(), gpu * m_setting.GetHomes());
    std::stable_sort(experts.begin(), experts.end(), [this](uint32_t left, uint32_t right) {
        return GetKept(left) > GetKept(right);
    });
    return experts;
}

void
ExpertDivision::Give(uint32_t expert, uint32_t gpu, uint64_t tokens)
{
    std::vector<HostShare>& shares = m_quota[expert];
    HostShare& home = shares.front();
    home.tokens -= tokens;
    m_loads[home.host] -= tokens;
    m_loads[gpu] += tokens;
    const auto copy = std::find_if(shares.begin(), shares.end(), [gpu](const HostShare& share) {
        return share.host == gpu;
    });
    if (copy != shares.end())
    {
        copy->tokens += tokens;
    }
    else
    {
        shares.push_back({gpu, tokens});
    }
}

ExpertQuota
ExpertDivision::MakeQuota() const
{
    ExpertQuota quota = m_quota;
    for (std::vector<HostShare>& shares : quota)
    {
        shares.erase(std::remove_if(shares.begin(),
                                    shares.end(),
                                    [](const HostShare& share) { return share.tokens == 0; }),
                     shares.end());
    }
    return quota;
}

} // namespace ns3::rails
