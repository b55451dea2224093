// SPDX-License-Identifier: GPL-2.0-only
#include "copy-tally.h"

#include <algorithm>

namespace ns3::rails
{

void
CopyTally::Add(const ExpertSetting& setting,
               const ExpertPlan& plan,
               const std::vector<uint32_t>& gpus)
{
    const auto note = [&](uint32_t expert, uint32_t place, ExpertRole role) {
        const uint32_t gpu = gpus[place];
        const auto found =
            m_copies.try_emplace({expert, gpu}, ExpertCopy{expert, gpu, role, 0}).first;
        found->second.role = std::min(found->second.role, role);
    };
    for (uint32_t expert = 0; expert < plan.placement->hosts.size(); ++expert)
    {
        std::vector<bool> hasHome(setting.GetGroups());
        for (const uint32_t place : plan.placement->hosts[expert])
        {
            const uint32_t group = place / setting.expertParallel;
            note(expert, place, hasHome[group] ? ExpertRole::Replica : ExpertRole::Home);
            hasHome[group] = true;
        }
    }
    for (const ExpertTransfer& transfer : plan.weights)
    {
        note(transfer.expert, transfer.to, ExpertRole::Copy);
    }
    for (const TokenRoute& route : plan.routes)
    {
        m_copies.at({route.expert, gpus[route.host]}).tokens += route.tokens;
    }
}

std::vector<ExpertCopy>
CopyTally::Take()
{
    std::vector<ExpertCopy> copies;
    copies.reserve(m_copies.size());
    for (const auto& [place, copy] : m_copies)
    {
        copies.push_back(copy);
    }
    m_copies.clear();
    return copies;
}

} // namespace ns3::rails
