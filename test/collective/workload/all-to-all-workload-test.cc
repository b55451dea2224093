// SPDX-License-Identifier: GPL-2.0-only
#include "../collective-fixtures.h"

#include "ns3/pointer.h"
#include "ns3/rails-units.h"
#include "ns3/rails-workload.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kShape{2, 2};

Ptr<Workload>
MakeWorkload(std::vector<Phase> phases, uint32_t iterations = 1)
{
    return Make<Workload>("AllToAllWorkload",
                          "Matrix",
                          PointerValue(Make<MatrixSource>("ZipfMatrixSource")),
                          "Phases",
                          MakePhases(phases),
                          "Iterations",
                          UintegerValue(iterations));
}

TEST(AllToAllWorkload, LaysOutPhasesIterationByIteration)
{
    Ptr<Workload> workload =
        MakeWorkload({{PhaseKind::Dispatch, 0}, {PhaseKind::Compute, 5}, {PhaseKind::Combine, 0}},
                     2);
    EXPECT_EQ(workload->AssignStreams(10), 1);
    const WorkloadSchedule schedule = workload->MakeSchedule(kShape);
    ASSERT_EQ(schedule.phases.size(), 6u);
    EXPECT_EQ(schedule.iterations, 2u);
    for (uint32_t iteration = 0; iteration < 2; ++iteration)
    {
        const ScheduledPhase* phases = &schedule.phases[3 * iteration];
        EXPECT_EQ(phases[0].traffic, schedule.matrix);
        EXPECT_FALSE(phases[1].traffic);
        EXPECT_EQ(phases[1].phase.duration, 5);
        EXPECT_EQ(phases[2].traffic->GetHash(), schedule.matrix->Transpose().GetHash());
        EXPECT_EQ(phases[2].iteration, iteration);
    }
}

TEST(AllToAllWorkload, CountsBytesOverAllPhases)
{
    const TemporaryFile file("0,1,2,3\n0,0,0,0\n10,0,0,0\n0,0,0,0\n");
    Ptr<MatrixSource> source =
        Make<MatrixSource>("FileMatrixSource", "Path", StringValue(file.GetPath()));
    Ptr<Workload> workload =
        Make<Workload>("AllToAllWorkload",
                       "Matrix",
                       PointerValue(source),
                       "Phases",
                       MakePhases({{PhaseKind::Dispatch, 0}, {PhaseKind::Combine, 0}}));
    const WorkloadSchedule schedule = workload->MakeSchedule(kShape);
    EXPECT_EQ(schedule.GetTotalBytes(), 32u);
    // GPU 0 sends 6 and then 10; GPU 2 sends 10 and then 2.
    EXPECT_EQ(schedule.GetBusiestSourceBytes(), 16u);
}

TEST(AllToAllWorkload, DispatchesOnceByDefault)
{
    Ptr<Workload> workload =
        Make<Workload>("AllToAllWorkload",
                       "Matrix",
                       PointerValue(Make<MatrixSource>("UniformMatrixSource")));
    EXPECT_NO_THROW(workload->Check(kShape));
    const WorkloadSchedule schedule = workload->MakeSchedule(kShape);
    ASSERT_EQ(schedule.phases.size(), 1u);
    EXPECT_EQ(schedule.phases[0].phase.kind, PhaseKind::Dispatch);
}

TEST(AllToAllWorkload, RefusesWhatCannotBe)
{
    const auto check = [](Ptr<Workload> workload) { return [=] { workload->Check(kShape); }; };
    ExpectConfigurationError(check(Make<Workload>("AllToAllWorkload")), "matrix", "expected");
    ExpectConfigurationError(check(MakeWorkload({})), "phases", "at least one dispatch");
    ExpectConfigurationError(check(MakeWorkload({{PhaseKind::Compute, 5}})),
                             "phases",
                             "at least one dispatch");
    ExpectConfigurationError(check(MakeWorkload({{PhaseKind::Dispatch, 0}}, 65'536)),
                             "iterations",
                             "more than 65535 phases");
    EXPECT_NO_THROW(check(MakeWorkload({{PhaseKind::Dispatch, 0}}, 65'535))());
    Ptr<Workload> nested = Make<Workload>(
        "AllToAllWorkload",
        "Matrix",
        PointerValue(Make<MatrixSource>("MoeMatrixSource", "Experts", UintegerValue(3))));
    ExpectConfigurationError(check(nested), "matrix.experts", "multiple");
}

} // namespace
