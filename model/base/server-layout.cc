// SPDX-License-Identifier: GPL-2.0-only
#include "server-layout.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rails
{

namespace
{

/// \return for each of `many` items, its partner among `few`, in order and evenly
std::vector<uint32_t>
Deal(uint32_t many, uint32_t few)
{
    std::vector<uint32_t> dealt(many);
    for (uint32_t i = 0; i < many; ++i)
    {
        dealt[i] = static_cast<uint32_t>(uint64_t{i} * few / many);
    }
    return dealt;
}

void
CheckAllNear(const std::vector<std::vector<uint16_t>>& near,
             const std::string& what,
             const std::string& whom)
{
    const auto lonely =
        std::find_if(near.begin(), near.end(), [](const auto& some) { return some.empty(); });
    if (lonely != near.end())
    {
        throw std::invalid_argument("no " + what + " is near " + whom + " " +
                                    std::to_string(lonely - near.begin()));
    }
}

} // namespace

ServerLayout::ServerLayout(uint32_t gpus, uint32_t nics)
    : ServerLayout(gpus, nics, Deal(std::max(gpus, nics), std::min(gpus, nics)))
{
}

ServerLayout::ServerLayout(uint32_t gpus, uint32_t nics, const std::vector<uint32_t>& near)
    : m_nearNics(gpus),
      m_nearGpus(nics)
{
    const bool byGpu = nics <= gpus;
    const std::string unit = byGpu ? "GPU" : "NIC";
    const std::string other = byGpu ? "NIC" : "GPU";
    if (near.size() != std::max(gpus, nics))
    {
        throw std::invalid_argument("expected the " + other + " near each of " +
                                    std::to_string(std::max(gpus, nics)) + " " + unit +
                                    "s; found " + std::to_string(near.size()) + " numbers");
    }
    for (uint32_t i = 0; i < near.size(); ++i)
    {
        if (near[i] >= std::min(gpus, nics))
        {
            throw std::invalid_argument(unit + " " + std::to_string(i) + " is near " + other + " " +
                                        std::to_string(near[i]) + ", but they are 0 to " +
                                        std::to_string(std::min(gpus, nics) - 1));
        }
        const uint32_t gpu = byGpu ? i : near[i];
        const uint32_t nic = byGpu ? near[i] : i;
        m_nearNics[gpu].push_back(static_cast<uint16_t>(nic));
        m_nearGpus[nic].push_back(static_cast<uint16_t>(gpu));
    }
    CheckAllNear(m_nearNics, "NIC", "GPU");
    CheckAllNear(m_nearGpus, "GPU", "NIC");
}

uint32_t
ServerLayout::GetGpus() const
{
    return static_cast<uint32_t>(m_nearNics.size());
}

uint32_t
ServerLayout::GetNics() const
{
    return static_cast<uint32_t>(m_nearGpus.size());
}

const std::vector<uint16_t>&
ServerLayout::GetNearNics(uint32_t gpu) const
{
    return m_nearNics[gpu];
}

const std::vector<uint16_t>&
ServerLayout::GetNearGpus(uint32_t rail) const
{
    return m_nearGpus[rail];
}

uint16_t
ServerLayout::GetNearNic(uint32_t gpu, uint32_t turn) const
{
    const std::vector<uint16_t>& near = m_nearNics[gpu];
    return near[turn % near.size()];
}

void
ServerLayout::SetNicRates(std::vector<uint64_t> ratesBps)
{
    const auto [least, most] = std::minmax_element(ratesBps.begin(), ratesBps.end());
    m_speeds.clear();
    for (std::size_t rail = 0; *least != *most && rail < ratesBps.size(); ++rail)
    {
        m_speeds.push_back(static_cast<double>(ratesBps[rail]) / static_cast<double>(*most));
    }
}

bool
ServerLayout::HasEqualNics() const
{
    return m_speeds.empty();
}

double
ServerLayout::GetSpeed(uint32_t rail) const
{
    return m_speeds.empty() ? 1 : m_speeds[rail];
}

} // namespace ns3::rails
