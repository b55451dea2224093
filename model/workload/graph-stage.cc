// SPDX-License-Identifier: GPL-2.0-only
#include "graph-stage.h"

#include "ns3/boolean.h"
#include "ns3/collective-options.h"
#include "ns3/component-documentation.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-accessor.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(GraphStage);
NS_OBJECT_ENSURE_REGISTERED(ComputeGraphStage);
NS_OBJECT_ENSURE_REGISTERED(ExchangeGraphStage);
NS_OBJECT_ENSURE_REGISTERED(ReturnGraphStage);
NS_OBJECT_ENSURE_REGISTERED(CollectiveGraphStage);
NS_OBJECT_ENSURE_REGISTERED(AllReduceGraphStage);
NS_OBJECT_ENSURE_REGISTERED(AllGatherGraphStage);
NS_OBJECT_ENSURE_REGISTERED(ReduceScatterGraphStage);
NS_OBJECT_ENSURE_REGISTERED(RootedGraphStage);
NS_OBJECT_ENSURE_REGISTERED(BroadcastGraphStage);
NS_OBJECT_ENSURE_REGISTERED(ReduceGraphStage);
NS_OBJECT_ENSURE_REGISTERED(SendGraphStage);
NS_OBJECT_ENSURE_REGISTERED(BarrierGraphStage);

namespace
{

const Stage*
FindStage(const std::vector<Stage>& stages, const std::string& name)
{
    const auto found = std::find_if(stages.begin(), stages.end(), [&name](const Stage& stage) {
        return stage.name == name;
    });
    return found == stages.end() ? nullptr : &*found;
}

} // namespace

TypeId
GraphStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::GraphStage")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddAttribute("Name",
                          "What its time and its bytes count as in results; by default its type. "
                          "No two stages have the same name.",
                          StringValue(""),
                          MakeStringAccessor(&GraphStage::m_name),
                          MakeStringChecker())
            .AddAttribute("Stream",
                          "Any name: a GPU does the stages of a stream one after the other. By "
                          "default compute for what computes, communication for all else.",
                          StringValue(""),
                          MakeStringAccessor(&GraphStage::m_stream),
                          MakeStringChecker())
            .AddAttribute("After",
                          "Names of earlier stages that a GPU must have ended before it begins "
                          "this one; by default the stage before. [start] stands for none but the "
                          "stage before on its stream.",
                          NameListValue(NameList()),
                          MakeNameListAccessor(&GraphStage::m_after),
                          MakeNameListChecker());
    return tid;
}

const std::vector<std::string>&
GraphStage::GetAfter() const
{
    return m_after.Get();
}

void
GraphStage::Check(const WorkloadSetting&, const std::vector<Stage>&) const
{
}

TimePs
GraphStage::GetTime() const
{
    return 0;
}

const std::string&
GraphStage::GetOriginal() const
{
    static const std::string none;
    return none;
}

double
GraphStage::EstimateBytes(const WorkloadSetting&) const
{
    return 0;
}

double
GraphStage::EstimateMessages(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    return EstimateBytes(setting) > 0 ? double{1} * shape.GetGpus() * CountSteps(setting) : 0;
}

uint64_t
GraphStage::CountSteps(const WorkloadSetting&) const
{
    return 1;
}

int64_t
GraphStage::AssignStreams(int64_t)
{
    return 0;
}

Stage
GraphStage::Begin(GraphNode::Type type) const
{
    Stage stage;
    stage.name = m_name;
    stage.type = type;
    const bool isCompute = type == GraphNode::Type::Compute;
    stage.stream = !m_stream.empty() ? m_stream : isCompute ? "compute" : "communication";
    return stage;
}

TypeId
ComputeGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::ComputeGraphStage").SetParent<GraphStage>(),
                         "Every GPU computes for a time.")
            .SetGroupName("Rails")
            .AddConstructor<ComputeGraphStage>()
            .AddAttribute("Time",
                          "How long it takes.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&ComputeGraphStage::m_time),
                          MakeTimeRange());
    return tid;
}

Stage
ComputeGraphStage::Make(const WorkloadSetting&, const std::vector<Stage>&)
{
    Stage stage = Begin(GraphNode::Type::Compute);
    stage.duration = GetTime();
    return stage;
}

TimePs
ComputeGraphStage::GetTime() const
{
    return m_time.GetPicoSeconds();
}

TypeId
ExchangeGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ExchangeGraphStage").SetParent<GraphStage>(),
            "An all-to-all: every GPU sends what a matrix has in its row. A server plans when "
            "the last of its GPUs has come to it.")
            .SetGroupName("Rails")
            .AddConstructor<ExchangeGraphStage>()
            .AddAttribute("Matrix",
                          "Bytes from every GPU to every other.",
                          PointerValue(),
                          MakePointerAccessor(&ExchangeGraphStage::m_matrix),
                          MakePointerChecker<MatrixSource>())
            .AddAttribute("Groups",
                          "Groups of GPUs that exchange within themselves; without them all GPUs "
                          "are one group.",
                          StringValue("ns3::rails::GpuGrouping"),
                          MakePointerAccessor(&ExchangeGraphStage::m_groups),
                          MakePointerChecker<GpuGrouping>());
    return tid;
}

void
ExchangeGraphStage::DoDispose()
{
    m_matrix = nullptr;
    m_groups = nullptr;
    GraphStage::DoDispose();
}

void
ExchangeGraphStage::Check(const WorkloadSetting& setting, const std::vector<Stage>&) const
{
    const ClusterShape& shape = setting.shape;
    if (!m_matrix)
    {
        throw ConfigurationError("matrix", "expected a matrix");
    }
    CheckNested("groups", [&] { m_groups->Check(shape); });
    CheckNested("matrix", [&] { m_matrix->Check(m_groups->Divide(shape)); });
}

Stage
ExchangeGraphStage::Make(const WorkloadSetting& setting, const std::vector<Stage>&)
{
    const ClusterShape& shape = setting.shape;
    Stage stage = Begin(GraphNode::Type::Transfer);
    stage.isDataDependent = true;
    stage.steps.push_back(
        std::make_shared<const TrafficMatrix>(m_matrix->Generate(m_groups->Divide(shape))));
    return stage;
}

double
ExchangeGraphStage::EstimateBytes(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    return m_matrix->EstimateBytes(m_groups->Divide(shape));
}

double
ExchangeGraphStage::EstimateMessages(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    return m_matrix->EstimatePairs(m_groups->Divide(shape));
}

int64_t
ExchangeGraphStage::AssignStreams(int64_t stream)
{
    return m_matrix ? m_matrix->AssignStreams(stream) : 0;
}

TypeId
ReturnGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ReturnGraphStage").SetParent<GraphStage>(),
            "What an earlier exchange brought goes back to where it came from: the transpose of "
            "its matrix.")
            .SetGroupName("Rails")
            .AddConstructor<ReturnGraphStage>()
            .AddAttribute("Of",
                          "Name of that exchange.",
                          StringValue("exchange"),
                          MakeStringAccessor(&ReturnGraphStage::m_of),
                          MakeStringChecker());
    return tid;
}

void
ReturnGraphStage::Check(const WorkloadSetting&, const std::vector<Stage>& earlier) const
{
    const Stage* original = FindStage(earlier, m_of);
    if (!original || !original->isDataDependent)
    {
        throw ConfigurationError("of", "no exchange before this stage is called '" + m_of + "'");
    }
}

Stage
ReturnGraphStage::Make(const WorkloadSetting&, const std::vector<Stage>& earlier)
{
    Stage stage = Begin(GraphNode::Type::Transfer);
    stage.isDataDependent = true;
    stage.steps.push_back(std::make_shared<const TrafficMatrix>(
        FindStage(earlier, m_of)->steps.front()->Transpose()));
    return stage;
}

const std::string&
ReturnGraphStage::GetOriginal() const
{
    return m_of;
}

TypeId
CollectiveGraphStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::CollectiveGraphStage")
            .SetParent<GraphStage>()
            .SetGroupName("Rails")
            .AddAttribute("Bytes",
                          "The whole buffer of a GPU, as in nccl-tests: what is reduced, or what "
                          "all-gather and broadcast leave everywhere. A message is a part of it.",
                          ByteSizeValue(ByteSize(67'108'864)),
                          MakeByteSizeAccessor(&CollectiveGraphStage::m_bytes),
                          MakeByteRange(1, kLargestPairBytes))
            .AddAttribute("Groups",
                          "Groups of GPUs that do it each for themselves; without them all GPUs "
                          "are one group.",
                          StringValue("ns3::rails::GpuGrouping"),
                          MakePointerAccessor(&CollectiveGraphStage::m_groups),
                          MakePointerChecker<GpuGrouping>())
            .AddAttribute("Algorithm",
                          kAlgorithmHelp,
                          EnumValue(ALGORITHM_RING),
                          MakeWordAccessor(&CollectiveGraphStage::m_algorithm),
                          MakeAlgorithmChecker())
            .AddAttribute("Rings",
                          kRingsHelp,
                          UintegerValue(kAutomaticRings),
                          MakeUintegerAccessor(&CollectiveGraphStage::m_rings),
                          MakeRingsChecker());
    return tid;
}

CollectiveGraphStage::CollectiveGraphStage(CollectiveOperation operation)
    : m_operation(operation)
{
}

void
CollectiveGraphStage::DoDispose()
{
    m_groups = nullptr;
    GraphStage::DoDispose();
}

Collective::Task
CollectiveGraphStage::GetTask() const
{
    return {m_operation, m_bytes.Get()};
}

GpuPartition
CollectiveGraphStage::GetGroups(const ClusterShape& shape) const
{
    return m_groups->Divide(shape);
}

void
CollectiveGraphStage::Check(const WorkloadSetting& setting, const std::vector<Stage>&) const
{
    const ClusterShape& shape = setting.shape;
    CheckNested("groups", [&] { m_groups->Check(shape); });
    const GpuPartition groups = GetGroups(shape);
    const Collective::Task task = GetTask();
    const uint32_t size = groups.GetSize();
    if (size < 2)
    {
        throw ConfigurationError("groups",
                                 "a collective needs at least 2 GPUs in " +
                                     std::string(groups.GetOwner()));
    }
    if (!task.IsRooted() && task.bytes < size)
    {
        throw ConfigurationError("bytes",
                                 "a ring needs at least a byte for each of its " +
                                     std::to_string(size) + " GPUs");
    }
    CheckCollective({groups, setting.rates}, {m_algorithm, m_rings});
    if (task.IsRooted() && (m_algorithm == ALGORITHM_TREE || m_algorithm == ALGORITHM_DIRECT))
    {
        throw ConfigurationError("algorithm",
                                 "broadcast and reduce know ring and hierarchical alone; NCCL has "
                                 "no trees for them either");
    }
    if (task.IsRooted() && m_rings != 1 && m_rings != kAutomaticRings)
    {
        throw ConfigurationError("rings",
                                 "a broadcast or reduce goes down one chain: set rings to 1, or "
                                 "algorithm to hierarchical");
    }
}

/// \return true for one chain through all GPUs of a group. With several servers, automatic chooses
/// two levels, as a chain leaves each server by one NIC.
bool
CollectiveGraphStage::IsChain(const GpuPartition& groups) const
{
    const uint32_t onServer = groups.CountPerServer();
    const bool hasLevels = onServer > 1 && onServer < groups.GetSize();
    return m_algorithm == ALGORITHM_RING || (m_algorithm == ALGORITHM_AUTOMATIC && !hasLevels);
}

std::shared_ptr<const Collective>
CollectiveGraphStage::MakeCollective(const WorkloadSetting& setting) const
{
    const auto groups =
        std::make_shared<const CollectiveGroups>(GetGroups(setting.shape), setting.rates);
    const Collective::Task task = GetTask();
    const CollectiveChoice choice =
        !task.IsRooted()
            ? setting.chooser->Choose(*groups, m_operation, task.bytes, {m_algorithm, m_rings})
        : IsChain(*groups) ? CollectiveChoice{ALGORITHM_RING, 1}
                           : CollectiveChoice{ALGORITHM_HIERARCHICAL, 1};
    return std::make_shared<const Collective>(groups, task, choice);
}

Stage
CollectiveGraphStage::Make(const WorkloadSetting& setting, const std::vector<Stage>&)
{
    Stage stage = Begin(GraphNode::Type::Transfer);
    stage.collective = MakeCollective(setting);
    return stage;
}

double
CollectiveGraphStage::EstimateBytes(const WorkloadSetting& setting) const
{
    const std::shared_ptr<const Collective> collective = MakeCollective(setting);
    return collective->CountBytes() * collective->GetGroups().GetCount();
}

uint64_t
CollectiveGraphStage::CountSteps(const WorkloadSetting& setting) const
{
    return MakeCollective(setting)->GetTraits().steps;
}

TypeId
AllReduceGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::AllReduceGraphStage").SetParent<CollectiveGraphStage>(),
            "An all-reduce on rings: reduce-scatter and then all-gather.")
            .SetGroupName("Rails")
            .AddConstructor<AllReduceGraphStage>();
    return tid;
}

AllReduceGraphStage::AllReduceGraphStage()
    : CollectiveGraphStage(CollectiveOperation::AllReduce)
{
}

TypeId
AllGatherGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::AllGatherGraphStage").SetParent<CollectiveGraphStage>(),
            "An all-gather on rings.")
            .SetGroupName("Rails")
            .AddConstructor<AllGatherGraphStage>();
    return tid;
}

AllGatherGraphStage::AllGatherGraphStage()
    : CollectiveGraphStage(CollectiveOperation::AllGather)
{
}

TypeId
ReduceScatterGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::ReduceScatterGraphStage").SetParent<CollectiveGraphStage>(),
            "A reduce-scatter on rings.")
            .SetGroupName("Rails")
            .AddConstructor<ReduceScatterGraphStage>();
    return tid;
}

ReduceScatterGraphStage::ReduceScatterGraphStage()
    : CollectiveGraphStage(CollectiveOperation::ReduceScatter)
{
}

TypeId
RootedGraphStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::RootedGraphStage")
            .SetParent<CollectiveGraphStage>()
            .SetGroupName("Rails")
            .AddAttribute("Root",
                          "Which GPU of a group has the buffer, or gets it: its number in the "
                          "group, from 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RootedGraphStage::m_root),
                          MakeCountRange<uint32_t>())
            .AddAttribute("Chunks",
                          "Parts of the buffer that follow each other down a chain: a GPU passes "
                          "one on while it gets the next. (NCCL sends 512 KiB at a time in a "
                          "channel: with eight channels 64 MiB are 16 such parts.)",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RootedGraphStage::m_chunks),
                          MakeCountRange<uint32_t>(1, 10'000));
    return tid;
}

RootedGraphStage::RootedGraphStage(CollectiveOperation operation)
    : CollectiveGraphStage(operation)
{
}

Collective::Task
RootedGraphStage::GetTask() const
{
    Collective::Task task = CollectiveGraphStage::GetTask();
    task.root = m_root;
    task.chunks = m_chunks;
    return task;
}

void
RootedGraphStage::Check(const WorkloadSetting& setting, const std::vector<Stage>& earlier) const
{
    const ClusterShape& shape = setting.shape;
    CollectiveGraphStage::Check(setting, earlier);
    const GpuPartition groups = GetGroups(shape);
    if (m_root >= groups.GetSize())
    {
        throw ConfigurationError("root",
                                 std::string(groups.GetOwner()) + " has " +
                                     std::to_string(groups.GetSize()) +
                                     " GPUs, which are counted from 0");
    }
}

TypeId
BroadcastGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::BroadcastGraphStage").SetParent<RootedGraphStage>(),
            "A broadcast: the buffer of one GPU goes down a chain to all of its group.")
            .SetGroupName("Rails")
            .AddConstructor<BroadcastGraphStage>();
    return tid;
}

BroadcastGraphStage::BroadcastGraphStage()
    : RootedGraphStage(CollectiveOperation::Broadcast)
{
}

TypeId
ReduceGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::ReduceGraphStage").SetParent<RootedGraphStage>(),
                         "A reduce: what all GPUs of a group have is added up to one: a broadcast "
                         "backwards.")
            .SetGroupName("Rails")
            .AddConstructor<ReduceGraphStage>();
    return tid;
}

ReduceGraphStage::ReduceGraphStage()
    : RootedGraphStage(CollectiveOperation::Reduce)
{
}

TypeId
SendGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(
            TypeId("ns3::rails::SendGraphStage").SetParent<GraphStage>(),
            "Every GPU sends to one other and gets from one other, as between the stages of "
            "a pipeline.")
            .SetGroupName("Rails")
            .AddConstructor<SendGraphStage>()
            .AddAttribute("Bytes",
                          "What each GPU sends.",
                          ByteSizeValue(ByteSize(67'108'864)),
                          MakeByteSizeAccessor(&SendGraphStage::m_bytes),
                          MakeByteRange(1, kLargestPairBytes))
            .AddAttribute("Distance",
                          "GPU g sends to GPU g + distance.",
                          IntegerValue(1),
                          MakeIntegerAccessor(&SendGraphStage::m_distance),
                          MakeIntegerChecker<int64_t>(-1'000'000'000, 1'000'000'000))
            .AddAttribute("Wraps",
                          "Whether GPUs are counted round; otherwise the last ones send nothing.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SendGraphStage::m_wraps),
                          MakeBooleanChecker());
    return tid;
}

void
SendGraphStage::Check(const WorkloadSetting& setting, const std::vector<Stage>&) const
{
    const ClusterShape& shape = setting.shape;
    const auto gpus = static_cast<int64_t>(shape.GetGpus());
    if (m_distance % gpus == 0 || (!m_wraps && (m_distance >= gpus || m_distance <= -gpus)))
    {
        throw ConfigurationError("distance",
                                 "leads from no GPU of the " + std::to_string(gpus) +
                                     " to another one");
    }
}

Stage
SendGraphStage::Make(const WorkloadSetting& setting, const std::vector<Stage>&)
{
    const ClusterShape& shape = setting.shape;
    const auto gpus = static_cast<int64_t>(shape.GetGpus());
    TrafficMatrix matrix(shape);
    for (int64_t gpu = 0; gpu < gpus; ++gpu)
    {
        const int64_t to = gpu + m_distance;
        if (m_wraps || (to >= 0 && to < gpus))
        {
            matrix.Add(static_cast<uint32_t>(gpu),
                       static_cast<uint32_t>((to % gpus + gpus) % gpus),
                       m_bytes.Get());
        }
    }
    Stage stage = Begin(GraphNode::Type::Transfer);
    stage.steps.push_back(std::make_shared<const TrafficMatrix>(std::move(matrix)));
    return stage;
}

double
SendGraphStage::EstimateBytes(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    const auto gpus = static_cast<int64_t>(shape.GetGpus());
    const int64_t senders = m_wraps ? gpus : gpus - std::min(std::abs(m_distance), gpus);
    return static_cast<double>(m_bytes.Get()) * static_cast<double>(senders);
}

TypeId
BarrierGraphStage::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::BarrierGraphStage").SetParent<GraphStage>(),
                         "No GPU goes on before all have come to it.")
            .SetGroupName("Rails")
            .AddConstructor<BarrierGraphStage>()
            .AddAttribute("Delay",
                          "From the last GPU's coming until all go on. Servers learn of each other "
                          "over the network: not less than the longest propagation of a cable.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&BarrierGraphStage::m_delay),
                          MakeTimeRange());
    return tid;
}

Stage
BarrierGraphStage::Make(const WorkloadSetting&, const std::vector<Stage>&)
{
    Stage stage = Begin(GraphNode::Type::Barrier);
    stage.duration = GetTime();
    return stage;
}

TimePs
BarrierGraphStage::GetTime() const
{
    return m_delay.GetPicoSeconds();
}

} // namespace ns3::rails
