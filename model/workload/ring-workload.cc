// SPDX-License-Identifier: GPL-2.0-only
#include "ring-workload.h"

#include "ns3/collective-options.h"
#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/matrix-source.h"
#include "ns3/rails-error.h"
#include "ns3/range-checker.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(RingWorkload);

TypeId
RingWorkload::GetTypeId()
{
    // EnumValue is a template in newer releases of ns-3 only.
    using OperationValue = decltype(EnumValue(ALL_REDUCE));
    using AlgorithmValue = decltype(EnumValue(ALGORITHM_RING));

    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::RingWorkload").SetParent<PhaseWorkload>(),
            "A collective of all GPUs, by default on a ring for each NIC of a server: each GPU "
            "sends a part of its buffer to the next, step by step.")
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
                          MakeByteRange(1, kLargestPairBytes))
            .AddAttribute("Algorithm",
                          kAlgorithmHelp,
                          AlgorithmValue(ALGORITHM_RING),
                          MakeAccessorHelper<AlgorithmValue>(&RingWorkload::m_algorithm),
                          MakeAlgorithmChecker())
            .AddAttribute("Rings",
                          kRingsHelp,
                          UintegerValue(kAutomaticRings),
                          MakeUintegerAccessor(&RingWorkload::m_rings),
                          MakeRingsChecker());
    return tid;
}

void
RingWorkload::Check(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
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
    CheckCollective({shape, setting.rates}, {m_algorithm, m_rings});
}

std::shared_ptr<const Collective>
RingWorkload::MakeCollective(const WorkloadSetting& setting) const
{
    const auto groups = std::make_shared<const CollectiveGroups>(setting.shape, setting.rates);
    const auto operation = m_operation == ALL_REDUCE   ? CollectiveOperation::AllReduce
                           : m_operation == ALL_GATHER ? CollectiveOperation::AllGather
                                                       : CollectiveOperation::ReduceScatter;
    const uint64_t bytes = m_bytes.Get();
    return std::make_shared<const Collective>(
        groups,
        Collective::Task{operation, bytes},
        setting.chooser->Choose(*groups, operation, bytes, {m_algorithm, m_rings}));
}

WorkloadSchedule
RingWorkload::MakeSchedule(const WorkloadSetting& setting)
{
    const ClusterShape& shape = setting.shape;
    ScheduledPhase phase;
    phase.isChained = true;
    phase.collective = MakeCollective(setting);
    phase.lanes = phase.collective->GetTraits().lanes;
    phase.traffic = std::make_shared<const TrafficMatrix>(AddUp(shape, {phase.collective}));
    WorkloadSchedule schedule{shape, phase.traffic, 1, {phase}};
    schedule.collectives = {phase.collective->Describe(0)};
    const double gpus = shape.GetGpus();
    const auto size = static_cast<double>(m_bytes.Get());
    const double factor = (m_operation == ALL_REDUCE ? 2 : 1) * (gpus - 1) / gpus; // nccl-tests
    schedule.counted = CollectiveBytes{size, size * factor};
    return schedule;
}

std::string
RingWorkload::WhyUnannounced() const
{
    return "steps of a collective follow each other GPU by GPU";
}

double
RingWorkload::EstimateBytes(const WorkloadSetting& setting) const
{
    return MakeCollective(setting)->CountBytes();
}

double
RingWorkload::EstimateMessages(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    constexpr double ofRing = 0.25;
    return ofRing * shape.GetGpus() * MakeCollective(setting)->GetTraits().steps;
}

double
RingWorkload::EstimateOutside(const WorkloadSetting& setting) const
{
    return GetOutsideOfTree(setting.shape.GetGpus(), setting.shape.servers);
}

} // namespace ns3::rails
