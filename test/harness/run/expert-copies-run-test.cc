// SPDX-License-Identifier: GPL-2.0-only
#include "graph-fixtures.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Skewed loads on two servers, whose experts policies copy and move.
const std::string kCopies =
    "topology: {type: rail, domains: 2, gpus_per_domain: 4}\n"
    "balance: rails\n"
    "transport: {congestion_control: none}\n"
    "switch: {buffer: 1GiB}\n"
    "workload:\n"
    "  type: training\n"
    "  model: {type: qwen3-235b, hidden: 256, heads: 4, kv_heads: 2, head_width: 16, experts: 16,\n"
    "    expert_ffn: 512, vocabulary: 1000, top_k: 4}\n"
    "  parallel: {ep: 8}\n"
    "  batch: {micro: 1, global: 16, sequence: 256}\n"
    "  load: {type: synthetic, preset: no-aux}\n"
    "  compute: {type: flops, peak: 1e13}\n"
    "  layers: 2\n"
    "  warm_up: 2\n";

constexpr uint64_t kParameters = 3 * 256 * 512; //!< of an expert
constexpr uint64_t kWeightBytes = 2 * kParameters;
constexpr uint64_t kGradientBytes = 4 * kParameters;
constexpr double kPlans = 4; //!< two layers, two micro-batches

/// A policy, and how often weights of its copies travel.
struct CopyingCase
{
    std::string name;
    std::string policy;
    uint64_t fetches;
};

const std::vector<CopyingCase> kPolicies{
    {"Llep", "{type: llep, min_tokens: 16}", 1},
    {"PerfectBalance", "perfect-balance", 1},
    {"RailAware", "{type: rail-aware, worth: 0.01}", 2},
    {"Echo", "echo", 2},
    {"MoonEp", "{type: moon-ep, across_servers: true}", 2},
    {"UltraEp", "{type: ultra-ep, min_tokens: 16}", 2},
    {"FasterMoe", "{type: faster-moe, variant: master}", 1},
    {"ProProphet", "{type: pro-prophet, fused: false, balance_tolerance: 1}", 1}};

class ExpertCopiesRunTest : public GraphTest
{
  protected:
    static Sets With(const std::string& policy, Sets sets = {})
    {
        sets.push_back("workload.experts=" + policy);
        return sets;
    }

    static double GetFigure(const Result& result, const std::string& key)
    {
        for (const auto& [name, value] : result.graphFigures)
        {
            if (name == key)
            {
                return value;
            }
        }
        ADD_FAILURE() << "no " << key;
        return 0;
    }

    static uint64_t CountBytes(const Result& result, const std::string& kind)
    {
        for (const KindRecord& record : result.graph->kinds)
        {
            if (record.name == kind)
            {
                return record.bytes;
            }
        }
        return 0;
    }

    /// \return payload that messages of a kind carry from server to server
    static uint64_t CountAcross(const Result& result, const std::string& kind)
    {
        uint64_t bytes = 0;
        for (const MessageRecord& message : result.messageRecords)
        {
            const bool isAcross = message.rail != kNoRail;
            bytes += isAcross && result.graphKinds[message.kind] == kind ? message.bytes : 0;
        }
        return bytes;
    }

    static uint64_t SumNics(const Result& result)
    {
        uint64_t bytes = 0;
        for (const std::vector<uint64_t>& server : result.nicTxBytes)
        {
            for (const uint64_t nic : server)
            {
                bytes += nic;
            }
        }
        return bytes;
    }
};

class ExpertCopiesPolicyTest : public ExpertCopiesRunTest,
                               public testing::WithParamInterface<CopyingCase>
{
};

/// A NIC's cable, in one direction.
struct NicEnd
{
    bool isSent;
    uint32_t server;
    uint32_t rail;

    bool operator<(const NicEnd& other) const
    {
        return std::tie(isSent, server, rail) < std::tie(other.isSent, other.server, other.rail);
    }
};

} // namespace

// A GPU has two homes in each of two layers, 18 B for a parameter of each. With as much again for a
// replica in each layer, copies that stay take 12 and those that layers share 6.
TEST_F(ExpertCopiesRunTest, ABudgetOfMemorySaysHowManySlotsPoliciesHave)
{
    const auto run = [](const std::string& policy, const std::string& budget) {
        Sets sets = With(policy, {"engine=flow"});
        if (!budget.empty())
        {
            sets.push_back("workload.expert_budget=" + budget);
        }
        return RunDone(kCopies, sets);
    };

    struct Slots
    {
        std::string policy;
        std::string given; //!< the same, with as many slots by its own key
        double perLayer;
        double shared;
    };

    const std::string budget = std::to_string((4 + 2) * 18 * kParameters) + "B";
    for (const Slots& slots : {Slots{"plain-ep", "plain-ep", 0, 0},
                               Slots{"smart-moe", "smart-moe", 0, 0},
                               Slots{"eplb", "{type: eplb, slots: 1}", 1, 0},
                               Slots{"{type: ultra-ep, min_tokens: 16}",
                                     "{type: ultra-ep, min_tokens: 16, slots: 6}",
                                     0,
                                     6},
                               Slots{"{type: llep, min_tokens: 16}", "", 3, 0},
                               Slots{"{type: faster-moe, variant: master}", "", 3, 0}})
    {
        const Result result = run(slots.policy, budget);
        EXPECT_EQ(GetFigure(result, "expert_slots_per_layer"), slots.perLayer) << slots.policy;
        EXPECT_EQ(GetFigure(result, "expert_slots_shared"), slots.shared) << slots.policy;
        const double memory = GetFigure(result, "expert_memory_bytes");
        EXPECT_GE(memory, 4 * 18.0 * kParameters) << slots.policy;
        EXPECT_LE(memory, (4 + 2) * 18.0 * kParameters) << slots.policy;
        if (!slots.given.empty())
        {
            const Result given = run(slots.given, "");
            EXPECT_EQ(given.fingerprint, result.fingerprint) << slots.policy;
            EXPECT_EQ(GetFigure(given, "expert_slots_per_layer"), slots.perLayer) << slots.policy;
            EXPECT_EQ(GetFigure(given, "expert_memory_bytes"), memory) << slots.policy;
        }
    }
    EXPECT_EQ(GetFigure(run("plain-ep", ""), "expert_memory_bytes"), 4 * 18.0 * kParameters);
    for (const std::string policy : {"plain-ep", "micro-moe"})
    {
        EXPECT_NE(
            FindErrors(kCopies, With(policy, {"workload.expert_budget=28MB"})).find("need 28.4 MB"),
            std::string::npos)
            << policy;
    }
    EXPECT_NE(FindErrors(kCopies, With("{type: eplb, slots: 1}", {"workload.expert_budget=1GB"}))
                  .find("leave out slots"),
              std::string::npos);
}

TEST_P(ExpertCopiesPolicyTest, CopiesAreTheirWeightsAndOnceTheirGradients)
{
    for (const std::string engine : {"frames", "flow"})
    {
        const Result result = RunDone(kCopies, With(GetParam().policy, {"engine=" + engine}));
        const double copies = GetFigure(result, "expert_copies") * kPlans;
        EXPECT_GT(copies, 0) << engine;
        const auto many = static_cast<uint64_t>(std::llround(copies));
        EXPECT_EQ(CountBytes(result, "expert-weights"), many * GetParam().fetches * kWeightBytes)
            << engine;
        EXPECT_EQ(CountBytes(result, "expert-gradients"), many * kGradientBytes) << engine;
    }
}

// All that a NIC's cable carries are frames of the messages that it sends, and ACKs of what it
// gets: so copies are on the cables of their messages, and nowhere else.
TEST_P(ExpertCopiesPolicyTest, CablesOfNicsCarryTheirMessagesAndNothingElse)
{
    constexpr uint64_t mtu = 4096;
    constexpr uint64_t header = 62 + 20;
    constexpr uint64_t ack = 64 + 20;
    constexpr uint32_t gpusPerServer = 4;
    for (const std::string engine : {"frames", "flow"})
    {
        const Result result = RunDone(kCopies, With(GetParam().policy, {"engine=" + engine}));
        std::map<NicEnd, uint64_t> expected;
        for (const MessageRecord& message : result.messageRecords)
        {
            if (message.rail == kNoRail)
            {
                continue;
            }
            const uint64_t frames = (message.bytes + mtu - 1) / mtu;
            const uint64_t data = message.bytes + frames * header;
            const uint32_t from = message.source / gpusPerServer;
            const uint32_t to = message.destination / gpusPerServer;
            expected[{true, from, message.rail}] += data;
            expected[{false, to, message.rail}] += data;
            expected[{true, to, message.rail}] += frames * ack;
            expected[{false, from, message.rail}] += frames * ack;
        }
        EXPECT_FALSE(expected.empty());
        for (const PortRecord& port : result.portRecords)
        {
            const bool isSent = port.portClass == "nic_tx";
            const NicEnd end = isSent ? NicEnd{true, port.node, port.port}
                                      : NicEnd{false, port.peer, port.peerPort};
            EXPECT_TRUE(isSent || port.portClass == "leaf_down") << port.portClass;
            EXPECT_EQ(port.bytes, expected[end])
                << engine << ": " << port.portClass << " of server " << end.server << ", rail "
                << end.rail;
        }
    }
}

TEST_P(ExpertCopiesPolicyTest, RunsRepeatWhateverTheSchedulerAndTheServersClocks)
{
    for (const std::string timing : {"published", "blocking"})
    {
        const Sets sets =
            With(GetParam().policy, {"workload.expert_transfers=" + timing, "workload.layers=1"});
        const Result first = RunDone(kCopies, sets);
        EXPECT_EQ(first.fingerprint, RunDone(kCopies, sets).fingerprint) << timing;
        EXPECT_EQ(first.fingerprint, Run(kCopies, sets, "ns3::MapScheduler").fingerprint) << timing;
        Sets punctual = sets;
        punctual.emplace_back("record.punctual=true");
        EXPECT_EQ(first.fingerprint, RunDone(kCopies, punctual).fingerprint) << timing;
        Sets flow = sets;
        flow.emplace_back("engine=flow");
        const Result flows = RunDone(kCopies, flow);
        EXPECT_EQ(flows.fingerprint, Run(kCopies, flow, "ns3::ListScheduler").fingerprint)
            << timing;
    }
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         ExpertCopiesPolicyTest,
                         testing::ValuesIn(kPolicies),
                         [](const testing::TestParamInfo<CopyingCase>& tested) {
                             return tested.param.name;
                         });

TEST_F(ExpertCopiesRunTest, CopiesInsideServersLeaveNicsToTokensAndTheirCounts)
{
    for (const std::string engine : {"frames", "flow"})
    {
        const Sets sets{"engine=" + engine};
        const Result plain = RunDone(kCopies, sets);
        const Result ultra = RunDone(kCopies, With("{type: ultra-ep, min_tokens: 16}", sets));
        EXPECT_GT(CountBytes(ultra, "expert-weights"), 0U);
        EXPECT_EQ(CountAcross(ultra, "expert-weights"), 0U) << engine;
        EXPECT_EQ(CountAcross(ultra, "expert-gradients"), 0U) << engine;
        for (const std::string kind :
             {"dispatch", "combine", "combine-backward", "dispatch-backward", "data"})
        {
            EXPECT_EQ(CountAcross(ultra, kind), CountAcross(plain, kind)) << engine << ' ' << kind;
        }
        // Each GPU tells its counts of 16 experts to the four in the other server.
        constexpr uint64_t counts = 8 * 4 * 16 * 8 * static_cast<uint64_t>(kPlans);
        EXPECT_EQ(CountAcross(ultra, "expert-counts"), counts);
        EXPECT_EQ(SumNics(ultra), SumNics(plain) + counts) << engine;
    }
}

TEST_F(ExpertCopiesRunTest, MoonEpInGroupsOfAServerSendsNoBytesOfExpertsAcross)
{
    const Sets sets{"workload.parallel={ep: 4, pp: 2}", "workload.batch.global=8"};
    const Result plain = RunDone(kCopies, sets);
    const Result moon = RunDone(kCopies, With("moon-ep", sets));
    EXPECT_GT(CountBytes(moon, "expert-weights"), 0U);
    EXPECT_EQ(moon.nicTxBytes, plain.nicTxBytes);
}

TEST_F(ExpertCopiesRunTest, CopiesAcrossServersAreTheDifferenceToTokensAlone)
{
    // One GPU in each server: all that is copied crosses NICs.
    const Sets sets{"topology.domains=8", "topology.gpus_per_domain=1", "engine=flow"};
    const Result result = RunDone(kCopies, With("{type: llep, min_tokens: 16}", sets));
    const uint64_t weights = CountBytes(result, "expert-weights");
    EXPECT_GT(weights, 0U);
    EXPECT_EQ(CountAcross(result, "expert-weights"), weights);
    EXPECT_EQ(CountAcross(result, "expert-gradients"), CountBytes(result, "expert-gradients"));
    uint64_t others = 0;
    for (const std::string& kind : result.graphKinds)
    {
        const bool isCopy = kind == "expert-weights" || kind == "expert-gradients";
        others += isCopy ? 0 : CountAcross(result, kind);
    }
    EXPECT_EQ(SumNics(result), others + weights + CountBytes(result, "expert-gradients"));
    // Gradients of another width are the difference, and nothing else is.
    Sets half = sets;
    half.emplace_back("workload.bytes_per_gradient=2B");
    const Result less = RunDone(kCopies, With("{type: llep, min_tokens: 16}", half));
    const uint64_t saved = CountBytes(result, "expert-gradients") / 2 + CountBytes(result, "data") -
                           CountBytes(less, "data");
    EXPECT_EQ(SumNics(result) - SumNics(less), saved);
}

TEST_F(ExpertCopiesRunTest, PlanningForLongIsNoLackOfProgress)
{
    const Sets patience{"watchdog.no_progress_after=1ms",
                        "transport.loss_recovery={type: go-back-n, timeout: 500us}"};
    for (const std::string policy : {"{type: llep, min_tokens: 16, planning_time: 300ms}",
                                     "{type: ultra-ep, planning_time: 300ms}",
                                     "{type: pro-prophet, planning_time: 300ms}",
                                     "{type: eplb, slots: 2, period: 1, planning_time: 300ms}",
                                     "{type: micro-moe, slots: 2, planning_time: 300ms}"})
    {
        for (const std::string engine : {"frames", "flow"})
        {
            Sets sets = patience;
            sets.push_back("engine=" + engine);
            const Result result = RunDone(kCopies, With(policy, sets));
            constexpr TimePs planning = 300'000'000'000;
            EXPECT_GT(result.iteration, planning) << policy << ' ' << engine;
        }
    }
}

TEST_F(ExpertCopiesRunTest, CopiesThatTakeLongAreNoLackOfProgress)
{
    // An expert has 13 MB of weights and 25 MB of gradients: 30 ms at 10 Gbps.
    const Sets slow{"watchdog.no_progress_after=1ms",
                    "transport.loss_recovery={type: go-back-n, timeout: 500us}",
                    "topology.nvlink_rate=10Gbps",
                    "topology.nic_rate=10Gbps",
                    "workload.model.expert_ffn=8192",
                    "workload.layers=1",
                    "workload.microbatches=1"};
    for (const std::string policy :
         {"{type: llep, min_tokens: 16}", "{type: ultra-ep, min_tokens: 16}"})
    {
        for (const std::string engine : {"frames", "flow"})
        {
            Sets sets = slow;
            sets.push_back("engine=" + engine);
            const Result result = RunDone(kCopies, With(policy, sets));
            constexpr TimePs copy = 20'000'000'000;
            EXPECT_GT(result.iteration, copy) << policy << ' ' << engine;
        }
    }
}

} // namespace ns3::rails
