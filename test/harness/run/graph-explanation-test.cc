// SPDX-License-Identifier: GPL-2.0-only

// Graphs whose transfers are slow for one known reason, by hand, and what holds for all of them.

#include "graph-fixtures.h"

#include "ns3/rails-explanation.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// A factor of the chain.
enum Factor : std::size_t
{
    Plan,
    Routes,
    Repeats,
    Outages,
    Waiting
};

const std::vector<std::string> kEngines{"flow", "frames"};

} // namespace

class GraphExplanationTest : public GraphTest
{
  protected:
    /// Runs a graph with an explanation, and checks what holds for all of them.
    static Result RunExplained(const std::string& text, const Sets& sets)
    {
        Sets all = sets;
        all.push_back("record.explain=true");
        const Result result = RunDone(text, all);
        const Explanation& explanation = result.explanation.value();
        const bool hasRepeats = result.engine == "frames";
        ExpectChain(explanation.times, hasRepeats);
        EXPECT_EQ(explanation.times.back(), result.cct);
        TimePs lost = 0;
        for (const Explanation::Kind& kind : explanation.kinds.value())
        {
            ExpectChain(kind.times, hasRepeats);
            EXPECT_EQ(kind.times.back(), GetKind(result, kind.name).critical) << kind.name;
            EXPECT_FALSE(GetKind(result, kind.name).isCompute);
            lost += *kind.times.back() - *kind.times.front();
        }
        EXPECT_EQ(*explanation.times.back() - *explanation.times.front(), lost);
        return result;
    }

    /// No time is below the one before it, so no factor is below 1, and their product is the whole.
    static void ExpectChain(const Explanation::Times& times, bool hasRepeats)
    {
        double product = 1;
        for (std::size_t factor = 0; factor < Explanation::kFactors.size(); ++factor)
        {
            const std::optional<double> value = Explanation::GetFactor(times, factor);
            if (factor == Repeats && !hasRepeats)
            {
                EXPECT_FALSE(value);
                continue;
            }
            EXPECT_GE(value.value(), 1) << Explanation::kFactors[factor];
            product *= *value;
        }
        const double whole = static_cast<double>(*times.back()) / static_cast<double>(*times[0]);
        EXPECT_NEAR(product, whole, 1e-9 * whole);
    }

    static double GetFactor(const Result& result, Factor factor)
    {
        return Explanation::GetFactor(result.explanation->kinds->front().times, factor).value();
    }

    /// Expects a factor to be the only one that is notable.
    static void ExpectOnly(const Result& result, Factor factor)
    {
        for (const Factor other : {Plan, Routes, Repeats, Outages, Waiting})
        {
            const bool isKnown = other != Repeats || result.engine == "frames";
            if (other != factor && isKnown)
            {
                EXPECT_LT(GetFactor(result, other), 1.03) << Explanation::kFactors[other];
            }
        }
    }

    /// \return a graph that computes, and then moves what a matrix says
    std::string MakeExchange(const std::string& cluster, const std::string& matrix) const
    {
        return cluster +
               "transport: {congestion_control: none, loss_recovery: {type: selective-repeat, "
               "timeout: 20us}}\n"
               "workload: {type: graph, stages: [{type: compute, time: 10us}, {type: exchange, "
               "matrix: {type: file, path: " +
               m_folder.Write("matrix.csv", matrix) + "}}]}\n";
    }

    TemporaryFolder m_folder;
};

TEST_F(GraphExplanationTest, FactorsOfEachKindMultiplyToItsTimeOnThePath)
{
    for (uint32_t seed = 300; seed < (test::IsSanitized() ? 303 : 320); ++seed)
    {
        const std::string text = DrawGraph(seed);
        for (const std::string& engine : kEngines)
        {
            SCOPED_TRACE(engine + "\n" + text);
            RunExplained(text, {"engine=" + engine});
        }
    }
}

TEST_F(GraphExplanationTest, RecordingChangesNothing)
{
    for (uint32_t seed = 400; seed < (test::IsSanitized() ? 401 : 405); ++seed)
    {
        const std::string text = DrawGraph(seed);
        for (const std::string& engine : kEngines)
        {
            SCOPED_TRACE(engine + "\n" + text);
            const Result with = RunExplained(text, {"engine=" + engine});
            const Result without = RunDone(text, {"engine=" + engine});
            EXPECT_EQ(with.fingerprint, without.fingerprint);
            EXPECT_EQ(with.events, without.events);
            EXPECT_EQ(with.cct, without.cct);
            EXPECT_FALSE(without.explanation);
        }
    }
}

TEST_F(GraphExplanationTest, TrainingsAndJobsAreExplainedKindByKind)
{
    const std::string training = "topology: {type: leaf-spine, domains: 8, gpus_per_domain: 8, "
                                 "leaf_ports: 16, spines: 16}\n"
                                 "transport: {congestion_control: none}\n"
                                 "balance: rail-source\n" +
                                 kSmallTraining + "  layers: 2\n";
    for (const std::string& engine : kEngines)
    {
        SCOPED_TRACE(engine);
        const Result result = RunExplained(training, {"engine=" + engine});
        EXPECT_GE(result.explanation->kinds->size(), 2U);
    }
    const std::string jobs =
        "topology: {type: leaf-spine, domains: 8, gpus_per_domain: 2, leaf_ports: 4, spines: 2}\n"
        "transport: {congestion_control: none}\n"
        "balance: rail-source\n"
        "workload: {type: jobs, jobs: {one: {placement: {servers: 4}, workload: {type: all-to-all, "
        "matrix: {type: zipf, bytes_per_gpu: 400KB}, phases: [dispatch, {compute: 20us}, "
        "combine]}}, two: {placement: {servers: 4, first: 4}, workload: {type: ring, bytes: "
        "1MB}}}}\n";
    for (const std::string& engine : kEngines)
    {
        SCOPED_TRACE(engine);
        RunExplained(jobs, {"engine=" + engine});
    }
}

TEST_F(GraphExplanationTest, FlowsThatAHashPutsOnOneCableAreTheFaultOfRoutes)
{
    const std::string text = MakeExchange(
        "topology: {type: rail, domains: 4, gpus_per_domain: 1, leaf_ports: 2, rail_spines: 2}\n"
        "switch: {buffer: 1GiB}\n"
        "balance: ecmp\n",
        "0,0,8000000,0\n0,0,0,8000000\n0,0,0,0\n0,0,0,0\n");
    for (const std::string& engine : kEngines)
    {
        bool hasCollision = false;
        bool hasNone = false;
        for (uint32_t seed = 1; seed <= 6; ++seed)
        {
            const Result result =
                RunExplained(text, {"engine=" + engine, "seed=" + std::to_string(seed)});
            ExpectOnly(result, Routes);
            const bool collides = GetFactor(result, Routes) > 1.5;
            (collides ? hasCollision : hasNone) = true;
            EXPECT_NEAR(GetFactor(result, Routes), collides ? 2 : 1, 0.03);
            const std::string& sentence = result.explanation->sentence;
            EXPECT_EQ(sentence.find("(most at rail0-leaf0 to rail0-spine") != std::string::npos,
                      collides)
                << sentence;
        }
        EXPECT_TRUE(hasCollision && hasNone) << engine;
    }
}

TEST_F(GraphExplanationTest, ANicThatCarriesForTwoIsTheFaultOfThePlan)
{
    const std::string text = MakeExchange("topology: {type: rail, domains: 2, gpus_per_domain: 2}\n"
                                          "balance: rail-source\n",
                                          "0,0,8000000,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n");
    for (const std::string& engine : kEngines)
    {
        const Result result = RunExplained(text, {"engine=" + engine});
        ExpectOnly(result, Plan);
        EXPECT_NEAR(GetFactor(result, Plan), 2, 0.06) << engine; // but for the way
    }
}

TEST_F(GraphExplanationTest, TheTimeOfACableThatWasDownIsAnOutage)
{
    const std::string text =
        MakeExchange("topology: {type: rail, domains: 2, gpus_per_domain: 1}\n"
                     "balance: rails\n"
                     "failures: {convergence: never, queued: held, schedule: [{at: 50us, nic: "
                     "server1-nic0, state: down}, {at: 250us, nic: server1-nic0, state: up}]}\n",
                     "0,0\n10000000,0\n");
    for (const std::string& engine : kEngines)
    {
        const Result result = RunExplained(text, {"engine=" + engine});
        ExpectOnly(result, Outages);
        // 204 us of wire time, and 200 us down.
        EXPECT_NEAR(GetFactor(result, Outages), 404.0 / 204, 0.03) << engine;
    }
}

TEST_F(GraphExplanationTest, FramesThatAreSentAgainAreRepeats)
{
    const std::string text =
        MakeExchange("topology: {type: rail, domains: 2, gpus_per_domain: 1, link_loss: 0.1}\n"
                     "balance: rails\n",
                     "0,4000000\n0,0\n");
    const Result result = RunExplained(text, {"engine=frames"});
    // A tenth is lost on each of two cables, so the first carries all that much more often.
    EXPECT_GT(GetFactor(result, Repeats), 1 / (0.9 * 0.9) - 0.03);
    EXPECT_EQ(GetFactor(result, Routes), 1);
    EXPECT_EQ(GetFactor(result, Outages), 1);
}

TEST_F(GraphExplanationTest, AGraphThatOnlyComputesHasNoFactors)
{
    for (const std::string& engine : kEngines)
    {
        const Result result =
            RunExplained(MakeGraph({"type: compute, time: 5us"}), {"engine=" + engine});
        EXPECT_TRUE(result.explanation->kinds->empty());
        EXPECT_EQ(result.explanation->sentence,
                  "Nothing on the critical path waits for a transfer.");
    }
}

} // namespace ns3::rails
