// SPDX-License-Identifier: GPL-2.0-only
#include "graph-stage.h"

#include "ns3/boolean.h"
#include "ns3/integer.h"
#include "ns3/pointer.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/ring-steps.h"
#include "ns3/string.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(GraphStage);
NS_OBJECT_ENSURE_REGISTERED(ComputeGraphStage);
NS_OBJECT_ENSURE_REGISTERED(ExchangeGraphStage);
NS_OBJECT_ENSURE_REGISTERED(ReturnGraphStage);
NS_OBJECT_ENSURE_REGISTERED(RingGraphStage);
NS_OBJECT_ENSURE_REGISTERED(AllReduceGraphStage);
NS_OBJECT_ENSURE_REGISTERED(AllGatherGraphStage);
NS_OBJECT_ENSURE_REGISTERED(ReduceScatterGraphStage);
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

std::string
GraphStage::GetName() const
{
    return m_name;
}

const std::vector<std::string>&
GraphStage::GetAfter() const
{
    return m_after.Get();
}

void
GraphStage::Check(const ClusterShape&, const std::vector<Stage>&) const
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
GraphStage::EstimateBytes(const ClusterShape&) const
{
    return 0;
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
    static TypeId tid = AddAbout(TypeId("ns3::rails::ComputeGraphStage").SetParent<GraphStage>(),
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
ComputeGraphStage::Make(const ClusterShape&, const std::vector<Stage>&)
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
        AddAbout(TypeId("ns3::rails::ExchangeGraphStage").SetParent<GraphStage>(),
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
ExchangeGraphStage::Check(const ClusterShape& shape, const std::vector<Stage>&) const
{
    if (!m_matrix)
    {
        throw ConfigurationError("matrix", "expected a matrix");
    }
    CheckNested("groups", [&] { m_groups->Check(shape); });
    CheckNested("matrix", [&] { m_matrix->Check(m_groups->Divide(shape)); });
}

Stage
ExchangeGraphStage::Make(const ClusterShape& shape, const std::vector<Stage>&)
{
    Stage stage = Begin(GraphNode::Type::Transfer);
    stage.isDrawn = true;
    stage.steps.push_back(
        std::make_shared<const TrafficMatrix>(m_matrix->Generate(m_groups->Divide(shape))));
    return stage;
}

double
ExchangeGraphStage::EstimateBytes(const ClusterShape& shape) const
{
    return m_matrix->EstimateBytes(m_groups->Divide(shape));
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
        AddAbout(
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
ReturnGraphStage::Check(const ClusterShape&, const std::vector<Stage>& earlier) const
{
    const Stage* original = FindStage(earlier, m_of);
    if (!original || !original->isDrawn)
    {
        throw ConfigurationError("of", "no exchange before this stage is called '" + m_of + "'");
    }
}

Stage
ReturnGraphStage::Make(const ClusterShape&, const std::vector<Stage>& earlier)
{
    Stage stage = Begin(GraphNode::Type::Transfer);
    stage.isDrawn = true;
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
RingGraphStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::RingGraphStage")
            .SetParent<GraphStage>()
            .SetGroupName("Rails")
            .AddAttribute("Bytes",
                          "The whole buffer of a GPU, as in nccl-tests: what is reduced, or what "
                          "all-gather leaves everywhere. A message is 1/n of it.",
                          ByteSizeValue(ByteSize(67'108'864)),
                          MakeByteSizeAccessor(&RingGraphStage::m_bytes),
                          MakeByteRange(1, kLargestPairBytes))
            .AddAttribute("Groups",
                          "Groups of GPUs with a ring each; without them all GPUs are one group.",
                          StringValue("ns3::rails::GpuGrouping"),
                          MakePointerAccessor(&RingGraphStage::m_groups),
                          MakePointerChecker<GpuGrouping>());
    return tid;
}

RingGraphStage::RingGraphStage(uint32_t rounds)
    : m_rounds(rounds)
{
}

void
RingGraphStage::DoDispose()
{
    m_groups = nullptr;
    GraphStage::DoDispose();
}

void
RingGraphStage::Check(const ClusterShape& shape, const std::vector<Stage>&) const
{
    CheckNested("groups", [&] { m_groups->Check(shape); });
    const uint32_t size = m_groups->Divide(shape).GetSize();
    if (size < 2 || m_bytes.Get() < size)
    {
        throw ConfigurationError("bytes",
                                 "a ring needs at least two GPUs, and at least a byte for each of "
                                 "its " +
                                     std::to_string(size));
    }
}

Stage
RingGraphStage::Make(const ClusterShape& shape, const std::vector<Stage>&)
{
    Stage stage = Begin(GraphNode::Type::Transfer);
    stage.steps = MakeRingSteps(m_groups->Divide(shape), m_bytes.Get(), m_rounds);
    return stage;
}

double
RingGraphStage::EstimateBytes(const ClusterShape& shape) const
{
    const GpuGroups groups = m_groups->Divide(shape);
    return static_cast<double>(m_bytes.Get()) * groups.GetCount() * m_rounds *
           (groups.GetSize() - 1);
}

TypeId
AllReduceGraphStage::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::AllReduceGraphStage").SetParent<RingGraphStage>(),
                 "An all-reduce on a ring: reduce-scatter and then all-gather.")
            .SetGroupName("Rails")
            .AddConstructor<AllReduceGraphStage>();
    return tid;
}

AllReduceGraphStage::AllReduceGraphStage()
    : RingGraphStage(2)
{
}

TypeId
AllGatherGraphStage::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::AllGatherGraphStage").SetParent<RingGraphStage>(),
                 "An all-gather on a ring.")
            .SetGroupName("Rails")
            .AddConstructor<AllGatherGraphStage>();
    return tid;
}

AllGatherGraphStage::AllGatherGraphStage()
    : RingGraphStage(1)
{
}

TypeId
ReduceScatterGraphStage::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::ReduceScatterGraphStage").SetParent<RingGraphStage>(),
                 "A reduce-scatter on a ring.")
            .SetGroupName("Rails")
            .AddConstructor<ReduceScatterGraphStage>();
    return tid;
}

ReduceScatterGraphStage::ReduceScatterGraphStage()
    : RingGraphStage(1)
{
}

TypeId
SendGraphStage::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::SendGraphStage").SetParent<GraphStage>(),
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
SendGraphStage::Check(const ClusterShape& shape, const std::vector<Stage>&) const
{
    const auto gpus = static_cast<int64_t>(shape.GetGpus());
    if (m_distance % gpus == 0 || (!m_wraps && (m_distance >= gpus || m_distance <= -gpus)))
    {
        throw ConfigurationError("distance",
                                 "leads from no GPU of the " + std::to_string(gpus) +
                                     " to another one");
    }
}

Stage
SendGraphStage::Make(const ClusterShape& shape, const std::vector<Stage>&)
{
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
SendGraphStage::EstimateBytes(const ClusterShape& shape) const
{
    const auto gpus = static_cast<int64_t>(shape.GetGpus());
    const int64_t senders = m_wraps ? gpus : gpus - std::min(std::abs(m_distance), gpus);
    return static_cast<double>(m_bytes.Get()) * static_cast<double>(senders);
}

TypeId
BarrierGraphStage::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::BarrierGraphStage").SetParent<GraphStage>(),
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
BarrierGraphStage::Make(const ClusterShape&, const std::vector<Stage>&)
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
