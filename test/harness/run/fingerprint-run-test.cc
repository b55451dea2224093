// SPDX-License-Identifier: GPL-2.0-only
#include "run-experiment-fixtures.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

// Small buffers and thresholds, and lossy cables: pauses, marks and retransmissions all take part.
const std::string kBusy =
    "topology: {type: rail, domains: 6, gpus_per_domain: 2, leaf_ports: 3, rail_spines: 2, "
    "spines: 2, link_loss: 0.001}\n"
    "switch: {buffer: 640KiB, ecn: {kmin: 20KB, kmax: 80KB, pmax: 0.2}}\n"
    "workload: {type: all-to-all, matrix: {type: sparse, density: 0.5, mean: 400KB, intra: true}, "
    "phases: [dispatch, compute: 5us, combine]}\n"
    "balance: {type: rails, chunk: 64KB}\n";

const std::vector<std::string> kSchemes{"ecmp",
                                        "rail-source",
                                        "rail-destination",
                                        "round-robin",
                                        "random",
                                        "least-outstanding",
                                        "rails",
                                        "even-split"};

} // namespace

class FingerprintRunTest : public RunTest
{
  protected:
    static Result RunBusy(const Sets& sets = {},
                          const std::string& scheduler = "ns3::HeapScheduler")
    {
        Result result = Run(kBusy, sets, scheduler);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        return result;
    }
};

TEST_F(FingerprintRunTest, TheCaseHasPausesMarksAndLosses)
{
    const Result result = RunBusy();
    EXPECT_GT(result.frameCounters->pfcPauses, 0U);
    EXPECT_GT(result.frameCounters->ecnMarks, 0U);
    EXPECT_GT(result.frameCounters->cnps, 0U);
    EXPECT_GT(result.frameCounters->linkLosses, 0U);
    EXPECT_GT(result.frameCounters->retransmittedFrames, 0U);
    EXPECT_EQ(result.frameCounters->drops, 0U);
}

class FingerprintSchemeTest : public FingerprintRunTest,
                              public testing::WithParamInterface<std::string>
{
};

TEST_P(FingerprintSchemeTest, DoesNotDependOnTheEventScheduler)
{
    const Sets sets{"balance.type=" + GetParam()};
    const std::string expected = GetFingerprint(RunBusy(sets, "ns3::MapScheduler"));
    for (const std::string scheduler : {"ns3::HeapScheduler",
                                        "ns3::CalendarScheduler",
                                        "ns3::PriorityQueueScheduler",
                                        "ns3::ListScheduler"})
    {
        EXPECT_EQ(GetFingerprint(RunBusy(sets, scheduler)), expected) << scheduler;
    }
}

TEST_P(FingerprintSchemeTest, DoesNotDependOnHowFarNodesRunBehind)
{
    for (const std::string host : {"flow", "destination-rotation"})
    {
        const Sets sets{"balance={type: " + GetParam() + ", host: " + host + "}"};
        Sets punctual = sets;
        punctual.push_back("record.punctual=true");
        EXPECT_EQ(GetFingerprint(RunBusy(punctual)), GetFingerprint(RunBusy(sets))) << host;
    }
}

/// Two runs in which nodes that lag behind were once looked at without being brought up to date.
class FingerprintLagTest : public FingerprintRunTest
{
  protected:
    static void ExpectTheSamePunctual(const std::string& text)
    {
        const Result result = Run(text);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        EXPECT_EQ(GetFingerprint(Run(text, {"record.punctual=true"})), GetFingerprint(result));
        EXPECT_EQ(GetFingerprint(Run(text, {"watchdog.deadlock_after=777ns"})),
                  GetFingerprint(result));
    }
};

TEST_F(FingerprintLagTest, RepliesOfADestinationRotationTakeTheWaysOfTheirOwnEnd)
{
    ExpectTheSamePunctual(
        "seed: 112\n"
        "topology: {type: fat-tree, k: 4, domains: 2, gpus_per_domain: 2, nic_rate: 200Gbps, "
        "nvlink_rate: 900Gbps}\n"
        "switch: {buffer: 1MB}\n"
        "transport: {mtu: 1024B, congestion_control: {type: dcqcn, preset: paper}, loss_recovery: "
        "{type: ideal, timeout: 1ms}, qp_per: message, ack_class: data}\n"
        "workload: {type: ring, bytes: 256KiB}\n"
        "balance: {type: even-split, host: destination-rotation}\n");
}

TEST_F(FingerprintLagTest, ARailIsChosenByWhatItsNicHasToSendInThatInstant)
{
    // Server 0 posts at times of its own while much comes in.
    const TemporaryFolder folder;
    const std::string path = folder.Write("posts.csv",
                                          "1,5,146981,0ns\n4,0,400000,0ns\n5,1,400000,0ns\n"
                                          "6,2,400000,0ns\n7,3,400000,0ns\n0,4,173006,2777ns\n"
                                          "1,5,173276,4077ns\n3,5,110796,6854ns\n"
                                          "3,4,66785,7354ns\n0,6,58129,7854ns\n"
                                          "3,7,161918,9154ns\n3,5,145818,11931ns\n");
    ExpectTheSamePunctual("topology: {type: rail, domains: 2, gpus_per_domain: 4}\n"
                          "transport: {congestion_control: none}\n"
                          "workload: {type: connections, path: " +
                          path +
                          "}\n"
                          "balance: {type: least-outstanding, chunk: 16KB}\n");
}

TEST_F(FingerprintLagTest, ANodeThatCatchesUpDoesNotKnowOfAFailureToCome)
{
    // A time-out just before server 1 is cut off for good.
    const TemporaryFolder folder;
    const std::string path = folder.Write("cut.csv", "0,1,3000\n2,0,2000000\n");
    ExpectTheSamePunctual("topology: {type: rail, domains: 3, gpus_per_domain: 1}\n"
                          "transport: {congestion_control: none, loss_recovery: {type: go-back-n, "
                          "timeout: 10650ns}}\n"
                          "workload: {type: connections, path: " +
                          path +
                          "}\n"
                          "balance: rail-source\n"
                          "failures: {in_flight: lost, schedule: [{at: 1500ns, nic: server1-nic0, "
                          "state: down}]}\n");
}

INSTANTIATE_TEST_SUITE_P(Schemes,
                         FingerprintSchemeTest,
                         testing::ValuesIn(kSchemes),
                         [](const auto& info) {
                             std::string name = info.param;
                             name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                             return name;
                         });

TEST_F(FingerprintRunTest, IsTheSameForEveryRunInAProcess)
{
    const std::string first = GetFingerprint(RunBusy());
    RunBusy({"balance.type=random", "transport.loss_recovery=selective-repeat", "seed=9"});
    EXPECT_EQ(GetFingerprint(RunBusy()), first);
}

TEST_F(FingerprintRunTest, DoesNotDependOnWhatIsRecorded)
{
    const std::string expected = GetFingerprint(RunBusy());
    EXPECT_EQ(GetFingerprint(RunBusy({"record.queues=false", "record.links=false"})), expected);
    EXPECT_EQ(GetFingerprint(RunBusy({"watchdog.storm_after=2us", "watchdog.deadlock_after=3us"})),
              expected);
    uint64_t reports = 0;
    const Result watched =
        RunExperiment(Read(kBusy).MakeExperiment(0), [&](const RunProgress&) { ++reports; });
    EXPECT_EQ(GetFingerprint(watched), expected);
    EXPECT_GT(reports, 1U);
    EXPECT_EQ(watched.events, RunBusy().events) << "what reports take follows the real world";
}

TEST_F(FingerprintRunTest, IsAnotherForEverySeed)
{
    std::set<std::string> fingerprints;
    std::set<std::string> hashes;
    for (const std::string seed : {"1", "2", "3"})
    {
        const Result result = RunBusy({"seed=" + seed});
        fingerprints.insert(GetFingerprint(result));
        hashes.insert(result.matrixHash);
    }
    EXPECT_EQ(fingerprints.size(), 3U);
    EXPECT_EQ(hashes.size(), 3U);
}

TEST_F(FingerprintRunTest, LossesAloneMakeItAnother)
{
    // A matrix without chance in it: the seeds still reach cables, marking and ECMP.
    const Sets uniform{"workload.matrix.type=uniform", "workload.matrix.bytes_per_pair=100KB"};
    Sets other = uniform;
    other.push_back("seed=2");
    const Result first = RunBusy(uniform);
    const Result second = RunBusy(other);
    EXPECT_EQ(first.matrixHash, second.matrixHash);
    EXPECT_NE(GetFingerprint(first), GetFingerprint(second));
}

TEST_F(FingerprintRunTest, TheMatrixDoesNotDependOnTheScheme)
{
    for (const std::string matrix : {"sparse", "zipf", "moe"})
    {
        std::set<std::string> hashes;
        std::set<std::string> fingerprints;
        for (const std::string& scheme : kSchemes)
        {
            Sets sets{"balance.type=" + scheme, "workload.matrix.type=" + matrix};
            if (matrix == "zipf")
            {
                sets.push_back("workload.matrix.bytes_per_gpu=1MB");
            }
            else if (matrix == "moe")
            {
                sets.push_back("workload.matrix.tokens_per_gpu=64");
                sets.push_back("workload.matrix.experts=12");
            }
            else
            {
                sets.push_back("workload.matrix.mean=200KB");
            }
            const Result result = RunBusy(sets);
            hashes.insert(result.matrixHash);
            fingerprints.insert(GetFingerprint(result));
        }
        EXPECT_EQ(hashes.size(), 1U) << matrix;
        EXPECT_EQ(fingerprints.size(), kSchemes.size()) << matrix << ": schemes of equal effect";
    }
}

} // namespace ns3::rails
