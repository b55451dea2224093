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

uint32_t
ScheduledPhase::CountSteps() const
{
    return collective ? collective->GetTraits().steps : static_cast<uint32_t>(steps.size());
}

std::vector<Demand>
ScheduledPhase::GetSends(uint32_t gpu, uint32_t step) const
{
    return collective ? collective->GetSends(gpu, step) : steps[step].traffic->GetRow(gpu);
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

std::optional<CollectiveBytes>
WorkloadSchedule::CountCollective() const
{
    if (!std::all_of(phases.begin(), phases.end(), [](const ScheduledPhase& scheduled) {
            return scheduled.phase.IsTraffic() && scheduled.traffic;
        }))
    {
        return std::nullopt;
    }
    if (counted)
    {
        return counted;
    }
    const uint32_t gpus = shape.GetGpus();
    std::vector<uint64_t> sent(gpus, 0);
    std::vector<uint64_t> received(gpus, 0);
    bool areEqual = gpus > 1;
    for (const ScheduledPhase& scheduled : phases)
    {
        const TrafficMatrix& traffic = *scheduled.traffic;
        const std::vector<Demand>& first = traffic.GetRow(0);
        for (uint32_t source = 0; source < gpus; ++source)
        {
            areEqual = areEqual && traffic.GetRow(source).size() == gpus - 1;
            for (const Demand& demand : traffic.GetRow(source))
            {
                sent[source] += demand.bytes;
                received[demand.destination] += demand.bytes;
                areEqual = areEqual && demand.bytes == first[0].bytes;
            }
        }
    }
    double busiest = 0;
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        busiest = std::max(busiest, static_cast<double>(std::max(sent[gpu], received[gpu])));
    }
    return CollectiveBytes{areEqual ? busiest * gpus / (gpus - 1) : busiest, busiest};
}

WorkloadSchedule
MakeOneExchange(TrafficMatrix matrix)
{
    const ClusterShape shape = matrix.GetShape();
    const auto traffic = std::make_shared<const TrafficMatrix>(std::move(matrix));
    return {shape, traffic, 1, {{Phase{}, 0, traffic}}};
}

} // namespace ns3::rails
