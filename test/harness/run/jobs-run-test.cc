// SPDX-License-Identifier: GPL-2.0-only
#include "../../collective/collective-fixtures.h"
#include "graph-fixtures.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::rails
{

namespace
{

class JobsRunTest : public GraphTest
{
  protected:
    static std::string MakeText(const std::string& workload)
    {
        return "topology: {type: leaf-spine, domains: 8, gpus_per_domain: 2, leaf_ports: 4, "
               "spines: 1}\n"
               "balance: rail-source\n"
               "transport: {congestion_control: none}\n"
               "switch: {buffer: 1GiB}\n"
               "workload: " +
               workload + "\n";
    }

    static std::string MakeJobs(const std::string& jobs)
    {
        return MakeText("{type: jobs, jobs: {" + jobs + "}}");
    }

    static const JobRecord& GetJob(const Result& result, const std::string& name)
    {
        return *std::find_if(result.jobs.begin(), result.jobs.end(), [&](const JobRecord& job) {
            return job.name == name;
        });
    }
};

const std::string kExchange = "{type: all-to-all, matrix: {type: zipf, bytes_per_gpu: 400KB}, "
                              "phases: [dispatch, {compute: 20us}, combine], iterations: 2}";

} // namespace

TEST_F(JobsRunTest, AJobOnAllServersTakesAsLongAsItsWorkloadAlone)
{
    const std::string graph =
        "{type: graph, stages: [{type: compute, time: 5us}, {type: all-reduce, bytes: 100KB}]}";
    const std::string incast = "{type: incast, senders: 5, bytes: 200KB}";
    for (const std::string& workload : {kExchange, graph, incast})
    {
        for (const std::string engine : {"frames", "flow"})
        {
            SCOPED_TRACE(engine + " " + workload);
            const Sets sets{"engine=" + engine};
            const Result alone = Run(MakeText(workload), sets);
            const Result job = RunDone(MakeJobs("all: {workload: " + workload + "}"), sets);
            // Flows round anew when somebody asks for an end.
            EXPECT_NEAR(job.jobs.front().end,
                        workload == graph ? alone.cct : alone.phases.back().end,
                        engine == "frames" ? 0 : 100);
            EXPECT_EQ(job.bytes, alone.bytes);
        }
    }
}

TEST_F(JobsRunTest, APhaseOfAJobIsOverBeforeItsLastAck)
{
    for (const std::string engine : {"frames", "flow"})
    {
        const std::string incast = "{type: incast, senders: 1, bytes: 40KB}";
        const Sets sets{"engine=" + engine};
        const Result alone = Run(MakeText(incast), sets);
        const Result job = RunDone(MakeJobs("a: {workload: " + incast + "}"), sets);
        const TimePs rounding = engine == "frames" ? 0 : 100;
        EXPECT_NEAR(job.cct, alone.cct, rounding) << engine;
        EXPECT_NEAR(job.cctSender, alone.cctSender, rounding) << engine;
    }
}

TEST_F(JobsRunTest, ConnectionsOfAJobBeginAtTheirTimes)
{
    const TemporaryFile file("0,4,1000000,3us\n4,0,1000000,5us\n6,4,500,40us\n");
    const std::string list = "{type: connections, path: " + file.GetPath() + "}";
    for (const std::string engine : {"frames", "flow"})
    {
        const Sets sets{"engine=" + engine};
        const Result alone = Run(MakeText(list), sets);
        const Result job = RunDone(MakeJobs("a: {workload: " + list + "}"), sets);
        EXPECT_EQ(job.jobs.front().end, alone.phases.back().end) << engine;
        EXPECT_GE(job.lowerBoundParts.at("compute"), 40'000'000) << engine;
        EXPECT_EQ(GetKind(job, "a: dispatch").critical, job.cct) << engine;
    }
}

TEST_F(JobsRunTest, ANeighbourCostsWhatSharesCablesWithIt)
{
    const auto run = [](const std::string& engine, const std::string& placement, bool isAlone) {
        const std::string workload = "workload: " + kExchange;
        const std::string first = placement == "strided" ? "first: 1" : "first: 4";
        return RunDone(MakeJobs("one: {" + workload + ", placement: {type: " + placement +
                                ", servers: 4}}, two: {" + workload +
                                ", placement: {type: " + placement + ", servers: 4, " + first +
                                "}, runs: " + (isAlone ? "false" : "true") + "}"),
                       {"engine=" + engine});
    };
    for (const std::string engine : {"frames", "flow"})
    {
        // A leaf has two servers: contiguous jobs share no leaf, and the only spine does not block.
        const TimePs apart = GetJob(run(engine, "contiguous", true), "one").end;
        EXPECT_EQ(GetJob(run(engine, "contiguous", false), "one").end, apart) << engine;
        const TimePs alone = GetJob(run(engine, "strided", true), "one").end;
        EXPECT_GT(GetJob(run(engine, "strided", false), "one").end, alone * 21 / 20) << engine;
    }
}

TEST_F(JobsRunTest, TellsWhatBecameOfEachJob)
{
    const Result result = RunDone(
        MakeJobs("a: {workload: " + kExchange +
                 ", placement: {servers: 2}}, b: {start: 30us, placement: {type: given, servers: "
                 "[7, 3]}, workload: {type: graph, stages: [{type: compute, time: 5us}], "
                 "iterations: 4}}"));
    ASSERT_EQ(result.jobs.size(), 2U);
    EXPECT_EQ(result.jobs[0].iterations, 2U);
    EXPECT_EQ(result.jobs[0].end, result.cct);
    EXPECT_EQ(result.jobs[1].servers, (std::vector<uint32_t>{7, 3}));
    EXPECT_EQ(result.jobs[1].start, 30'000'000);
    EXPECT_EQ(result.jobs[1].end, 50'000'000);
    EXPECT_EQ(GetKind(result, "a: dispatch").bytes, GetKind(result, "a: combine").bytes);
    EXPECT_EQ(2 * GetKind(result, "a: dispatch").bytes, result.bytes);
    EXPECT_FALSE(GetKind(result, "a: dispatch").isCompute);
    EXPECT_TRUE(GetKind(result, "b: start").isCompute);
}

TEST_F(JobsRunTest, EndsDoNotDependOnHowFarServersRunBehind)
{
    const std::string text =
        MakeJobs("a: {workload: " + kExchange +
                 ", placement: {type: strided, servers: 4}}, b: {workload: " + kExchange +
                 ", start: 7us, placement: {type: strided, first: 1}}");
    const Result late = RunDone(text);
    EXPECT_EQ(late.fingerprint, RunDone(text, {"record.punctual=true"}).fingerprint);
    EXPECT_EQ(late.fingerprint, Run(text, {}, "ns3::MapScheduler").fingerprint);
}

TEST_F(JobsRunTest, SaysWhatIsWrongWithAJob)
{
    const auto expect = [](const std::string& jobs, const std::string& message) {
        EXPECT_NE(FindErrors(MakeJobs(jobs)).find(message), std::string::npos)
            << FindErrors(MakeJobs(jobs));
    };
    const std::string ring = "workload: {type: ring}";
    expect("a: {" + ring + ", runs: false}", "expected at least one job that runs");
    expect("'a,b': {" + ring + "}", "without commas");
    expect("a: {" + ring + ", start: 9000000s}", "expected at most 23 days");
    expect("a: {placement: {servers: 2}}", "'workload.jobs.a.workload.type' is missing");
    expect("a: {workload: {type: jobs}}", "go into the same list");
    expect("a: {" + ring + "}, b: {" + ring + "}", "other jobs leave no 1 servers");
    expect("a: {" + ring + ", placement: {servers: 9}}", "other jobs leave no 9 servers");
    expect("a: {workload: {type: incast, senders: 15}, placement: {servers: 2}}",
           "expected at most 2");
    expect("a: {workload: {type: graph, stages: [{type: barrier, delay: 1ns}]}}",
           "servers learn of each other over the network");
}

} // namespace ns3::rails
