// SPDX-License-Identifier: GPL-2.0-only
#include "expert-placement.h"

#include <algorithm>
#include <cstddef>

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

std::string
ExpertPlacement::FindDefect(const ExpertSetting& setting) const
{
    const auto name = [](std::size_t expert) { return "expert " + std::to_string(expert); };
    if (hosts.size() != setting.experts)
    {
        return "'placement' has " + std::to_string(hosts.size()) + " experts in place of " +
               std::to_string(setting.experts);
    }
    if (!shares.empty() && shares.size() != setting.experts)
    {
        return "'shares' has " + std::to_string(shares.size()) + " experts in place of " +
               std::to_string(setting.experts);
    }
    for (std::size_t expert = 0; expert < setting.experts; ++expert)
    {
        if (hosts[expert].empty())
        {
            return name(expert) + " has no GPU: the first of its list is its home";
        }
        for (const uint32_t gpu : hosts[expert])
        {
            if (gpu >= setting.cluster.gpus)
            {
                return name(expert) + " is on GPU " + std::to_string(gpu) +
                       "; there are GPUs 0 to " + std::to_string(setting.cluster.gpus - 1);
            }
        }
        if (shares.empty())
        {
            continue;
        }
        if (shares[expert].size() != hosts[expert].size())
        {
            return name(expert) + " has " + std::to_string(shares[expert].size()) + " shares for " +
                   std::to_string(hosts[expert].size()) + " replicas";
        }
        const uint32_t most = *std::max_element(shares[expert].begin(), shares[expert].end());
        if (most == 0 || most > kMostShares)
        {
            return name(expert) + " needs shares from 0 to " + std::to_string(kMostShares) +
                   ", one of them above 0";
        }
    }
    return "";
}

std::vector<uint32_t>
ExpertPlacement::ListShares(uint32_t expert) const
{
    if (shares.empty())
    {
        return hosts[expert];
    }
    std::vector<uint32_t> list;
    for (std::size_t i = 0; i < hosts[expert].size(); ++i)
    {
        list.insert(list.end(), shares[expert][i], hosts[expert][i]);
    }
    return list;
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
