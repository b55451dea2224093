// SPDX-License-Identifier: GPL-2.0-only
#include "plan-sample.h"

#include "planned-router.h"

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

/// \return seconds that this thread has had of a processor
double
GetProcessorSeconds()
{
    constexpr double nano = 1e-9;
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + nano * static_cast<double>(now.tv_nsec);
}

/// \return a training of one layer in each part of the pipeline, and of one micro-batch
TrainingPlan
Shorten(const TrainingPlan& plan)
{
    TrainingPlan few = plan.MakeMicrobatch();
    few.model.layers = plan.CountParts();
    few.model.denseLayers = 0;
    few.layout = {};
    few.handling.warmUp = std::min(plan.handling.warmUp, 1U);
    return few;
}

/// Adds what the members of a group send in a layer.
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

/// \return messages of a ring through each set of GPUs that hold the same experts
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
SamplePlans(const TrainingPlan& plan, const ExpertGroups& groups)
{
    const ExpertHandling& handling = plan.handling;
    if (handling.IsPlain() || !handling.policy->DescribeOrigin().empty())
    {
        return std::nullopt;
    }
    PlanSample sample;
    try
    {
        const TrainingPlan few = Shorten(plan);
        const double begin = GetProcessorSeconds();
        const PlannedRouter router(few, groups);
        const double seconds = GetProcessorSeconds() - begin;
        double gpus = 0;
        double plans = 0;
        for (uint32_t stage = 0; stage < few.pp; ++stage)
        {
            for (const uint32_t layer : router.GetLayers(stage))
            {
                for (const uint32_t group : groups.GetOfStage(stage))
                {
                    const std::vector<uint32_t>& members = groups.GetTable().GetGroups()[group];
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
        return std::nullopt; // a run says why
    }
    return sample;
}

} // namespace ns3::rails
