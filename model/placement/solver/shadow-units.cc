// SPDX-License-Identifier: GPL-2.0-only
#include "shadow-units.h"

#include <algorithm>

namespace ns3::rails
{

std::vector<ShadowUnit>
MakeUnits(const ExpertSetting& setting, const TokenCounts& counts, ShadowGrain grain)
{
    const uint32_t each = grain == ShadowGrain::Gpu ? setting.GetHomes() : 1;
    std::vector<ShadowUnit> units(setting.experts / each);
    for (uint32_t expert = 0; expert < setting.experts; ++expert)
    {
        ShadowUnit& unit = units[expert / each];
        unit.home = setting.GetHome(expert);
        unit.experts.push_back(expert);
        unit.tokens.resize(counts.GetSources());
        for (uint32_t source = 0; source < counts.GetSources(); ++source)
        {
            const uint32_t tokens = counts.Get(source, expert);
            unit.tokens[source] += tokens;
            unit.load += tokens;
        }
    }
    return units;
}

ShadowTrial::ShadowTrial(uint32_t gpus, const std::vector<ShadowUnit>& units)
    : m_computed(gpus),
      m_received(gpus)
{
    for (const ShadowUnit& unit : units)
    {
        m_computed[unit.home] += unit.load;
        m_received[unit.home] += unit.GetRemote();
    }
}

void
ShadowTrial::Shadow(const ShadowUnit& unit, const std::vector<uint32_t>& excluded)
{
    for (uint32_t gpu = 0; gpu < unit.tokens.size(); ++gpu)
    {
        const bool isExcluded = std::find(excluded.begin(), excluded.end(), gpu) != excluded.end();
        if (gpu != unit.home && !isExcluded)
        {
            m_computed[unit.home] -= unit.tokens[gpu];
            m_received[unit.home] -= unit.tokens[gpu];
            m_computed[gpu] += unit.tokens[gpu];
        }
    }
}

std::vector<uint32_t>
FindFewest(const ShadowUnit& unit, uint32_t many)
{
    std::vector<uint32_t> gpus;
    for (uint32_t gpu = 0; gpu < unit.tokens.size(); ++gpu)
    {
        if (gpu != unit.home)
        {
            gpus.push_back(gpu);
        }
    }
    std::stable_sort(gpus.begin(), gpus.end(), [&unit](uint32_t left, uint32_t right) {
        return unit.tokens[left] < unit.tokens[right];
    });
    gpus.resize(std::min<std::size_t>(many, gpus.size()));
    return gpus;
}

} // namespace ns3::rails
