// SPDX-License-Identifier: GPL-2.0-only
#include "../run-experiment-fixtures.h"

#include "ns3/cluster-topology.h"
#include "ns3/collective-estimate.h"
#include "ns3/experiment-settings.h"
#include "ns3/rails-workload.h"
#include "ns3/workload-setting.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory>
#include <ostream>
#include <string>

namespace ns3::rails
{

namespace
{

/// Where a collective is done, and what.
struct ChoicePoint
{
    std::string topology;
    std::string operation;
    std::string bytes;
};

void
PrintTo(const ChoicePoint& point, std::ostream* out)
{
    *out << point.topology << ", " << point.operation << " of " << point.bytes;
}

class CollectiveChoiceTest : public RunTest, public testing::WithParamInterface<ChoicePoint>
{
  protected:
    static std::string Describe(const std::string& keys)
    {
        const ChoicePoint& point = GetParam();
        const bool hasType = point.topology.rfind("type: ", 0) == 0;
        return "topology: {" + std::string(hasType ? "" : "type: rail, ") + point.topology +
               "}\n"
               "transport: {congestion_control: none}\n"
               "engine: flow\n"
               "balance: rail-source\n"
               "workload: {type: ring, operation: " +
               point.operation + ", bytes: " + point.bytes + keys + "}\n";
    }

    static Result RunPoint(const std::string& keys)
    {
        const Result result = Run(Describe(keys));
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        return result;
    }

    static double Time(const std::string& algorithm)
    {
        return static_cast<double>(RunPoint(", algorithm: " + algorithm).cct);
    }
};

/// The estimate of trees beside a run of them.
class TreeEstimateTest : public CollectiveChoiceTest
{
  protected:
    /// \param ofOthers see EstimateCollective()
    /// \return seconds
    static double Estimate(double ofOthers = std::numeric_limits<double>::infinity())
    {
        const Experiment experiment = Read(Describe(", algorithm: tree")).MakeExperiment(0);
        const std::shared_ptr<Wiring> wiring = experiment.Get<Topology>("topology")->Lay();
        const WorkloadSetting setting = MakeWorkloadSetting(*experiment.Get<Workload>("workload"),
                                                            *wiring,
                                                            MakeRunSettings(experiment));
        const CollectiveGroups groups(setting.shape, setting.rates);
        const std::map<std::string, CollectiveOperation> operations{
            {"all-reduce", CollectiveOperation::AllReduce},
            {"all-gather", CollectiveOperation::AllGather},
            {"reduce-scatter", CollectiveOperation::ReduceScatter}};
        const CollectiveOperation operation = operations.at(GetParam().operation);
        const uint64_t bytes = std::stoull(GetParam().bytes) << 20;
        const CollectiveChoice trees =
            ChooseCollective(groups, operation, bytes, {ALGORITHM_TREE, kAutomaticRings});
        return EstimateCollective(groups, operation, bytes, trees, ofOthers);
    }
};

class NicRingTest : public CollectiveChoiceTest
{
};

class CollectiveNoteTest : public RunTest
{
  protected:
    /// \return notes of an all-reduce, one behind the other. \param workload further keys of it
    static std::string GetNotes(const std::string& topology,
                                const std::string& workload,
                                const std::string& more = "")
    {
        return GetNotesOf(topology, "{type: ring, " + workload + "}\n" + more);
    }

    /// \return the same of any workload
    static std::string GetNotesOf(const std::string& topology, const std::string& workload)
    {
        const Result result = Run("topology: {type: rail, " + topology +
                                  "}\n"
                                  "transport: {congestion_control: none}\n"
                                  "engine: flow\n"
                                  "balance: rail-source\n"
                                  "workload: " +
                                  workload);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        std::string all;
        for (const std::string& note : result.notes)
        {
            all += note + "\n";
        }
        return all;
    }

    static bool Has(const std::string& text, const std::string& part)
    {
        return text.find(part) != std::string::npos;
    }
};

} // namespace

TEST_F(CollectiveNoteTest, SaysWhatOfNcclIsNotModelled)
{
    const std::string small = GetNotes("servers: 2", "bytes: 8KiB");
    EXPECT_TRUE(Has(small, "LL128")) << small;
    EXPECT_TRUE(Has(small, "NVLS")) << small;
    const std::string large = GetNotes("servers: 2", "bytes: 64MiB");
    EXPECT_FALSE(Has(large, "LL128")) << large;
    EXPECT_TRUE(Has(large, "NVLS")) << large;
    EXPECT_TRUE(Has(large, "collective: ring, rings: 8")) << large;
}

TEST_F(CollectiveNoteTest, SaysWhatNcclDoesWithADeadNic)
{
    const std::string failures =
        "failures: {convergence: 0s, schedule: [{at: 0s, nic: server1-nic2, state: down}]}\n";
    const std::string dead = GetNotes("servers: 4", "bytes: 64MiB", failures);
    EXPECT_TRUE(Has(dead, "NCCL opens no ring on a NIC that is down")) << dead;
    EXPECT_FALSE(Has(GetNotes("servers: 4", "bytes: 64MiB"), "down")) << "nothing failed";
}

TEST_F(CollectiveNoteTest, SaysNothingOfNicsThatAreNotUsed)
{
    const std::string notes = GetNotes("server: dgx-h100, servers: 1", "bytes: 64MiB, rings: 8");
    EXPECT_FALSE(Has(notes, "NIC")) << notes;
}

TEST_F(CollectiveNoteTest, SaysWhereAGroupHasFewNicsOnAServer)
{
    const auto getNotes = [](const std::string& size) {
        return GetNotesOf("servers: 8, gpus_per_server: 5",
                          "{type: graph, stages: [{type: all-reduce, bytes: 8MiB, algorithm: "
                          "automatic, groups: {size: " +
                              size + "}}]}\n");
    };
    EXPECT_TRUE(Has(getNotes("8"), "fewer NICs")) << "5 and 3 of a server, 2, 5 and 1";
    EXPECT_FALSE(Has(getNotes("10"), "fewer NICs"));
}

TEST_P(CollectiveChoiceTest, AutomaticIsAtMostATwentiethSlowerThanTheFastest)
{
    const double fastest = std::min({Time("ring"), Time("tree"), Time("hierarchical")});
    EXPECT_LE(Time("automatic"), 1.05 * fastest);
}

INSTANTIATE_TEST_SUITE_P(
    Points,
    CollectiveChoiceTest,
    testing::Values(
        ChoicePoint{"servers: 2, gpus_per_server: 8", "all-reduce", "8KiB"},
        ChoicePoint{"servers: 2, gpus_per_server: 8", "all-reduce", "4MiB"},
        ChoicePoint{"servers: 2, gpus_per_server: 8", "all-reduce", "256MiB"},
        ChoicePoint{"servers: 2, gpus_per_server: 8", "all-gather", "512KiB"},
        ChoicePoint{"servers: 4, gpus_per_server: 8, nics_per_server: 2", "all-reduce", "512KiB"},
        ChoicePoint{"servers: 4, gpus_per_server: 8, nics_per_server: 2", "all-reduce", "64MiB"},
        ChoicePoint{"servers: 4, gpus_per_server: 4, nics_per_server: 2", "reduce-scatter", "8KiB"},
        ChoicePoint{"servers: 4, server: dgx-h100", "all-reduce", "1MiB"},
        ChoicePoint{"servers: 4, server: dgx-h100", "all-gather", "16MiB"},
        ChoicePoint{"servers: 16, gpus_per_server: 2", "all-reduce", "1MiB"},
        ChoicePoint{"servers: 32, gpus_per_server: 1", "all-reduce", "64KiB"},
        ChoicePoint{"servers: 8, gpus_per_server: 2, leaf_ports: 2, rail_spines: 1",
                    "all-reduce",
                    "16MiB"},
        ChoicePoint{"servers: 1, gpus_per_server: 8", "all-reduce", "1MiB"},
        // Hashes of queue pairs collide.
        ChoicePoint{"type: leaf-spine, servers: 4, gpus_per_server: 8, leaf_ports: 8, spines: 8",
                    "all-reduce",
                    "4MiB"},
        ChoicePoint{"type: leaf-spine, servers: 4, gpus_per_server: 8, leaf_ports: 16, spines: 16",
                    "all-gather",
                    "4MiB"},
        ChoicePoint{"type: leaf-spine, servers: 4, gpus_per_server: 8, leaf_ports: 8, spines: 8",
                    "all-gather",
                    "64MiB"},
        ChoicePoint{"type: leaf-spine, servers: 8, gpus_per_server: 8, nics_per_server: 4, "
                    "leaf_ports: 16, spines: 8",
                    "all-reduce",
                    "4MiB"}));

TEST_P(TreeEstimateTest, IsWhatARunTakes)
{
    const double time = Time("tree") * 1e-12;
    const double estimate = Estimate();
    EXPECT_NEAR(estimate / time, 1, 0.02);
    // What is not faster than others is followed until then.
    EXPECT_EQ(Estimate(1.01 * estimate), estimate);
    EXPECT_GE(Estimate(0.9 * estimate), 0.9 * estimate);
}

INSTANTIATE_TEST_SUITE_P(
    Points,
    TreeEstimateTest,
    testing::Values(
        // Messages that leave by a NIC at the same time share it.
        ChoicePoint{"servers: 3, gpus_per_server: 1", "all-reduce", "16MiB"},
        // Lanes of a leaf, which waits for nobody, take turns.
        ChoicePoint{"servers: 12, gpus_per_server: 2, nics_per_server: 1", "all-reduce", "4MiB"},
        // Chunks of 256 KiB: a smaller part of their time is latency.
        ChoicePoint{"servers: 4, gpus_per_server: 1", "all-gather", "256MiB"},
        // Links of the fabric are shared as well.
        ChoicePoint{"type: leaf-spine, servers: 6, gpus_per_server: 8, nics_per_server: 4, "
                    "leaf_ports: 8, spines: 8",
                    "all-gather",
                    "8MiB"},
        // GPUs of a server send to each other for all channels.
        ChoicePoint{"servers: 4, gpus_per_server: 8, nvlink_rate: 900Gbps",
                    "all-reduce",
                    "16MiB"}));

// NCCL has a ring for each NIC, which comes and goes by GPUs near it: by default all NICs of a
// server are busy all the time, or the NVLink ports of the GPUs near none of the exits.
TEST_P(NicRingTest, ByDefaultNicsOrNvlinkAreBusyAllTheTime)
{
    const Result result = RunPoint("");
    EXPECT_LE(static_cast<double>(result.cct), 1.03 * static_cast<double>(result.lowerBound));
}

INSTANTIATE_TEST_SUITE_P(
    Points,
    NicRingTest,
    testing::Values(
        ChoicePoint{"servers: 2, gpus_per_server: 8, nics_per_server: 2, nic_rate: 200Gbps, "
                    "nvlink_rate: 400Gbps",
                    "all-gather",
                    "64MB"},
        ChoicePoint{"servers: 2, gpus_per_server: 8, nics_per_server: 4, nic_rate: 400Gbps, "
                    "nvlink_rate: 1320Gbps",
                    "all-gather",
                    "1GB"},
        ChoicePoint{"servers: 2, gpus_per_server: 4, nics_per_server: 8", "all-gather", "64MB"},
        ChoicePoint{"servers: 4, gpus_per_server: 8", "all-reduce", "64MB"}));

} // namespace ns3::rails
