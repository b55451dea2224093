// SPDX-License-Identifier: GPL-2.0-only

// A run of flows says when it is of a kind that frames do otherwise.

#include "../run-experiment-fixtures.h"

#include "ns3/rails-warnings.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::string kShort = "less than a bandwidth-delay product";
const std::string kPauses = "switches would pause from";
const std::string kHeld = "no cable was busy for more than";

} // namespace

class FlowLimitsTest : public RunTest
{
  protected:
    /// \return true when a note of a result has these words
    static bool Notes(const Result& result, const std::string& words)
    {
        return std::any_of(result.notes.begin(), result.notes.end(), [&](const auto& note) {
            return note.find(words) != std::string::npos;
        });
    }

    /// \return the result of a run of flows
    static Result RunFlows(const std::string& text, Sets sets = {})
    {
        sets.insert(sets.end(), {"engine.type=flow", "transport.congestion_control=none"});
        Result result = Run(text, sets);
        EXPECT_EQ(result.status, RunStatus::Done) << result.report;
        return result;
    }

    TemporaryFolder m_folder;
};

TEST_F(FlowLimitsTest, PausesAreForetoldWhereFramesArePaused)
{
    // Seed by seed two messages of 8 MB share an uplink or do not.
    const std::string text =
        "topology: {type: rail, domains: 4, gpus_per_domain: 1, leaf_ports: 2, rail_spines: 2}\n"
        "workload: {type: connections, path: " +
        m_folder.Write("two.csv", "0,2,8000000\n1,3,8000000\n") + "}\nbalance: ecmp\n";
    bool hasPauses = false;
    bool hasNone = false;
    for (uint32_t seed = 1; seed <= 6; ++seed)
    {
        for (const std::string buffer : {"11MB", "20MB"})
        {
            const Sets sets{"seed=" + std::to_string(seed), "switch.buffer=" + buffer};
            Sets ofFrames = sets;
            ofFrames.emplace_back("transport.congestion_control=none");
            const bool isPaused = Run(text, ofFrames).frameCounters->pfcPauses > 0;
            EXPECT_EQ(Notes(RunFlows(text, sets), kPauses), isPaused) << seed << " " << buffer;
            (isPaused ? hasPauses : hasNone) = true;
        }
    }
    EXPECT_TRUE(hasPauses && hasNone);
}

TEST_F(FlowLimitsTest, NoPausesAreForetoldWhereNobodyPauses)
{
    const std::string text =
        "topology: {type: rail, domains: 8, gpus_per_domain: 1, leaf_ports: 4, rail_spines: 4}\n"
        "switch: {buffer: 2MB}\n"
        "workload: {type: permutation, bytes: 8MB}\n"
        "balance: ecmp\n";
    EXPECT_TRUE(Notes(RunFlows(text), kPauses));
    EXPECT_FALSE(
        Notes(RunFlows(text, {"balance.host=spray", "transport.loss_recovery=selective-repeat"}),
              kPauses));
    EXPECT_FALSE(Notes(RunFlows(text, {"switch.pfc=false", "engine.assume_ideal=true"}), kPauses));
    EXPECT_FALSE(Notes(RunFlows(text, {"switch.buffer=1GB"}), kPauses));
}

TEST_F(FlowLimitsTest, MessagesShorterThanABandwidthDelayProductAreNoted)
{
    const std::string text = "topology: {type: rail, domains: 4, gpus_per_domain: 2}\n"
                             "workload: {type: all-to-all, matrix: uniform}\n"
                             "balance: rails\n";
    const auto isNoted = [&](const std::string& bytes, const Sets& more = {}) {
        Sets sets{"workload.matrix.bytes_per_pair=" + bytes};
        sets.insert(sets.end(), more.begin(), more.end());
        return Notes(RunFlows(text, sets), kShort);
    };
    EXPECT_TRUE(isNoted("1KB"));
    EXPECT_FALSE(isNoted("4MB"));
    // Many short ones in a row fill the way as one long one does, but not when each has a queue
    // pair of its own.
    EXPECT_FALSE(isNoted("4MB", {"balance={type: rails, chunk: 16KB}"}));
    EXPECT_TRUE(isNoted("4MB", {"balance={type: rails, chunk: 16KB}", "transport.qp_per=message"}));
}

TEST_F(FlowLimitsTest, PcieThatHoldsNicsBackIsNoted)
{
    const auto isNoted = [](const std::string& intra) {
        const std::string text = "topology: {type: rail, domains: 2, gpus_per_domain: 4, " + intra +
                                 "}\n"
                                 "workload: {type: all-to-all, matrix: uniform}\n"
                                 "balance: rails\n";
        return Notes(RunFlows(text, {"workload.matrix.bytes_per_pair=4MB"}), "PCIe may hold");
    };
    EXPECT_TRUE(isNoted("intra: pcie"));
    EXPECT_FALSE(isNoted("intra: nvswitch"));
    EXPECT_FALSE(isNoted("intra: nvswitch, nvlink_rate: 200Gbps"));
}

TEST_F(FlowLimitsTest, NicsThatReceiversHoldUpAreNoted)
{
    // GPU 0 has a third of each receiver at first; by frames all that it has is in the switch by
    // the time that the others are served.
    const std::string rows = "0,1,18000000\n0,2,18000000\n";
    const std::string others = "3,1,9000000\n4,1,9000000\n3,2,9000000\n4,2,9000000\n";
    const auto describe = [&](const std::string& messages) {
        return "topology: {type: rail, domains: 5, gpus_per_domain: 1, spines: 0}\n"
               "workload: {type: connections, path: " +
               m_folder.Write("held.csv", messages) + "}\nbalance: rail-source\n";
    };
    EXPECT_FALSE(Notes(RunFlows(describe(rows)), kHeld));
    const std::string text = describe(rows + others);
    const Result flows = RunFlows(text);
    const Result frames = Run(text, {"transport.congestion_control=none"});
    EXPECT_NEAR(static_cast<double>(flows.cct) / static_cast<double>(frames.cct), 1.25, 0.02);
    EXPECT_TRUE(Notes(flows, kHeld));
}

TEST_F(FlowLimitsTest, AShiftAboveTheToleranceIsNotedWithWhatMakesItSmaller)
{
    const std::string text =
        "topology: {type: rail, domains: 3, gpus_per_domain: 4, nics_per_domain: 2, spines: 0}\n"
        "workload: {type: all-to-all, matrix: {type: sparse, density: 0.5, mean: 10KB}}\n"
        "balance: round-robin\n";
    const std::string above = "above engine.tolerance (10 %)";
    const Sets sets{"engine.tolerance=0.1", "transport.qp_per=nic-pair"};
    EXPECT_TRUE(Notes(RunFlows(text, sets), "us, whichever is more"));
    EXPECT_FALSE(Notes(RunFlows(text, sets), above));
    Sets failing = sets;
    failing.emplace_back("failures={schedule: [{at: 1us, nic: server0-nic0, rate: 10Gbps}]}");
    const Result result = RunFlows(text, failing);
    EXPECT_GT(result.shift->part, 0.101);
    EXPECT_TRUE(Notes(result, above));
}

TEST_F(FlowLimitsTest, WhatIsTakenAsIdealAndWhoChoosesBySendingIsWarnedOf)
{
    const std::string text = "topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                             "workload: {type: all-to-all, matrix: uniform}\n"
                             "transport: {congestion_control: none}\n"
                             "engine: {type: flow, assume_ideal: true}\n"
                             "balance: rails\n";
    const auto find = [&](const Sets& sets) {
        std::string found;
        const Descriptor descriptor = Read(text, sets);
        for (const Diagnostic& warning : descriptor.GetWarnings())
        {
            found += warning.ToString("warning") + "\n";
        }
        return found;
    };
    EXPECT_EQ(find({}), "");
    EXPECT_NE(find({"transport.congestion_control=dcqcn"}).find("dcqcn itself is not modelled"),
              std::string::npos);
    EXPECT_NE(find({"transport.window=100KB"}).find("transport.window is not modelled"),
              std::string::npos);
    EXPECT_NE(find({"switch.pfc=false"}).find("nothing is lost"), std::string::npos);
    EXPECT_NE(find({"balance=least-outstanding"}).find("from 12 % shorter to 78 % longer"),
              std::string::npos)
        << "as in doc/flow.rst";
    EXPECT_EQ(find({"balance=least-outstanding", "engine=frames"}), "");
    EXPECT_TRUE(Notes(Run(text, {"balance=least-outstanding"}),
                      "warning: balance.type: this scheme looks at what its NICs have left"));
}

} // namespace ns3::rails
