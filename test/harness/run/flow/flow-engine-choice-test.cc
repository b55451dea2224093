// SPDX-License-Identifier: GPL-2.0-only
#include "../run-experiment-fixtures.h"

#include "ns3/rails-diagnostic.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::string kFlowEngineChoiceCase =
    "topology: {type: rail, domains: 4, gpus_per_domain: 2, leaf_ports: 2, rail_spines: 2}\n"
    "workload: {type: all-to-all, matrix: {type: uniform, bytes_per_pair: 10KB}}\n"
    "transport: {congestion_control: none, loss_recovery: selective-repeat}\n"
    "balance: {type: rails}\n"
    "engine: flow\n";

class FlowEngineChoiceTest : public RunTest
{
  protected:
    /// Expects one complaint that names a key and says `reason`, and none with frames.
    static void ExpectRefused(const Sets& sets, const std::string& key, const std::string& reason)
    {
        SCOPED_TRACE(sets.front());
        const std::string errors = FindErrors(kFlowEngineChoiceCase, sets);
        EXPECT_NE(errors.find(reason), std::string::npos) << errors;
        EXPECT_NE(errors.find(key), std::string::npos) << errors;
        EXPECT_NE(errors.find("set engine to frames, or"), std::string::npos) << errors;
        Sets frames = sets;
        frames.emplace_back("engine=frames");
        EXPECT_EQ(FindErrors(kFlowEngineChoiceCase, frames), "");
    }
};

} // namespace

TEST_F(FlowEngineChoiceTest, WhatItModelsIsTaken)
{
    EXPECT_EQ(FindErrors(kFlowEngineChoiceCase), "");
    for (const std::string host :
         {"flow", "{type: subflow, count: 3}", "spray", "destination-rotation"})
    {
        EXPECT_EQ(FindErrors(kFlowEngineChoiceCase, {"balance.host=" + host}), "");
    }
    for (const std::string atSwitch : {"ecmp", "random", "round-robin", "ofan"})
    {
        EXPECT_EQ(FindErrors(kFlowEngineChoiceCase, {"balance.switch=" + atSwitch}), "");
    }
}

TEST_F(FlowEngineChoiceTest, CongestionControlIsRefusedUnlessItCountsAsIdeal)
{
    for (const std::string control : {"dcqcn", "hpcc", "swift", "fixed-rate"})
    {
        const std::string set = "transport.congestion_control=" + control;
        ExpectRefused({set}, "transport.congestion_control", "does not model " + control);
        EXPECT_EQ(FindErrors(kFlowEngineChoiceCase, {set, "engine.assume_ideal=true"}), "");
    }
    ExpectRefused({"transport.window=30KB"}, "transport.window", "has no windows");
    ExpectRefused({"switch.pfc=false", "switch.port_buffer=60KB"}, "switch.pfc", "drops nothing");
}

TEST_F(FlowEngineChoiceTest, WhatAnswersToQueuesAndMarksIsRefused)
{
    for (const std::string host :
         {"min-rtt", "plb", "reps", "uec-bitmap", "uec-mixed", "uec-oblivious"})
    {
        ExpectRefused({"balance.host=" + host}, "balance.host", host);
    }
    for (const std::string atSwitch : {"adaptive", "drill", "flowlet", "jsq"})
    {
        ExpectRefused({"balance.switch=" + atSwitch}, "balance.switch", atSwitch);
    }
}

TEST_F(FlowEngineChoiceTest, LossesQueuesAndFramesAreRefused)
{
    ExpectRefused({"topology.link_loss=0.01"}, "topology.link_loss", "loses nothing");
    ExpectRefused({"record.queues=true"}, "record.queues", "has no queues");
    ExpectRefused({"record.queue_means=true"}, "record.queue_means", "has no queues");
    ExpectRefused({"record.pcap=true"}, "record.pcap", "has no frames");
}

TEST_F(FlowEngineChoiceTest, WhatCountsAsIdealIsSaid)
{
    const auto find = [](const Sets& sets) {
        std::string all;
        const Descriptor descriptor = Read(kFlowEngineChoiceCase, sets);
        for (const Diagnostic& warning : descriptor.GetWarnings())
        {
            all += warning.ToString("warning") + "\n";
        }
        return all;
    };
    const std::string said =
        find({"transport.congestion_control=dcqcn", "engine.assume_ideal=true"});
    EXPECT_NE(said.find("engine.assume_ideal"), std::string::npos) << said;
    EXPECT_NE(said.find("dcqcn itself is not modelled"), std::string::npos) << said;
    EXPECT_EQ(find({"engine.assume_ideal=true"}).find("engine.assume_ideal"), std::string::npos);
    EXPECT_NE(find({"transport.ack_class=data"}).find("transport.ack_class"), std::string::npos);
    EXPECT_EQ(find({}).find("transport.ack_class"), std::string::npos);
}

TEST_F(FlowEngineChoiceTest, AKeyThatIsGoneSaysSo)
{
    const std::string errors = FindErrors(kFlowEngineChoiceCase, {"engine.threads=2"});
    EXPECT_NE(errors.find("unknown key 'threads' of flow: there is none any more"),
              std::string::npos)
        << errors;
}

TEST_F(FlowEngineChoiceTest, ATolerancePastATenthIsNoTolerance)
{
    EXPECT_EQ(FindErrors(kFlowEngineChoiceCase, {"engine.tolerance=0.1"}), "");
    EXPECT_NE(FindErrors(kFlowEngineChoiceCase, {"engine.tolerance=0.11"}), "");
    EXPECT_NE(FindErrors(kFlowEngineChoiceCase, {"engine.tolerance=-0.1"}), "");
}

} // namespace ns3::rails
