// SPDX-License-Identifier: GPL-2.0-only
#include "expert-placement.h"

#include <algorithm>

namespace ns3::rails
{

ExpertPlacement
ExpertPlacement::InOrder(const ExpertSetting& setting)
{
    ExpertPlacement placement;
    placement.hosts.resize(setting.experts);
    for (uint32_t expert = 0; expert < setting.experts; ++expert)
    {
        for (uint32_t group = 0; group < setting.GetGroups(); ++group)
        {
            placement.hosts[expert].push_back(group * setting.expertParallel +
                                              setting.GetHome(expert));
        }
    }
    return placement;
}

bool
ExpertPlacement::Holds(uint32_t expert, uint32_t gpu) const
{
    return std::find(hosts[expert].begin(), hosts[expert].end(), gpu) != hosts[expert].end();
}

std::vector<uint32_t>
ExpertPlacement::ListHosts(uint32_t expert) const
{
    std::vector<uint32_t> once;
    for (const uint32_t gpu : hosts[expert])
    {
        if (std::find(once.begin(), once.end(), gpu) == once.end())
        {
            once.push_back(gpu);
        }
    }
    return once;
}

std::vector<std::vector<uint32_t>>
ExpertPlacement::ListByGpu(uint32_t gpus) const
{
    std::vector<std::vector<uint32_t>> experts(gpus);
    for (uint32_t expert = 0; expert < hosts.size(); ++expert)
    {
        for (const uint32_t gpu : hosts[expert])
        {
            experts[gpu].push_back(expert);
        }
    }
    return experts;
}

} // namespace ns3::rails
