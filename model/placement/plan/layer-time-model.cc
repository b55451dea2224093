// SPDX-License-Identifier: GPL-2.0-only
#include "layer-time-model.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Dispatch and combine, forward and backward.
constexpr double kAllToAlls = 4;
/// Time of the backward pass over the forward pass.
constexpr double kBackward = 2;

} // namespace

double
LayerTime::GetExposedParameters() const
{
    return std::max(0.0, parameters - forwardExperts - otherForward);
}

double
LayerTime::GetExposedGradients() const
{
    return std::max(0.0, gradients - backwardExperts - otherBackward);
}

double
LayerTime::GetUnshadowed() const
{
    return kAllToAlls * allToAll + forwardExperts + backwardExperts;
}

double
LayerTime::GetBlocking() const
{
    return GetUnshadowed() + parameters + gradients;
}

double
LayerTime::GetScheduled() const
{
    return GetUnshadowed() + GetExposedParameters() + GetExposedGradients();
}

LayerTimeModel::LayerTimeModel(const LayerRates& rates)
    : m_rates(rates)
{
}

LayerTime
LayerTimeModel::Evaluate(const LayerWork& work) const
{
    const double sent = static_cast<double>(work.shadows) *
                        static_cast<double>(m_rates.devices - work.excluded) / m_rates.devices;
    LayerTime time;
    time.allToAll = static_cast<double>(work.mostReceived) * m_rates.inputBytes / m_rates.bandwidth;
    time.forwardExperts = static_cast<double>(work.mostComputed) / m_rates.inputsPerSecond;
    time.backwardExperts = kBackward * time.forwardExperts;
    time.parameters = sent * m_rates.parameterBytes / m_rates.bandwidth;
    time.gradients = sent * m_rates.gradientBytes / m_rates.bandwidth;
    time.otherForward = m_rates.otherForward;
    time.otherBackward = m_rates.otherBackward;
    return time;
}

LayerRates
MakeLayerRates(const ExpertSetting& setting, double bandwidth, double flops)
{
    LayerRates rates;
    rates.devices = setting.cluster.gpus;
    rates.bandwidth = bandwidth;
    rates.inputsPerSecond = flops / setting.tokenFlops;
    rates.inputBytes = static_cast<double>(setting.tokenBytes);
    rates.parameterBytes = static_cast<double>(setting.weightBytes);
    rates.gradientBytes = static_cast<double>(setting.gradientBytes);
    rates.otherForward = setting.otherForward;
    rates.otherBackward = setting.otherBackward;
    return rates;
}

LayerWork
FindWork(uint32_t gpus, const ExpertPlan& plan)
{
    std::vector<uint64_t> received(gpus);
    std::vector<uint64_t> computed(gpus);
    for (const TokenRoute& route : plan.routes)
    {
        received[route.host] += route.source == route.host ? 0 : route.tokens;
        computed[route.host] += route.tokens;
    }
    std::set<uint32_t> experts;
    for (const ExpertTransfer& transfer : plan.weights)
    {
        experts.insert(transfer.expert);
    }
    LayerWork work;
    work.mostReceived = *std::max_element(received.begin(), received.end());
    work.mostComputed = *std::max_element(computed.begin(), computed.end());
    work.shadows = static_cast<uint32_t>(experts.size());
    if (work.shadows > 0)
    {
        const auto copies = static_cast<uint32_t>(plan.weights.size());
        work.excluded = gpus - 1 - copies / work.shadows; // the home needs no shadow
    }
    return work;
}

double
FindUniformBandwidth(const ClusterView& cluster)
{
    if (cluster.gpus < 2)
    {
        return std::numeric_limits<double>::infinity();
    }
    const uint32_t together = std::min(cluster.gpus, cluster.gpusPerServer);
    const double inside = together - 1;
    const double across = cluster.gpus - together;
    // Seconds to send a byte to each other GPU.
    const double insideTime = inside > 0 ? inside / cluster.nvlinkRate : 0;
    const double acrossTime =
        across > 0 ? across * together / (cluster.nicsPerServer * cluster.nicRate) : 0;
    return (inside + across) / std::max(insideTime, acrossTime);
}

void
CheckModelRates(double flops, double bandwidth)
{
    if (!(flops > 0))
    {
        throw ConfigurationError("flops",
                                 "the cluster does not say what its GPUs compute: give it");
    }
    if (!(bandwidth > 0))
    {
        throw ConfigurationError("bandwidth",
                                 "the cluster does not say how fast its links are: give it");
    }
}

} // namespace ns3::rails
