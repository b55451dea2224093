// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/balanced-split.h"
#include "ns3/component-maker.h"
#include "ns3/draw-permutation.h"
#include "ns3/expert-policy.h"
#include "ns3/plan-figures.h"
#include "ns3/rails-error.h"
#include "ns3/random-variable-stream.h"
#include "ns3/replica-placement.h"
#include "ns3/seeded-bits.h"
#include "ns3/string.h"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// Fig. 8 of the paper: two groups of four GPUs in a server, 32 experts.
ExpertSetting
MakeMicroMoeSetting()
{
    ExpertSetting setting;
    setting.cluster.gpus = 8;
    setting.cluster.gpusPerServer = 8;
    setting.cluster.nvlinkRate = 450e9;
    setting.cluster.flops = 600e12;
    setting.expertParallel = 4;
    setting.experts = 32;
    setting.topK = 2;
    setting.tokens = 8192;
    setting.tokenBytes = 8192;
    setting.weightBytes = 1000;
    setting.stateBytes = 3000;
    setting.gradientBytes = 2000;
    setting.tokenFlops = 6.0 * 4096 * 16384;
    return setting;
}

/// Tokens whose expert is the i-th most popular with a probability in proportion to i^-s.
class ZipfTokens
{
  public:
    /// \param draw decides which expert is how popular
    ZipfTokens(const ExpertSetting& setting, double s, uint64_t draw)
        : m_setting(setting),
          m_bits{1, draw},
          m_shares(setting.experts)
    {
        const std::vector<uint32_t> ranks = DrawPermutation(setting.experts, m_bits);
        for (uint32_t expert = 0; expert < setting.experts; ++expert)
        {
            m_shares[expert] = std::pow(ranks[expert] + 1, -s);
        }
    }

    /// \return counts of another micro-batch, as many of each GPU
    TokenCounts Draw()
    {
        TokenCounts counts(m_setting.cluster.gpus, m_setting.experts);
        for (uint32_t gpu = 0; gpu < m_setting.cluster.gpus; ++gpu)
        {
            auto left = static_cast<int64_t>(m_setting.GetMeanLoad());
            double share = std::accumulate(m_shares.begin(), m_shares.end(), 0.0);
            for (uint32_t expert = 0; expert < m_setting.experts; ++expert)
            {
                const double probability = std::min(1.0, m_shares[expert] / share);
                const bool isLast = expert + 1 == m_setting.experts;
                const int64_t tokens =
                    isLast
                        ? left
                        : boost::random::binomial_distribution<int64_t>(left, probability)(m_bits);
                counts.Set(gpu, expert, static_cast<uint32_t>(tokens));
                left -= tokens;
                share -= m_shares[expert];
            }
        }
        return counts;
    }

  private:
    ExpertSetting m_setting;
    SeededBits m_bits;
    std::vector<double> m_shares; //!< by expert
};

/// Keys as in a descriptor, and values.
using Settings = std::map<std::string, std::string>;

Ptr<ExpertPolicy>
MakeMicroMoePolicy(const ExpertSetting& setting, const Settings& attributes, int64_t stream = 1)
{
    auto policy = MakeComponent<ExpertPolicy>("MicroMoeExpertPolicy");
    for (const auto& [name, value] : attributes)
    {
        policy->SetAttribute(name, StringValue(value));
    }
    policy->AssignStreams(stream);
    policy->Check(setting);
    policy->Start(setting);
    return policy;
}

/// \return figures of a plan without defect
PlanFigures
PlanWell(const ExpertSetting& setting, ExpertPolicy& policy, const TokenCounts& counts)
{
    const ExpertPlan plan = policy.Plan(0, counts);
    EXPECT_EQ(FindDefect(setting, counts, plan), "");
    EXPECT_TRUE(plan.weights.empty()); // replicas are there for good
    return FindFigures(setting, counts, plan);
}

/// \return largest load over the mean in 20 draws, ascending, after some iterations of history
std::vector<double>
FindBalances(double s, const Settings& attributes)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    std::vector<double> balances;
    for (uint32_t draw = 0; draw < 20; ++draw)
    {
        ZipfTokens tokens(setting, s, draw);
        const auto policy = MakeMicroMoePolicy(setting, attributes, draw);
        LoadHistory history(setting.experts, 10);
        for (uint32_t iteration = 0; iteration < 5; ++iteration)
        {
            history.Add(tokens.Draw());
            history.EndIteration();
        }
        policy->BeginIteration(0, history);
        balances.push_back(PlanWell(setting, *policy, tokens.Draw()).maxOverMean);
    }
    std::sort(balances.begin(), balances.end());
    return balances;
}

/// \return their mean
double
FindBalance(double s, const Settings& attributes)
{
    const std::vector<double> balances = FindBalances(s, attributes);
    return std::accumulate(balances.begin(), balances.end(), 0.0) / 20;
}

const Settings kStatic{{"Adaptive", "false"}};
const Settings kRandom{{"Adaptive", "false"}, {"Placement", "random"}};

/// \return share of the most popular of 32 experts
double
FindLargestShare(double s)
{
    double sum = 0;
    for (uint32_t rank = 1; rank <= 32; ++rank)
    {
        sum += std::pow(rank, -s);
    }
    return 1 / sum;
}

/// \return a history of an iteration
LoadHistory
Remember(const TokenCounts& counts)
{
    LoadHistory history(counts.GetExperts(), 10);
    history.Add(counts);
    history.EndIteration();
    return history;
}

/// A single group with all experts on 64 GPUs of 8 servers.
ExpertSetting
MakeLargeSetting()
{
    ExpertSetting setting = MakeMicroMoeSetting();
    setting.cluster.gpus = 64;
    setting.cluster.nicsPerServer = 8;
    setting.cluster.nicRate = 50e9;
    setting.expertParallel = 64;
    setting.experts = 256;
    return setting;
}

TEST(MicroMoeExpertPolicy, FullSystemIsBalancedHoweverSkewedLoadsAre)
{
    for (double s = 0; s <= 2; s += 0.25)
    {
        EXPECT_LE(FindBalances(s, {}).back(), 1.02) << "s " << s;
    }
}

TEST(MicroMoeExpertPolicy, WithoutReplacementBalanceEndsNearSOfOne)
{
    for (double s = 0; s < 1; s += 0.25)
    {
        EXPECT_LE(FindBalance(s, kStatic), 1.005) << "s " << s;
    }
    EXPECT_LE(FindBalance(1, kStatic), 1.1);
    EXPECT_GE(FindBalance(1.25, kStatic), 1.3);
}

TEST(MicroMoeExpertPolicy, WithoutReplacementTheHottestExpertHasTwoGpusAndNoMore)
{
    for (const auto& [s, floor] : {std::pair(1.5, 1.77), std::pair(2.0, 2.48)})
    {
        EXPECT_NEAR(4 * FindLargestShare(s), floor, 0.005);
        const std::vector<double> balances = FindBalances(s, kStatic);
        // Four pairs of GPUs have two experts, so that sometimes the hottest is not alone.
        EXPECT_NEAR(balances.front(), floor, 0.02);
        EXPECT_NEAR(balances[10], floor, 0.02);
    }
}

TEST(MicroMoeExpertPolicy, RandomPlacementIsSlightlyWorse)
{
    for (double s = 0.75; s <= 2; s += 0.25)
    {
        const double balance = FindBalance(s, kRandom);
        EXPECT_GT(balance, FindBalance(s, kStatic)) << "s " << s;
        EXPECT_LT(balance, 1.1 * FindBalance(s, kStatic)) << "s " << s;
    }
}

TEST(MicroMoeExpertPolicy, LargestLoadIsThatOfTheMaximumFlow)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    const auto policy = MakeMicroMoePolicy(setting, kRandom);
    for (uint32_t draw = 0; draw < 20; ++draw)
    {
        const TokenCounts counts = ZipfTokens(setting, 1.2, draw).Draw();
        const ExpertPlan plan = policy->Plan(0, counts);
        const PlanFigures figures = FindFigures(setting, counts, plan);
        EXPECT_EQ(*std::max_element(figures.loads.begin(), figures.loads.end()),
                  BalancedSplit(plan.placement->hosts, 8).Split(counts.GetLoads()).largest);
    }
}

TEST(MicroMoeExpertPolicy, StartsFromTheSymmetricPlacementAndMovesParameters)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    const auto policy = MakeMicroMoePolicy(setting, {});
    ZipfTokens tokens(setting, 1.5, 1);
    const TokenCounts counts = tokens.Draw();
    const std::vector<std::vector<uint32_t>> before = policy->Plan(0, counts).placement->hosts;
    EXPECT_TRUE(policy->BeginIteration(0, LoadHistory(32, 10)).empty()); // nothing is known
    const std::vector<ExpertTransfer> moves = policy->BeginIteration(0, Remember(counts));
    EXPECT_FALSE(moves.empty());
    for (const ExpertTransfer& move : moves)
    {
        EXPECT_EQ(move.from, before[move.expert].front());
        EXPECT_EQ(move.bytes, setting.weightBytes);
    }
}

TEST(MicroMoeExpertPolicy, LooksAtLoadsOnceInAPeriod)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    const auto policy = MakeMicroMoePolicy(setting, {{"Period", "3"}});
    std::vector<uint32_t> moves;
    for (uint32_t iteration = 0; iteration < 8; ++iteration)
    {
        const TokenCounts counts = ZipfTokens(setting, 1.8, iteration).Draw();
        if (!policy->BeginIteration(0, Remember(counts)).empty())
        {
            moves.push_back(iteration);
        }
    }
    EXPECT_EQ(moves, (std::vector<uint32_t>{0, 3, 6}));
}

TEST(MicroMoeExpertPolicy, StaysWhereItIsBelowTheThreshold)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    const TokenCounts counts = ZipfTokens(setting, 1.5, 1).Draw(); // 1.77 without replacement
    EXPECT_TRUE(MakeMicroMoePolicy(setting, {{"Threshold", "1.9"}})
                    ->BeginIteration(0, Remember(counts))
                    .empty());
    EXPECT_FALSE(MakeMicroMoePolicy(setting, {{"Threshold", "1.6"}})
                     ->BeginIteration(0, Remember(counts))
                     .empty());
}

TEST(MicroMoeExpertPolicy, AsymmetricPlacementIsMadeOnceWithoutAdaptation)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    const auto policy =
        MakeMicroMoePolicy(setting, {{"Placement", "asymmetric"}, {"Adaptive", "false"}});
    ZipfTokens tokens(setting, 2, 1);
    EXPECT_FALSE(policy->BeginIteration(0, Remember(tokens.Draw())).empty());
    EXPECT_LE(PlanWell(setting, *policy, tokens.Draw()).maxOverMean, 1.02);
    const TokenCounts other = ZipfTokens(setting, 2, 2).Draw();
    EXPECT_TRUE(policy->BeginIteration(0, Remember(other)).empty());
    EXPECT_GT(PlanWell(setting, *policy, other).maxOverMean, 1.1);
}

TEST(MicroMoeExpertPolicy, AsymmetricPlacementIsMadeWhateverTheThreshold)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    const LoadHistory history = Remember(ZipfTokens(setting, 0.1, 1).Draw());
    EXPECT_FALSE(MakeMicroMoePolicy(setting, {{"Placement", "asymmetric"}})
                     ->BeginIteration(0, history)
                     .empty());
    EXPECT_TRUE(MakeMicroMoePolicy(setting, {})->BeginIteration(0, history).empty());
}

TEST(MicroMoeExpertPolicy, CountingCommunicationKeepsMoreTokensAtHome)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    const TokenCounts counts = ZipfTokens(setting, 1, 3).Draw();
    const auto find = [&](Settings attributes) {
        attributes["Adaptive"] = "false";
        return PlanWell(setting, *MakeMicroMoePolicy(setting, attributes), counts);
    };
    const PlanFigures flow = find({});
    const PlanFigures light = find({{"Solver", "communication"}, {"CommunicationWeight", "0"}});
    const PlanFigures heavy = find({{"Solver", "communication"}, {"CommunicationWeight", "3"}});
    EXPECT_DOUBLE_EQ(light.maxOverMean, flow.maxOverMean);
    EXPECT_GT(heavy.localTokens, flow.localTokens);
    // Of 600 TFLOP/s and 450 GB/s a token sent costs 0.03 of one computed.
    const PlanFigures derived = find({{"Solver", "communication"}});
    EXPECT_DOUBLE_EQ(
        derived.maxOverMean,
        find({{"Solver", "communication"}, {"CommunicationWeight", "0.0271"}}).maxOverMean);
    EXPECT_GE(derived.localTokens, flow.localTokens);
}

TEST(MicroMoeExpertPolicy, TopologyKeepsTokensInTheirServer)
{
    ExpertSetting setting = MakeMicroMoeSetting();
    setting.cluster.gpusPerServer = 2;
    const TokenCounts counts = ZipfTokens(setting, 0.8, 3).Draw();
    const auto find = [&](Settings attributes) {
        attributes["Adaptive"] = "false";
        return PlanWell(setting, *MakeMicroMoePolicy(setting, attributes), counts);
    };
    EXPECT_LT(find({{"Solver", "topology"}, {"AcrossWeight", "3"}}).tokens.across,
              find({}).tokens.across);
    EXPECT_LE(find({{"Locality", "server"}}).tokens.across,
              find({{"Locality", "gpu"}}).tokens.across);
    EXPECT_LT(find({{"Locality", "none"}}).localTokens, find({{"Locality", "gpu"}}).localTokens);
}

TEST(MicroMoeExpertPolicy, SlotsGiveASingleGroupReplicas)
{
    const ExpertSetting setting = MakeLargeSetting();
    ZipfTokens tokens(setting, 0.9, 1);
    const TokenCounts counts = tokens.Draw();
    for (const char* slots : {"2", "4"}) // replicas of half, two of each
    {
        const auto policy = MakeMicroMoePolicy(setting, {{"Slots", slots}});
        const auto expectFull = [&] {
            for (const std::vector<uint32_t>& held :
                 policy->Plan(0, counts).placement->ListByGpu(64))
            {
                EXPECT_EQ(held.size(), 4 + std::stoul(slots));
            }
        };
        expectFull();
        EXPECT_GT(PlanWell(setting, *policy, counts).maxOverMean, 1.5);
        policy->BeginIteration(0, Remember(counts));
        expectFull();
        EXPECT_LT(PlanWell(setting, *policy, tokens.Draw()).maxOverMean, 1.02);
    }
}

TEST(MicroMoeExpertPolicy, MoreDrawsFindABetterPlacement)
{
    ExpertSetting setting = MakeLargeSetting();
    setting.experts = 64;
    const TokenCounts counts = ZipfTokens(setting, 0.9, 1).Draw();
    const auto find = [&](const char* draws) {
        const auto policy = MakeMicroMoePolicy(setting, {{"Slots", "1"}, {"Draws", draws}});
        policy->BeginIteration(0, Remember(counts));
        return PlanWell(setting, *policy, counts).maxOverMean;
    };
    EXPECT_LT(find("30"), find("1"));
}

TEST(MicroMoeExpertPolicy, FindsTheFirstOfTheBestPlacementsAsIfItSplitLoadsOverAll)
{
    uint32_t moved = 0;
    for (const uint32_t gpus : {8U, 16U}) // by enumeration, by flows
    {
        ExpertSetting setting = MakeMicroMoeSetting();
        setting.cluster.gpus = setting.cluster.gpusPerServer = setting.expertParallel = gpus;
        for (uint32_t draw = 0; draw < 12; ++draw)
        {
            ZipfTokens tokens(setting, 0.5 + 0.25 * (draw % 4), draw);
            const auto policy =
                MakeMicroMoePolicy(setting,
                                   {{"Slots", "1"}, {"Threshold", "1"}, {"Draws", "20"}},
                                   draw);
            const auto before = policy->Plan(0, tokens.Draw()).placement->hosts;
            LoadHistory history(setting.experts, 10);
            history.Add(tokens.Draw());
            history.EndIteration();
            policy->BeginIteration(0, history);

            const auto random = CreateObject<UniformRandomVariable>();
            random->SetStream(draw);
            SeededBits bits{static_cast<uint64_t>(random->GetValue(0.0, 1.0) * std::pow(2, 53)),
                            0,
                            1};
            std::vector<uint64_t> loads;
            for (const double load : history.GetMeanLoads(10))
            {
                loads.push_back(static_cast<uint64_t>(load));
            }
            auto best = before;
            const auto find = [&](const auto& hosts) {
                return gpus == 8
                           ? FindDensity(loads, hosts, gpus)
                           : static_cast<double>(BalancedSplit(hosts, gpus).Split(loads).largest);
            };
            const auto replicas = CountReplicas(loads, setting.experts + gpus, gpus);
            for (uint32_t i = 0; i < 20; ++i)
            {
                const auto hosts = DealReplicas(replicas, gpus, bits);
                best = find(hosts) < find(best) ? hosts : best;
            }
            EXPECT_EQ(policy->Plan(0, tokens.Draw()).placement->hosts, best) << gpus << ' ' << draw;
            moved += best != before ? 1 : 0;
        }
    }
    EXPECT_GT(moved, 12U);
}

TEST(MicroMoeExpertPolicy, FourGroupsAreShuffled)
{
    ExpertSetting setting = MakeMicroMoeSetting();
    setting.expertParallel = 2;
    const auto policy = MakeMicroMoePolicy(setting, kStatic);
    const TokenCounts counts = ZipfTokens(setting, 1.5, 1).Draw();
    EXPECT_NEAR(PlanWell(setting, *policy, counts).maxOverMean, 1, 0.02); // 2 * 0.44 < 1
    for (const std::vector<uint32_t>& hosts : policy->Plan(0, counts).placement->hosts)
    {
        EXPECT_EQ(hosts.size(), 4U);
    }
}

TEST(MicroMoeExpertPolicy, BeginsAnewAsBefore)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    const TokenCounts counts = ZipfTokens(setting, 1.5, 1).Draw();
    const Settings random{{"Placement", "random"}};
    const auto policy = MakeMicroMoePolicy(setting, random);
    const auto first = policy->Plan(0, counts).placement->hosts;
    policy->BeginIteration(0, Remember(counts));
    const auto moved = policy->Plan(0, counts).placement->hosts;
    policy->Start(setting);
    EXPECT_EQ(policy->Plan(0, counts).placement->hosts, first);
    policy->BeginIteration(0, Remember(counts));
    EXPECT_EQ(policy->Plan(0, counts).placement->hosts, moved);
    EXPECT_NE(first, moved);
    EXPECT_NE(MakeMicroMoePolicy(setting, random, 2)->Plan(0, counts).placement->hosts, first);
}

TEST(MicroMoeExpertPolicy, DeclaresThePublishedPlanningTime)
{
    const ExpertSetting setting = MakeMicroMoeSetting();
    const auto policy = MakeMicroMoePolicy(setting, {});
    EXPECT_DOUBLE_EQ(policy->Plan(0, TokenCounts(8, 32)).planningSeconds, 100e-6);
}

/// \return key that an error names; empty without one
std::string
FindWrongKey(const ExpertSetting& setting, const Settings& attributes)
{
    try
    {
        MakeMicroMoePolicy(setting, attributes);
    }
    catch (const ConfigurationError& error)
    {
        return error.GetKey();
    }
    return "";
}

TEST(MicroMoeExpertPolicy, SaysWhatIsWrong)
{
    ExpertSetting setting = MakeMicroMoeSetting();
    EXPECT_EQ(FindWrongKey(setting, {}), "");
    EXPECT_EQ(FindWrongKey(setting, {{"Slots", "25"}}), "slots"); // of 32 a GPU has 8
    setting.expertParallel = 8;
    EXPECT_EQ(FindWrongKey(setting, {}), "slots"); // no replicas
    EXPECT_EQ(FindWrongKey(setting, {{"Slots", "2"}}), "");
    setting.cluster.flops = 0;
    EXPECT_EQ(FindWrongKey(setting, {{"Slots", "2"}, {"Solver", "communication"}}),
              "communication_weight");
}

TEST(MicroMoeExpertPolicy, SplitsWhereSendingCostsBeyondMeasure)
{
    ExpertSetting setting = MakeMicroMoeSetting();
    setting.cluster.flops = 1e45;
    setting.cluster.nvlinkRate = 1;
    const auto policy = MakeMicroMoePolicy(setting, {{"Solver", "communication"}});
    EXPECT_NO_THROW(PlanWell(setting, *policy, ZipfTokens(setting, 1, 1).Draw()));
    for (const std::string weight : {"CommunicationWeight", "InsideWeight", "AcrossWeight"})
    {
        EXPECT_FALSE(policy->SetAttributeFailSafe(weight, StringValue("1e30"))) << weight;
    }
}

} // namespace

} // namespace ns3::rails::test
