// SPDX-License-Identifier: GPL-2.0-only
#include "all-to-all-workload.h"

#include "ns3/component-list.h"
#include "ns3/pointer.h"
#include "ns3/rails-about.h"
#include "ns3/rails-error.h"
#include "ns3/rails-nested-check.h"
#include "ns3/range-checker.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(AllToAllWorkload);

TypeId
AllToAllWorkload::GetTypeId()
{
    static TypeId tid =
        AddAbout(TypeId("ns3::rails::AllToAllWorkload").SetParent<Workload>(),
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
    m_phases.clear();
    Workload::DoDispose();
}

void
AllToAllWorkload::Check(const ClusterShape& shape) const
{
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
    if (!m_matrix)
    {
        throw ConfigurationError("matrix", "expected a matrix");
    }
    CheckNested("groups", [&] { m_groups->Check(shape); });
    CheckNested("matrix", [&] { m_matrix->Check(m_groups->Divide(shape)); });
}

WorkloadSchedule
AllToAllWorkload::MakeSchedule(const ClusterShape& shape)
{
    const auto dispatch =
        std::make_shared<const TrafficMatrix>(m_matrix->Generate(m_groups->Divide(shape)));
    std::shared_ptr<const TrafficMatrix> combine; // made when a phase moves it
    WorkloadSchedule schedule{shape, dispatch, m_iterations, {}};
    for (uint32_t iteration = 0; iteration < m_iterations; ++iteration)
    {
        for (const Ptr<WorkloadPhase>& component : m_phases)
        {
            const Phase phase = component->Get();
            ScheduledPhase scheduled{phase, iteration, nullptr};
            if (phase.kind == PhaseKind::Combine && !combine)
            {
                combine = std::make_shared<const TrafficMatrix>(dispatch->Transpose());
            }
            if (phase.IsTraffic())
            {
                scheduled.traffic = phase.kind == PhaseKind::Dispatch ? dispatch : combine;
            }
            schedule.phases.push_back(scheduled);
        }
    }
    return schedule;
}

double
AllToAllWorkload::EstimateBytes(const ClusterShape& shape) const
{
    return m_matrix->EstimateBytes(m_groups->Divide(shape)) *
           static_cast<double>(CountExchanges()) * m_iterations;
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
