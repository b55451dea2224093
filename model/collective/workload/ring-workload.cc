// SPDX-License-Identifier: GPL-2.0-only
#include "ring-workload.h"

#include "ring-steps.h"

#include "ns3/enum.h"
#include "ns3/matrix-source.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RingWorkload);

TypeId
RingWorkload::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using OperationValue = decltype(EnumValue(ALL_REDUCE));

    static TypeId tid =
        AddAbout(TypeId("ns3::rails::RingWorkload").SetParent<Workload>(),
                 "A collective on a ring of all GPUs by their numbers: each sends a part "
                 "of its buffer to the next, step by step.")
            .SetGroupName("Rails")
            .AddConstructor<RingWorkload>()
            .AddAttribute("Operation",
                          "What is done; all-reduce is reduce-scatter and then all-gather.",
                          EnumValue(ALL_REDUCE),
                          MakeAccessorHelper<OperationValue>(&RingWorkload::m_operation),
                          MakeEnumChecker(ALL_REDUCE,
                                          "all-reduce",
                                          ALL_GATHER,
                                          "all-gather",
                                          REDUCE_SCATTER,
                                          "reduce-scatter"))
            .AddAttribute("Bytes",
                          "The whole buffer of a GPU, as in nccl-tests: what all-reduce and "
                          "reduce-scatter reduce, what all-gather leaves everywhere. A message is "
                          "1/n of it.",
                          ByteSizeValue(ByteSize(67'108'864)),
                          MakeByteSizeAccessor(&RingWorkload::m_bytes),
                          MakeByteRange(1, kLargestPairBytes));
    return tid;
}

void
RingWorkload::Check(const ClusterShape& shape) const
{
    const uint32_t gpus = shape.GetGpus();
    if (gpus < 2)
    {
        throw ConfigurationError("", "a ring needs at least 2 GPUs in the topology");
    }
    if (m_bytes.Get() < gpus)
    {
        throw ConfigurationError("bytes",
                                 "expected at least a byte for each of the " +
                                     std::to_string(gpus) + " GPUs of the topology");
    }
}

WorkloadSchedule
RingWorkload::MakeSchedule(const ClusterShape& shape)
{
    const uint32_t gpus = shape.GetGpus();
    ScheduledPhase phase;
    phase.isChained = true;
    std::vector<uint64_t> sent(gpus, 0);
    for (const auto& step : MakeRingSteps(shape, m_bytes.Get(), GetRounds()))
    {
        phase.steps.push_back({step, 0});
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            sent[gpu] += step->GetRow(gpu).front().bytes;
        }
    }
    TrafficMatrix all(shape);
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        all.Add(gpu, (gpu + 1) % gpus, sent[gpu]);
    }
    phase.traffic = std::make_shared<const TrafficMatrix>(std::move(all));
    WorkloadSchedule schedule{shape, phase.traffic, 1, {phase}};
    schedule.bufferBytes = m_bytes.Get();
    schedule.busFactor = static_cast<double>(GetSteps(gpus)) / gpus;
    return schedule;
}

double
RingWorkload::EstimateBytes(const ClusterShape& shape) const
{
    // In a step every part of the buffer is on its way once.
    return static_cast<double>(m_bytes.Get()) * GetSteps(shape.GetGpus());
}

uint32_t
RingWorkload::GetRounds() const
{
    return m_operation == ALL_REDUCE ? 2 : 1;
}

uint32_t
RingWorkload::GetSteps(uint32_t gpus) const
{
    return GetRounds() * (gpus - 1);
}

} // namespace ns3::rails
