// SPDX-License-Identifier: GPL-2.0-only
#include "phase-workload.h"

#include "ns3/component-documentation.h"
#include "ns3/component-list.h"
#include "ns3/even-parts.h"
#include "ns3/exchange-scheme.h"
#include "ns3/gpu-grouping.h"
#include "ns3/matrix-source.h"
#include "ns3/matrix-sum.h"
#include "ns3/pointer.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/workload-phase.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * The all-to-all exchanges of Mixture-of-Experts training: `workload: {type: all-to-all}`. One
 * matrix is drawn, of all GPUs or of groups of them; `dispatch` moves it and `combine` its
 * transpose, with given compute times between them (attention and experts), iteration by iteration.
 * With token deduplication, a token crosses once to each server (GpuPartition) and is forwarded
 * there.
 */
class AllToAllWorkload : public PhaseWorkload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    bool SendsEvenly() const override;
    double EstimateCost(const WorkloadSetting& setting) const override;
    double EstimateOutside(const WorkloadSetting& setting) const override;
    double EstimateConnections(const WorkloadSetting& setting, uint32_t ways) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// \param dispatch the phase of a dispatch \return all phases of all iterations
    WorkloadSchedule LayOut(const ScheduledPhase& dispatch) const;

    /// \return number of phases of an iteration with traffic
    uint64_t CountExchanges() const;

    Ptr<MatrixSource> m_matrix;
    Ptr<GpuGrouping> m_groups;
    std::vector<Ptr<WorkloadPhase>> m_phases;
    uint32_t m_iterations;
    Ptr<ExchangeScheme> m_exchange;
};

namespace
{

std::shared_ptr<const TrafficMatrix>
Share(TrafficMatrix matrix)
{
    return std::make_shared<const TrafficMatrix>(std::move(matrix));
}

/// \return mean bytes of a demand of a matrix
double
FindMeanDemand(const TrafficMatrix& matrix)
{
    std::size_t demands = 0;
    for (uint32_t gpu = 0; gpu < matrix.GetShape().GetGpus(); ++gpu)
    {
        demands += matrix.GetRow(gpu).size();
    }
    return static_cast<double>(matrix.GetTotalBytes()) /
           static_cast<double>(std::max<std::size_t>(1, demands));
}

/// \return matrices with equal parts of all demands
std::vector<std::shared_ptr<const TrafficMatrix>>
Divide(const TrafficMatrix& matrix, uint32_t pieces)
{
    std::vector<TrafficMatrix> divided(pieces, TrafficMatrix(matrix.GetShape()));
    for (uint32_t gpu = 0; gpu < matrix.GetShape().GetGpus(); ++gpu)
    {
        for (const Demand& demand : matrix.GetRow(gpu))
        {
            for (uint32_t piece = 0; piece < pieces; ++piece)
            {
                divided[piece].Add(gpu, demand.destination, GetPart(demand.bytes, pieces, piece));
            }
        }
    }
    std::vector<std::shared_ptr<const TrafficMatrix>> shared;
    shared.reserve(pieces);
    for (TrafficMatrix& part : divided)
    {
        shared.push_back(Share(std::move(part)));
    }
    return shared;
}

/// \return a dispatch in two steps, between servers and inside them; an empty step is left out
ScheduledPhase
MakeDispatch(const TokenCopies& copies, uint64_t piece)
{
    ScheduledPhase dispatch;
    std::vector<const TrafficMatrix*> legs;
    for (const TrafficMatrix* leg : {&copies.toServers, &copies.inServers})
    {
        if (leg->GetTotalBytes() > 0)
        {
            legs.push_back(leg);
        }
    }
    dispatch.lanes =
        legs.size() > 1 ? CountPieces(FindMeanDemand(copies.toServers), piece) : uint32_t{1};
    std::vector<std::vector<std::shared_ptr<const TrafficMatrix>>> pieces; // by leg
    for (const TrafficMatrix* leg : legs)
    {
        pieces.push_back(Divide(*leg, dispatch.lanes));
    }
    for (uint32_t lane = 0; lane < dispatch.lanes; ++lane)
    {
        for (const auto& leg : pieces)
        {
            dispatch.steps.push_back({leg[lane], 0});
        }
    }
    MatrixSum sum(copies.toServers.GetShape());
    sum.Add(copies.toServers);
    sum.Add(copies.inServers);
    dispatch.traffic = Share(sum.Get());
    dispatch.isChained = dispatch.steps.size() > 1;
    if (!dispatch.isChained)
    {
        dispatch.steps.clear();
    }
    return dispatch;
}

/// \return the combine of a dispatch: transposed matrices, with the last step of a lane first
ScheduledPhase
MakeCombine(const ScheduledPhase& dispatch)
{
    ScheduledPhase combine = dispatch;
    combine.traffic = Share(dispatch.traffic->Transpose());
    const auto inLane = static_cast<std::ptrdiff_t>(combine.steps.size() / combine.lanes);
    for (auto first = combine.steps.begin(); first != combine.steps.end(); first += inLane)
    {
        std::reverse(first, first + inLane);
    }
    for (TrafficStep& step : combine.steps)
    {
        step.traffic = Share(step.traffic->Transpose());
    }
    return combine;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(AllToAllWorkload);

TypeId
AllToAllWorkload::GetTypeId()
{
    static TypeId tid =
        SetDocumentation(TypeId("ns3::rails::AllToAllWorkload").SetParent<PhaseWorkload>(),
                         "The exchanges of Mixture-of-Experts training: a matrix of bytes is "
                         "moved (dispatch), and its transpose (combine), with compute times "
                         "between them.")
            .SetGroupName("Rails")
            .AddConstructor<AllToAllWorkload>()
            .AddAttribute("Matrix",
                          "Bytes from every GPU to every other.",
                          PointerValue(),
                          MakePointerAccessor(&AllToAllWorkload::m_matrix),
                          MakePointerChecker<MatrixSource>())
            .AddAttribute("Groups",
                          "Groups of GPUs that exchange within themselves, such as the "
                          "expert-parallel groups of a cluster; without them all GPUs are one "
                          "group.",
                          StringValue("ns3::rails::GpuGrouping"),
                          MakePointerAccessor(&AllToAllWorkload::m_groups),
                          MakePointerChecker<GpuGrouping>())
            .AddAttribute("Exchange",
                          "What is sent of a token that goes to several experts; anything but "
                          "pairs needs a matrix moe.",
                          StringValue("ns3::rails::PairsExchangeScheme"),
                          MakePointerAccessor(&AllToAllWorkload::m_exchange),
                          MakePointerChecker<ExchangeScheme>())
            .AddAttribute(
                "Phases",
                "What an iteration does, in order: dispatch moves the matrix, combine its "
                "transpose, in compute and gap all GPUs wait.",
                StringValue("ns3::rails::DispatchWorkloadPhase"),
                MakeComponentListAccessor(&AllToAllWorkload::m_phases),
                MakeComponentListChecker<WorkloadPhase>("phase"))
            .AddAttribute("Iterations",
                          "How often the phases are gone through.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&AllToAllWorkload::m_iterations),
                          MakeCountRange<uint32_t>(1));
    return tid;
}

void
AllToAllWorkload::DoDispose()
{
    m_matrix = nullptr;
    m_groups = nullptr;
    m_exchange = nullptr;
    m_phases.clear();
    PhaseWorkload::DoDispose();
}

void
AllToAllWorkload::Check(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    CheckCircuits(setting);
    if (CountExchanges() == 0)
    {
        throw ConfigurationError("phases", "expected at least one dispatch or combine");
    }
    constexpr uint64_t kMostPhases = std::numeric_limits<uint16_t>::max();
    if (m_phases.size() * m_iterations > kMostPhases)
    {
        throw ConfigurationError("iterations",
                                 std::to_string(m_iterations) + " iterations of " +
                                     std::to_string(m_phases.size()) + " phases are more than " +
                                     std::to_string(kMostPhases) + " phases");
    }
    CheckNested("phases", [&] {
        TimePs once = 0;
        for (const Ptr<WorkloadPhase>& phase : m_phases)
        {
            once = AddTimes(once, phase->Get().duration);
        }
        MultiplyTime(once, m_iterations);
    });
    if (!m_matrix)
    {
        throw ConfigurationError("matrix", "expected a matrix");
    }
    if (m_exchange->Get().deduplicates && !m_matrix->GetTraits().knowsTokens)
    {
        throw ConfigurationError("exchange",
                                 "deduplicated needs a matrix that says which experts each token "
                                 "goes to: set matrix.type to moe, or exchange to pairs");
    }
    CheckNested("groups", [&] { m_groups->Check(shape); });
    CheckNested("matrix", [&] { m_matrix->Check(m_groups->Divide(shape)); });
}

WorkloadSchedule
AllToAllWorkload::MakeSchedule(const WorkloadSetting& setting)
{
    const ClusterShape& shape = setting.shape;
    const GpuPartition groups = m_groups->Divide(shape);
    ScheduledPhase dispatch;
    const ExchangeChoice exchange = m_exchange->Get();
    if (!exchange.deduplicates)
    {
        dispatch.traffic = Share(m_matrix->Generate(groups));
        return LayOut(dispatch);
    }
    const TokenCopies copies = m_matrix->GenerateCopies(groups);
    dispatch.traffic = Share(copies.pairs);
    const std::optional<CollectiveBytes> asPairs = LayOut(dispatch).CountCollective();
    WorkloadSchedule schedule = LayOut(MakeDispatch(copies, exchange.piece));
    schedule.counted = asPairs;
    return schedule;
}

WorkloadSchedule
AllToAllWorkload::LayOut(const ScheduledPhase& dispatch) const
{
    std::optional<ScheduledPhase> combine; // made at its first use
    WorkloadSchedule schedule{dispatch.traffic->GetShape(), dispatch.traffic, m_iterations, {}};
    for (uint32_t iteration = 0; iteration < m_iterations; ++iteration)
    {
        for (const Ptr<WorkloadPhase>& component : m_phases)
        {
            const Phase phase = component->Get();
            ScheduledPhase scheduled;
            if (phase.kind == PhaseKind::Dispatch)
            {
                scheduled = dispatch;
            }
            else if (phase.kind == PhaseKind::Combine)
            {
                combine = combine ? combine : MakeCombine(dispatch);
                scheduled = *combine;
            }
            scheduled.phase = phase;
            scheduled.iteration = iteration;
            schedule.phases.push_back(scheduled);
        }
    }
    return schedule;
}

double
AllToAllWorkload::EstimateBytes(const WorkloadSetting& setting) const
{
    const ClusterShape& shape = setting.shape;
    const GpuPartition groups = m_groups->Divide(shape);
    const double once = m_exchange->Get().deduplicates ? m_matrix->EstimateCopyBytes(groups)
                                                       : m_matrix->EstimateBytes(groups);
    return once * static_cast<double>(CountExchanges()) * m_iterations;
}

double
AllToAllWorkload::EstimateMessages(const WorkloadSetting& setting) const
{
    const GpuPartition groups = m_groups->Divide(setting.shape);
    const double pairs = m_matrix->EstimatePairs(groups);
    const ExchangeChoice exchange = m_exchange->Get();
    const uint32_t pieces =
        exchange.deduplicates && pairs > 0
            ? CountPieces(m_matrix->EstimateCopyBytes(groups) / pairs, exchange.piece)
            : 1;
    return pairs * pieces * static_cast<double>(CountExchanges()) * m_iterations;
}

// With equal pairs all flows end at once; otherwise each end of a flow changes the rates of others.
double
AllToAllWorkload::EstimateCost(const WorkloadSetting& setting) const
{
    constexpr double crowd = 16; // number of other servers that doubles the cost of each message
    const double others = m_groups->Divide(setting.shape).CountServers(0) - 1.0;
    return EstimateMessages(setting) * (SendsEvenly() ? 1 : 1 + others / crowd);
}

bool
AllToAllWorkload::SendsEvenly() const
{
    return m_matrix->GetTraits().isEven;
}

double
AllToAllWorkload::EstimateOutside(const WorkloadSetting& setting) const
{
    const GpuPartition groups = m_groups->Divide(setting.shape);
    return GetOutsideOfExchange(groups.GetSize(), groups.CountServers(0));
}

double
AllToAllWorkload::EstimateConnections(const WorkloadSetting& setting, uint32_t ways) const
{
    const GpuPartition groups = m_groups->Divide(setting.shape);
    const double servers = groups.CountServers(0); // other groups span about as many servers
    return std::min(Workload::EstimateConnections(setting, ways),
                    groups.GetCount() * servers * (servers - 1) * setting.shape.nicsPerServer *
                        ways);
}

uint64_t
AllToAllWorkload::CountExchanges() const
{
    return static_cast<uint64_t>(
        std::count_if(m_phases.begin(), m_phases.end(), [](const Ptr<WorkloadPhase>& phase) {
            return phase->Get().IsTraffic();
        }));
}

int64_t
AllToAllWorkload::AssignStreams(int64_t stream)
{
    return m_matrix ? m_matrix->AssignStreams(stream) : 0;
}

} // namespace ns3::rails
