// SPDX-License-Identifier: GPL-2.0-only
#include "plan-sample.h"

#include "planned-dispatch.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return CPU seconds of this thread
double
GetProcessorSeconds()
{
    constexpr double nano = 1e-9;
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + nano * static_cast<double>(now.tv_nsec);
}

/// \return the training with one layer per part of the model, and one micro-batch
TrainingSpec
Shorten(const TrainingSpec& spec)
{
    TrainingSpec few = spec.MakeMicrobatch();
    few.model.layers = spec.CountParts();
    few.model.denseLayers = 0;
    few.layout = {};
    few.handling.warmUp = std::min(spec.handling.warmUp, 1U);
    return few;
}

/// Adds the transfers of a group in a layer.
void
AddCopies(const CopyTraffic& traffic,
          const std::vector<uint32_t>& members,
          uint32_t gpusPerServer,
          PlanSample::Copies& copies)
{
    std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> turns; // by sender and receiver
    for (const CopyHop& hop : traffic.hops)
    {
        const auto bytes = static_cast<double>(hop.bytes);
        const bool isOutside = members[hop.from] / gpusPerServer != members[hop.to] / gpusPerServer;
        turns[{hop.from, hop.to}].insert(hop.turn);
        copies.bytes += bytes;
        copies.outside += isOutside ? bytes : 0;
        copies.share += bytes * traffic.share;
    }
    for (const auto& [pair, ofPair] : turns)
    {
        ++copies.peers;
        copies.turns += static_cast<double>(ofPair.size()) - 1;
    }
}

/// \return messages of one ring pass over each set of GPUs with the same experts
double
CountRingSteps(const std::vector<std::vector<uint32_t>>& hosts)
{
    double messages = 0;
    for (const std::vector<uint32_t>& ring : std::set(hosts.begin(), hosts.end()))
    {
        const auto many = static_cast<double>(ring.size());
        messages += many * (many - 1);
    }
    return messages;
}

void
Divide(double gpus, PlanSample::Copies& copies)
{
    copies.outside /= std::max(1.0, copies.bytes);
    copies.share /= std::max(1.0, copies.bytes);
    copies.peers /= gpus;
    copies.turns /= gpus;
    copies.bytes /= gpus;
}

} // namespace

std::optional<PlanSample>
SamplePlans(const TrainingSpec& spec, const GpuPartition& groups)
{
    const ExpertHandling& handling = spec.handling;
    if (handling.IsPlain() || !handling.policy->DescribeOrigin().empty())
    {
        return std::nullopt;
    }
    PlanSample sample;
    try
    {
        const TrainingSpec few = Shorten(spec);
        const double begin = GetProcessorSeconds();
        const PlannedDispatch router(few, groups);
        const double seconds = GetProcessorSeconds() - begin;
        double gpus = 0;
        double plans = 0;
        for (uint32_t stage = 0; stage < few.pp; ++stage)
        {
            for (const uint32_t layer : router.GetLayers(stage))
            {
                for (uint32_t number = 0; number < few.CountExpertGroups(); ++number)
                {
                    const uint32_t group = stage * few.CountExpertGroups() + number;
                    const std::vector<uint32_t>& members = groups.GetGroups()[group];
                    const auto routing = router.Get(group, {0, layer, 0, 0});
                    AddCopies(routing->weights, members, few.shape.gpusPerServer, sample.weights);
                    AddCopies(routing->gradients,
                              members,
                              few.shape.gpusPerServer,
                              sample.gradients);
                    sample.fetchedAgain += routing->fetchesAgain ? 1 : 0;
                    gpus += static_cast<double>(members.size());
                    ++plans;
                }
                sample.replicas += CountRingSteps(router.GetHosts(stage, 0, layer));
            }
        }
        Divide(gpus, sample.weights);
        Divide(gpus, sample.gradients);
        sample.fetchedAgain /= plans;
        sample.replicas /= gpus;
        sample.seconds = seconds / plans / (1 + few.handling.warmUp);
    }
    catch (const ConfigurationError&)
    {
        return std::nullopt; // a run reports the reason
    }
    return sample;
}

} // namespace ns3::rails
