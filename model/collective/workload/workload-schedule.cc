// SPDX-License-Identifier: GPL-2.0-only
#include "workload-schedule.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

std::vector<TrafficStep>
ScheduledPhase::GetSteps() const
{
    return steps.empty() ? std::vector<TrafficStep>{{traffic, 0}} : steps;
}

uint64_t
WorkloadSchedule::GetTotalBytes() const
{
    uint64_t total = 0;
    for (const ScheduledPhase& scheduled : phases)
    {
        total += scheduled.traffic ? scheduled.traffic->GetTotalBytes() : 0;
    }
    return total;
}

uint64_t
WorkloadSchedule::GetBusiestSourceBytes() const
{
    std::vector<uint64_t> sent(shape.GetGpus(), 0);
    for (const ScheduledPhase& scheduled : phases)
    {
        for (uint32_t source = 0; scheduled.traffic && source < sent.size(); ++source)
        {
            for (const Demand& demand : scheduled.traffic->GetRow(source))
            {
                sent[source] += demand.bytes;
            }
        }
    }
    return sent.empty() ? 0 : *std::max_element(sent.begin(), sent.end());
}

uint64_t
WorkloadSchedule::GetAlgorithmBytes() const
{
    return bufferBytes > 0 ? bufferBytes : GetBusiestSourceBytes();
}

WorkloadSchedule
MakeOneExchange(TrafficMatrix matrix)
{
    const ClusterShape shape = matrix.GetShape();
    const auto traffic = std::make_shared<const TrafficMatrix>(std::move(matrix));
    return {shape, traffic, 1, {{Phase{}, 0, traffic}}};
}

} // namespace ns3::rails
