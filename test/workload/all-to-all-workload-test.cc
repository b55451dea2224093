// SPDX-License-Identifier: GPL-2.0-only
#include "../collective/collective-fixtures.h"

#include "ns3/matrix-sum.h"
#include "ns3/phase-workload.h"
#include "ns3/pointer.h"
#include "ns3/rails-units.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::rails;

namespace
{

const ClusterShape kAllToAllWorkloadShape{2, 2};

Ptr<PhaseWorkload>
MakeWorkload(std::vector<Phase> phases, uint32_t iterations = 1)
{
    return Make<PhaseWorkload>("AllToAllWorkload",
                               "Matrix",
                               PointerValue(Make<MatrixSource>("ZipfMatrixSource")),
                               "Phases",
                               MakePhases(phases),
                               "Iterations",
                               UintegerValue(iterations));
}

TEST(AllToAllWorkload, LaysOutPhasesIterationByIteration)
{
    Ptr<PhaseWorkload> workload =
        MakeWorkload({{PhaseKind::Dispatch, 0}, {PhaseKind::Compute, 5}, {PhaseKind::Combine, 0}},
                     2);
    EXPECT_EQ(workload->AssignStreams(10), 1);
    const WorkloadSchedule schedule =
        workload->MakeSchedule(WorkloadSetting(kAllToAllWorkloadShape));
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
    Ptr<PhaseWorkload> workload =
        Make<PhaseWorkload>("AllToAllWorkload",
                            "Matrix",
                            PointerValue(source),
                            "Phases",
                            MakePhases({{PhaseKind::Dispatch, 0}, {PhaseKind::Combine, 0}}));
    const WorkloadSchedule schedule =
        workload->MakeSchedule(WorkloadSetting(kAllToAllWorkloadShape));
    EXPECT_EQ(schedule.GetTotalBytes(), 32u);
    // GPU 0 sends 6 and then 10; GPU 2 sends 10 and then 2.
    EXPECT_EQ(schedule.CountCollective().value().bus, 16);
    EXPECT_EQ(schedule.CountCollective().value().algorithm, 16) << "pairs are not equal";
}

TEST(AllToAllWorkload, BandwidthsCountTheBusierEndAndAGpusOwnPartWhereAllPairsAreEqual)
{
    const auto count = [](bool hasIntra, const std::vector<std::vector<uint64_t>>& rows) {
        TrafficMatrix matrix({2, 2});
        for (uint32_t source = 0; source < 4; ++source)
        {
            for (uint32_t destination = 0; destination < 4; ++destination)
            {
                const bool isSent = hasIntra || source / 2 != destination / 2;
                matrix.Add(source, destination, isSent ? rows[source][destination] : 0);
            }
        }
        return MakeOneExchange(std::move(matrix)).CountCollective().value();
    };
    const std::vector<std::vector<uint64_t>> equal(4, {9, 9, 9, 9});
    EXPECT_EQ(count(true, equal).bus, 27);
    EXPECT_EQ(count(true, equal).algorithm, 36);
    EXPECT_EQ(count(false, equal).bus, 18);
    EXPECT_EQ(count(false, equal).algorithm, 18);
    const CollectiveBytes incast =
        count(true, {{0, 0, 0, 0}, {9, 0, 0, 0}, {9, 0, 0, 0}, {9, 0, 0, 0}});
    EXPECT_EQ(incast.bus, 27) << "of the receiver";
    EXPECT_EQ(incast.algorithm, 27);
}

TEST(AllToAllWorkload, DispatchesOnceByDefault)
{
    Ptr<PhaseWorkload> workload =
        Make<PhaseWorkload>("AllToAllWorkload",
                            "Matrix",
                            PointerValue(Make<MatrixSource>("UniformMatrixSource")));
    EXPECT_NO_THROW(workload->Check(WorkloadSetting(kAllToAllWorkloadShape)));
    const WorkloadSchedule schedule =
        workload->MakeSchedule(WorkloadSetting(kAllToAllWorkloadShape));
    ASSERT_EQ(schedule.phases.size(), 1u);
    EXPECT_EQ(schedule.phases[0].phase.kind, PhaseKind::Dispatch);
}

const std::vector<Phase> kTokenPhases{{PhaseKind::Dispatch, 0},
                                      {PhaseKind::Compute, 5},
                                      {PhaseKind::Combine, 0}};

Ptr<PhaseWorkload>
MakeTokens(const std::string& exchange,
           uint32_t iterations = 1,
           const std::string& keys = "",
           const std::vector<Phase>& phases = kTokenPhases)
{
    return Make<PhaseWorkload>("AllToAllWorkload",
                               "Matrix",
                               PointerValue(Make<MatrixSource>("MoeMatrixSource",
                                                               "Experts",
                                                               UintegerValue(8),
                                                               "TopK",
                                                               UintegerValue(3),
                                                               "TokensPerGpu",
                                                               UintegerValue(100))),
                               "Phases",
                               MakePhases(phases),
                               "Exchange",
                               StringValue("ns3::rails::" + exchange + "ExchangeScheme" + keys),
                               "Iterations",
                               UintegerValue(iterations));
}

WorkloadSchedule
MakeSchedule(const Ptr<PhaseWorkload>& workload, const ClusterShape& shape)
{
    workload->Check(WorkloadSetting(shape));
    workload->AssignStreams(100);
    return workload->MakeSchedule(WorkloadSetting(shape));
}

TEST(AllToAllWorkload, CopiesGoToServersAndThenInThemAndBackTheOtherWay)
{
    const WorkloadSchedule schedule =
        MakeSchedule(MakeTokens("Deduplicated", 2), kAllToAllWorkloadShape);
    ASSERT_EQ(schedule.phases.size(), 6u);
    for (const uint32_t first : {0, 3})
    {
        const ScheduledPhase& dispatch = schedule.phases[first];
        const ScheduledPhase& combine = schedule.phases[first + 2];
        EXPECT_FALSE(schedule.phases[first + 1].traffic);
        EXPECT_EQ(schedule.phases[first + 1].phase.duration, 5);
        EXPECT_EQ(combine.phase.kind, PhaseKind::Combine);
        EXPECT_EQ(combine.iteration, first / 3);
        EXPECT_EQ(dispatch.traffic, schedule.matrix);
        ASSERT_EQ(dispatch.steps.size(), 2u);
        ASSERT_EQ(combine.steps.size(), 2u);
        EXPECT_TRUE(dispatch.isChained && combine.isChained);
        for (const uint32_t step : {0, 1})
        {
            EXPECT_EQ(combine.steps[1 - step].traffic->GetHash(),
                      dispatch.steps[step].traffic->Transpose().GetHash());
        }
        EXPECT_EQ(combine.traffic->GetHash(), dispatch.traffic->Transpose().GetHash());
        for (uint32_t gpu = 0; gpu < kAllToAllWorkloadShape.GetGpus(); ++gpu)
        {
            for (const Demand& demand : dispatch.traffic->GetRow(gpu))
            {
                const bool isInside = kAllToAllWorkloadShape.GetServer(gpu) ==
                                      kAllToAllWorkloadShape.GetServer(demand.destination);
                EXPECT_EQ(GetBytes(*dispatch.steps[isInside].traffic, gpu, demand.destination),
                          demand.bytes);
                EXPECT_TRUE(isInside || kAllToAllWorkloadShape.GetLocal(gpu) ==
                                            kAllToAllWorkloadShape.GetLocal(demand.destination));
            }
        }
    }
}

TEST(AllToAllWorkload, PiecesOfCopiesAreChainsThatAddUpToThem)
{
    const WorkloadSchedule whole = MakeSchedule(MakeTokens("Deduplicated"), kAllToAllWorkloadShape);
    const WorkloadSchedule pieces =
        MakeSchedule(MakeTokens("Deduplicated", 1, "[Piece=64000]"), kAllToAllWorkloadShape);
    const auto take = [](const ScheduledPhase& phase, uint32_t step) {
        MatrixSum sum(kAllToAllWorkloadShape);
        for (std::size_t at = step; at < phase.steps.size(); at += 2)
        {
            sum.Add(*phase.steps[at].traffic);
        }
        return sum.Get().GetHash();
    };
    for (const uint32_t phase : {0, 2})
    {
        const ScheduledPhase& own = pieces.phases[phase];
        EXPECT_GT(own.lanes, 2u);
        EXPECT_EQ(own.steps.size(), 2 * own.lanes);
        EXPECT_EQ(own.traffic->GetHash(), whole.phases[phase].traffic->GetHash());
        for (const uint32_t step : {0, 1})
        {
            EXPECT_EQ(take(own, step), whole.phases[phase].steps[step].traffic->GetHash());
        }
    }
    const WorkloadSetting setting(kAllToAllWorkloadShape);
    EXPECT_EQ(MakeTokens("Deduplicated", 1, "[Piece=1]")->EstimateMessages(setting),
              16 * MakeTokens("Deduplicated")->EstimateMessages(setting));
    // Few tokens are not divided, and messages are no more than 16 times as many.
    EXPECT_EQ(
        MakeSchedule(MakeTokens("Deduplicated", 1, "[Piece=1000000000]"), kAllToAllWorkloadShape)
            .phases[0]
            .lanes,
        1u);
    EXPECT_EQ(MakeSchedule(MakeTokens("Deduplicated", 1, "[Piece=1]"), kAllToAllWorkloadShape)
                  .phases[0]
                  .lanes,
              16u);
}

TEST(AllToAllWorkload, BandwidthsOfCopiesReferToThePairs)
{
    const std::vector<Phase> phases{{PhaseKind::Dispatch, 0}, {PhaseKind::Combine, 0}};
    const auto count = [&](const std::string& exchange, bool isAsSent = false) {
        WorkloadSchedule schedule =
            MakeSchedule(MakeTokens(exchange, 2, "", phases), kAllToAllWorkloadShape);
        if (isAsSent)
        {
            schedule.counted.reset();
        }
        return schedule.CountCollective().value().bus;
    };
    EXPECT_EQ(count("Deduplicated"), count("Pairs"));
    EXPECT_NE(count("Deduplicated", true), count("Pairs"));
}

TEST(AllToAllWorkload, NoBandwidthIsDefinedWhereGpusComputeOrWaitInBetween)
{
    for (const PhaseKind kind : {PhaseKind::Compute, PhaseKind::Gap})
    {
        const std::vector<Phase> phases{{PhaseKind::Dispatch, 0}, {kind, 5}};
        for (const char* exchange : {"Pairs", "Deduplicated"})
        {
            EXPECT_FALSE(MakeSchedule(MakeTokens(exchange, 1, "", phases), kAllToAllWorkloadShape)
                             .CountCollective());
        }
    }
}

TEST(AllToAllWorkload, CopiesInOneStepAreAnOrdinaryPhase)
{
    for (const ClusterShape& shape : {ClusterShape{8, 1}, ClusterShape{1, 8}})
    {
        const WorkloadSchedule copies = MakeSchedule(MakeTokens("Deduplicated"), shape);
        const WorkloadSchedule pairs = MakeSchedule(MakeTokens("Pairs"), shape);
        for (uint32_t phase = 0; phase < copies.phases.size(); ++phase)
        {
            EXPECT_TRUE(copies.phases[phase].steps.empty());
            EXPECT_FALSE(copies.phases[phase].isChained);
        }
        // An expert a GPU: no copy serves two.
        EXPECT_EQ(copies.matrix->GetHash(), pairs.matrix->GetHash());
    }
}

TEST(AllToAllWorkload, OnlyMatricesOfTokensHaveCopies)
{
    const TemporaryFile numbers("0,1,2,3\n0,0,0,0\n10,0,0,0\n0,0,0,0\n");
    const TemporaryFile counts("iteration,layer,microbatch,rank,e0,e1,e2,e3\n"
                               "1,0,0,0,1,2,3,4\n1,0,0,1,1,2,3,4\n"
                               "1,0,0,2,1,2,3,4\n1,0,0,3,1,2,3,4\n");
    for (const std::string name : {"Uniform", "Sparse", "Zipf", "File", "Trace"})
    {
        const Ptr<MatrixSource> matrix = Make<MatrixSource>(name + "MatrixSource");
        if (name == "File" || name == "Trace")
        {
            const TemporaryFile& file = name == "File" ? numbers : counts;
            matrix->SetAttribute("Path", StringValue(file.GetPath()));
        }
        const Ptr<PhaseWorkload> workload =
            Make<PhaseWorkload>("AllToAllWorkload", "Matrix", PointerValue(matrix));
        EXPECT_NO_THROW(workload->Check(WorkloadSetting(kAllToAllWorkloadShape))) << name;
        workload->SetAttribute("Exchange", StringValue("ns3::rails::DeduplicatedExchangeScheme"));
        ExpectConfigurationError([&] { workload->Check(WorkloadSetting(kAllToAllWorkloadShape)); },
                                 "exchange",
                                 "exchange to pairs");
    }
}

TEST(AllToAllWorkload, RefusesWhatCannotBe)
{
    const auto check = [](Ptr<PhaseWorkload> workload) {
        return [=] { workload->Check(WorkloadSetting(kAllToAllWorkloadShape)); };
    };
    ExpectConfigurationError(check(Make<PhaseWorkload>("AllToAllWorkload")), "matrix", "expected");
    ExpectConfigurationError(check(MakeWorkload({})), "phases", "at least one dispatch");
    ExpectConfigurationError(check(MakeWorkload({{PhaseKind::Compute, 5}})),
                             "phases",
                             "at least one dispatch");
    ExpectConfigurationError(check(MakeWorkload({{PhaseKind::Dispatch, 0}}, 65'536)),
                             "iterations",
                             "more than 65535 phases");
    EXPECT_NO_THROW(check(MakeWorkload({{PhaseKind::Dispatch, 0}}, 65'535))());
    const std::vector<Phase> pauses{{PhaseKind::Dispatch, 0},
                                    {PhaseKind::Gap, kLongestRun / 4},
                                    {PhaseKind::Compute, kLongestRun / 4}};
    EXPECT_NO_THROW(check(MakeWorkload(pauses, 2))());
    ExpectConfigurationError(check(MakeWorkload(pauses, 3)), "phases", "46 days");
    Ptr<PhaseWorkload> nested = Make<PhaseWorkload>(
        "AllToAllWorkload",
        "Matrix",
        PointerValue(Make<MatrixSource>("MoeMatrixSource", "Experts", UintegerValue(3))));
    ExpectConfigurationError(check(nested), "matrix.experts", "multiple");
}

} // namespace
