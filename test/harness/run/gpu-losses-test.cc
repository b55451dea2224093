// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/sanitized.h"
#include "run-experiment-fixtures.h"

#include "ns3/rails-quantity.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

class GpuLossesTest : public RunTest
{
  protected:
    static std::string MakeText(const std::string& workload)
    {
        return "topology: {type: leaf-spine, domains: 6, gpus_per_domain: 2, leaf_ports: 6, "
               "spines: 1}\n"
               "balance: rail-source\n"
               "transport: {congestion_control: none}\n"
               "workload: " +
               workload + "\n";
    }

    /// \return a descriptor in which things fail
    static std::string With(const std::string& text, const std::string& schedule)
    {
        return text + "failures: {schedule: [" + schedule + "]}\n";
    }

    static std::string JoinNotes(const Result& result)
    {
        std::string text;
        for (const std::string& note : result.notes)
        {
            text += note + "\n";
        }
        return text;
    }

    static void ExpectHas(const std::string& text, const std::string& part)
    {
        EXPECT_NE(text.find(part), std::string::npos) << "expected " << part << " in " << text;
    }

    static inline const std::string kCollective =
        MakeText("{type: all-to-all, matrix: {type: uniform, bytes_per_pair: 100KB}, "
                 "phases: [dispatch, combine], iterations: 3}");
    static inline const std::string kGraph =
        MakeText("{type: graph, iterations: 4, stages: [{type: compute, time: 10us}, "
                 "{type: all-reduce, bytes: 100KB}]}");
    static inline const std::string kJobs =
        MakeText("{type: jobs, jobs: {"
                 "short: {workload: {type: incast, senders: 1, bytes: 100KB}, "
                 "placement: {type: given, servers: [0, 1]}}, "
                 "long: {workload: {type: graph, iterations: 2, stages: [{type: compute, "
                 "time: 50us}]}, placement: {type: given, servers: [3, 5]}}}}");

    /// \return the instant 1 us after the third phase began, of six
    static TimePs FindMiddle(const Result& whole)
    {
        EXPECT_EQ(whole.phases.size(), 6U);
        return whole.phases[2].start + 1'000'000;
    }

    static std::string Fail(TimePs at, const std::string& what)
    {
        return "{at: " + std::to_string(at) + "ps, " + what + ", state: down}";
    }
};

/// The engine.
class GpuLossesEngineTest : public GpuLossesTest, public testing::WithParamInterface<std::string>
{
  protected:
    const Sets m_sets{"engine=" + GetParam()};
};

TEST_P(GpuLossesEngineTest, ACollectiveEndsInTheInstantAndSaysWhatWasComplete)
{
    const Result whole = Run(kCollective, m_sets);
    ASSERT_EQ(whole.status, RunStatus::Done);
    const TimePs at = FindMiddle(whole);
    const Result lost = Run(With(kCollective, Fail(at, "gpu: 5")), m_sets);
    EXPECT_EQ(lost.status, RunStatus::NotFinished);
    EXPECT_EQ(lost.simulated, at);
    EXPECT_EQ(lost.report.find("GPU 5 of server 2 failed at " + FormatTime(at) +
                               " (failures.schedule.0), which ended the run;"),
              0U)
        << lost.report;
    ExpectHas(lost.report,
              "1 of 3 iterations were complete; 2 of 6 phases were complete, dispatch");
    // Of 120 messages of 100 KB in each phase.
    ExpectHas(lost.report, "240 of 360 (66.7 %) of the messages made so far were complete");
    ExpectHas(lost.report, "with 24000000 of 72000000 (33.3 %) B");
    EXPECT_EQ(lost.report.find("stuck"), std::string::npos);
    ASSERT_EQ(lost.failures.size(), 1U);
    EXPECT_EQ(lost.failures.front().what, "gpu 5");
    EXPECT_EQ(lost.failures.front().state, "down");
    EXPECT_EQ(lost.failures.front().at, at);
}

TEST_P(GpuLossesEngineTest, WhatHappensUpToThereIsAsWithoutIt)
{
    const Result whole = Run(kCollective, m_sets);
    const TimePs at = FindMiddle(whole);
    const Result lost = Run(With(kCollective, Fail(at, "server: 3")), m_sets);
    EXPECT_EQ(lost.report.find("server 3 failed at "), 0U) << lost.report;
    ASSERT_EQ(lost.messageRecords.size(), 360U);
    for (const MessageRecord& message : lost.messageRecords)
    {
        const TimePs end = whole.messageRecords[message.id].end;
        EXPECT_EQ(message.end, end <= at ? end : kNever) << message.id;
    }
}

TEST_P(GpuLossesEngineTest, TooLateItChangesNothing)
{
    for (const std::string& text : {kCollective, kGraph, kJobs})
    {
        const Result whole = Run(text, m_sets);
        const Result late = Run(With(text, "{at: 1s, gpu: 5, state: down}"), m_sets);
        EXPECT_EQ(late.status, RunStatus::Done) << late.report;
        EXPECT_EQ(late.fingerprint, whole.fingerprint);
        EXPECT_EQ(late.cctSender, whole.cctSender);
        EXPECT_EQ(late.lowerBound, whole.lowerBound);
        EXPECT_TRUE(late.failures.empty());
        EXPECT_TRUE(late.convergences.empty());
        ExpectHas(JoinNotes(late), "GPU 5 of server 2 did not fail: the run was over before 1s");
    }
}

TEST_P(GpuLossesEngineTest, AGraphSaysHowFarItsIterationsHadCome)
{
    const Result whole = Run(kGraph, m_sets);
    const TimePs iteration = whole.graph->end / 4;
    const std::string at = std::to_string(2 * iteration + 5'000'000) + "ps";
    const Result lost = Run(With(kGraph, "{at: " + at + ", gpu: 0, state: down}"), m_sets);
    EXPECT_EQ(lost.status, RunStatus::NotFinished);
    EXPECT_FALSE(lost.graph.has_value());
    // Of 12 GPUs with 2 nodes in each of 4 iterations.
    ExpectHas(lost.report, "2 of 4 iterations were complete; 48 of 96 (50.0 %) operations");
    const Result first = Run(With(kGraph, "{at: 0s, gpu: 0, state: down}"), m_sets);
    EXPECT_EQ(first.status, RunStatus::NotFinished);
    ExpectHas(first.report, "0 of 4 iterations were complete; 0 of 96 (0.0 %) operations");
}

TEST_P(GpuLossesEngineTest, OfSeveralJobsThatOfTheGpuIsNamedAndAllAreDescribed)
{
    const Result lost = Run(With(kJobs, "{at: 60us, server: 3, state: down}"), m_sets);
    EXPECT_EQ(lost.status, RunStatus::NotFinished);
    ExpectHas(lost.report,
              "server 3 failed at 60us (failures.schedule.0), which ended the run with job long");
    ExpectHas(lost.report, "job short: 12 of 12");
    // The first of two nodes of each of 4 GPUs.
    ExpectHas(lost.report, "job long: 1 of 2 iterations were complete; 4 of 8 (50.0 %) operations");
}

TEST_P(GpuLossesEngineTest, AGpuWithoutWorkEndsNothing)
{
    const Result whole = Run(kJobs, m_sets);
    // One of no job, and one of a job that is done.
    const Result lost =
        Run(With(kJobs, "{at: 60us, gpu: 4, state: down}, {at: 60us, server: 0, state: down}"),
            m_sets);
    EXPECT_EQ(lost.status, RunStatus::Done) << lost.report;
    EXPECT_EQ(lost.fingerprint, whole.fingerprint);
    EXPECT_EQ(lost.failures.size(), 2U);
    ExpectHas(JoinNotes(lost), "GPU 4 of server 2 failed at 60us without an effect");
    ExpectHas(JoinNotes(lost), "server 0 failed at 60us without an effect");
}

TEST_P(GpuLossesEngineTest, ATrainingCountsItsIterations)
{
    RAILS_LONG_CASE();
    const std::string training = "topology: {type: rail, domains: 8, gpus_per_domain: 8}\n"
                                 "balance: rail-source\n"
                                 "transport: {congestion_control: none}\n" +
                                 kSmallTraining + "  layers: 2\n  iterations: 2\n";
    const Result whole = Run(training, {"engine=flow"});
    ASSERT_EQ(whole.status, RunStatus::Done) << whole.report;
    const std::string at = std::to_string(whole.graph->end * 3 / 4) + "ps";
    const Result lost =
        Run(With(training, "{at: " + at + ", gpu: 63, state: down}"), {"engine=flow"});
    EXPECT_EQ(lost.status, RunStatus::NotFinished);
    ExpectHas(lost.report, "GPU 63 of server 7 failed at ");
    ExpectHas(lost.report, "1 of 2 iterations were complete; ");
}

INSTANTIATE_TEST_SUITE_P(Engines, GpuLossesEngineTest, testing::Values("frames", "flow"));

TEST_F(GpuLossesTest, TheFirstThatFailsEndsTheRunAndCablesFailBefore)
{
    const Result lost = Run(With(kCollective,
                                 "{at: 40us, gpu: 1, state: down}, "
                                 "{at: 30us, gpu: 2, state: down}, "
                                 "{at: 30us, server: 0, state: down}, "
                                 "{at: 30us, nic: server3-nic0, state: down}"));
    EXPECT_EQ(lost.report.find("GPU 2 of server 1 failed at 30us (failures.schedule.1)"), 0U)
        << lost.report;
    std::vector<std::string> failed;
    for (const FailureRecord& failure : lost.failures)
    {
        failed.push_back(failure.what);
    }
    EXPECT_EQ(failed, (std::vector<std::string>{"nic server3-nic0", "gpu 2", "server 0"}));
    ExpectHas(JoinNotes(lost), "GPU 1 of server 0 did not fail: the run was over before 40us");
}

TEST_F(GpuLossesTest, WhatIsLeftDoesNotDependOnHowFarNodesRunBehind)
{
    const std::string text = With(kGraph, "{at: 23456ns, gpu: 2, state: down}");
    const Result usual = Run(text);
    const Result punctual = Run(text, {"record.punctual=true"});
    const Result list = Run(text, {}, "ns3::ListScheduler");
    EXPECT_EQ(usual.report, punctual.report);
    EXPECT_EQ(usual.fingerprint, punctual.fingerprint);
    EXPECT_EQ(usual.report, list.report);
    EXPECT_EQ(usual.fingerprint, list.fingerprint);
}

} // namespace ns3::rails
