// SPDX-License-Identifier: GPL-2.0-only
#include "pro-prophet-estimate.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::rails
{

namespace
{

uint64_t
FindLargest(const std::vector<uint64_t>& tokens)
{
    return *std::max_element(tokens.begin(), tokens.end());
}

} // namespace

AlgorithmOneEstimate::AlgorithmOneEstimate(const LayerRates& rates,
                                           const std::vector<ShadowUnit>& units,
                                           uint32_t excluded)
    : m_model(rates),
      m_trial(rates.devices, units),
      m_excluded(excluded)
{
}

void
AlgorithmOneEstimate::Shadow(const ShadowUnit& unit, const std::vector<uint32_t>& excluded)
{
    m_trial.Shadow(unit, excluded);
    m_shadows += static_cast<uint32_t>(unit.experts.size());
}

const std::vector<uint64_t>&
AlgorithmOneEstimate::GetComputed() const
{
    return m_trial.GetComputed();
}

LayerTime
AlgorithmOneEstimate::GetTime() const
{
    return m_model.Evaluate({FindLargest(m_trial.GetReceived()),
                             FindLargest(m_trial.GetComputed()),
                             m_shadows,
                             m_excluded});
}

uint32_t
AlgorithmOneEstimate::Accept(uint32_t, uint32_t shadowed) const
{
    return shadowed;
}

LayerRates
ReleasedEstimate::MakeRates(const ExpertSetting& setting, double bandwidth, double flops)
{
    const double achieved = flops / kNumberBytes;
    LayerRates rates = MakeLayerRates(setting, bandwidth, achieved);
    const double width = setting.hidden;
    rates.otherForward = 4.0 * setting.tokens * width * (setting.sequence + width) / achieved;
    rates.otherBackward = 2 * rates.otherForward;
    return rates;
}

ReleasedEstimate::ReleasedEstimate(const LayerRates& rates,
                                   const std::vector<ShadowUnit>& units,
                                   uint32_t excluded)
    : m_rates(rates),
      m_computed(rates.devices),
      m_sent(rates.devices),
      m_excluded(excluded)
{
    for (const ShadowUnit& unit : units)
    {
        m_computed[unit.home] = unit.load;
        m_sent[unit.home] = static_cast<int64_t>(unit.load);
    }
}

void
ReleasedEstimate::Shadow(const ShadowUnit& unit, const std::vector<uint32_t>&)
{
    m_computed[unit.home] = 0; // tokens of earlier shadows are lost, as in the source
    for (uint32_t gpu = 0; gpu < unit.tokens.size(); ++gpu)
    {
        m_computed[gpu] += unit.tokens[gpu];
        m_sent[gpu] -= static_cast<int64_t>(unit.tokens[gpu]);
    }
    m_sent[unit.home] = static_cast<int64_t>(unit.tokens[unit.home]);
    m_expertsSent = static_cast<uint32_t>(unit.experts.size());
}

const std::vector<uint64_t>&
ReleasedEstimate::GetComputed() const
{
    return m_computed;
}

LayerTime
ReleasedEstimate::GetTime() const
{
    LayerTime time =
        LayerTimeModel(m_rates).Evaluate({0, FindLargest(m_computed), m_expertsSent, m_excluded});
    const double bytes =
        static_cast<double>(*std::max_element(m_sent.begin(), m_sent.end())) * m_rates.inputBytes;
    time.allToAll = bytes / FindAllToAllBandwidth(bytes);
    return time;
}

uint32_t
ReleasedEstimate::Accept(uint32_t best, uint32_t) const
{
    return best + 1;
}

double
ReleasedEstimate::FindAllToAllBandwidth(double bytes)
{
    constexpr double KiB = 1024;
    constexpr double gbps = 1e9 / 8;
    constexpr std::array<std::pair<double, double>, 3> steps{
        {{128 * KiB, 6 * gbps}, {256 * KiB, 16 * gbps}, {1024 * KiB, 42 * gbps}}};
    for (const auto& [most, bandwidth] : steps)
    {
        if (bytes <= most)
        {
            return bandwidth;
        }
    }
    return 100 * gbps;
}

uint32_t
ReleasedEstimate::FindExcluded(const std::vector<ShadowUnit>& units)
{
    return std::all_of(units.begin(), units.end(), [](const ShadowUnit& unit) {
        return std::count(unit.tokens.begin(), unit.tokens.end(), 0U) > 0;
    });
}

} // namespace ns3::rails
