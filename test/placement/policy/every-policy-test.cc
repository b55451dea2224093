// SPDX-License-Identifier: GPL-2.0-only
#include "policy-fixtures.h"

#include "ns3/placement-policy.h"
#include "ns3/rails-error.h"
#include "ns3/shadow-policy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

/// \return layout of a training of two layers and two micro-batches
ExpertSetting
MakeEveryPolicySetting(uint32_t gpus,
                       uint32_t gpusPerServer,
                       uint32_t expertParallel,
                       uint32_t experts)
{
    ExpertSetting setting = MakeOneServer(gpus, experts, std::min(2U, experts), 64);
    setting.cluster.gpusPerServer = gpusPerServer;
    setting.cluster.nicsPerServer = std::max(1U, gpusPerServer / 2);
    setting.expertParallel = expertParallel;
    setting.layers = 2;
    setting.microbatches = 2;
    return setting;
}

std::string
Describe(const ExpertSetting& setting)
{
    return std::to_string(setting.cluster.gpus) + " GPUs in servers of " +
           std::to_string(setting.cluster.gpusPerServer) + " and groups of " +
           std::to_string(setting.expertParallel) + ", " + std::to_string(setting.experts) +
           " experts";
}

const std::vector<ExpertSetting> kSettings{
    MakeEveryPolicySetting(1, 1, 1, 4),
    MakeEveryPolicySetting(2, 2, 2, 2),
    MakeEveryPolicySetting(4, 4, 4, 8),
    MakeEveryPolicySetting(8, 8, 8, 8),
    MakeEveryPolicySetting(8, 4, 8, 16),
    MakeEveryPolicySetting(8, 4, 4, 16),
    MakeEveryPolicySetting(8, 8, 4, 8),
    MakeEveryPolicySetting(8, 8, 2, 16),
    MakeEveryPolicySetting(6, 4, 6, 12),
    MakeEveryPolicySetting(16, 1, 16, 32),
    MakeEveryPolicySetting(16, 4, 16, 64),
};

/// What the tokens of a layer in a micro-batch are like.
enum class Kind
{
    Mild,
    Heavy,
    None,
    OneExpert,
    OneSource,
};

constexpr uint32_t kKinds = 5;

/// \return popularity of experts, as edges of intervals
std::vector<double>
DrawEdges(uint32_t experts, double sigma, std::mt19937& random)
{
    std::normal_distribution<double> normal(0, sigma);
    std::vector<double> edges;
    for (uint32_t expert = 0; expert < experts; ++expert)
    {
        edges.push_back((edges.empty() ? 0 : edges.back()) + std::exp(normal(random)));
    }
    return edges;
}

TokenCounts
DrawCounts(const ExpertSetting& setting, Kind kind, std::mt19937& random)
{
    TokenCounts counts(setting.cluster.gpus, setting.experts);
    const std::vector<double> edges =
        DrawEdges(setting.experts, kind == Kind::Heavy ? 3 : 0.7, random);
    std::uniform_real_distribution<double> uniform(0, edges.back());
    const auto hot = static_cast<uint32_t>(random() % setting.experts);
    const auto only = static_cast<uint32_t>(random() % setting.cluster.gpus);
    for (uint32_t source = 0; source < setting.cluster.gpus; ++source)
    {
        if (kind == Kind::None || (kind == Kind::OneSource && source != only))
        {
            continue;
        }
        for (uint32_t token = 0; token < setting.tokens; ++token)
        {
            std::set<uint32_t> experts;
            while (experts.size() < setting.topK)
            {
                const auto place =
                    std::upper_bound(edges.begin(), edges.end() - 1, uniform(random));
                experts.insert(kind == Kind::OneExpert
                                   ? (hot + static_cast<uint32_t>(experts.size())) % setting.experts
                                   : static_cast<uint32_t>(place - edges.begin()));
            }
            // Of the kind with one expert, the others of a token are left out.
            for (const uint32_t expert : experts)
            {
                if (kind != Kind::OneExpert || expert == hot)
                {
                    counts.Set(source, expert, counts.Get(source, expert) + 1);
                }
            }
        }
    }
    return counts;
}

/// Counts of layers in micro-batches of iterations, in the order in which gates decide them.
using Story = std::vector<TokenCounts>;

Story
DrawStory(const ExpertSetting& setting, uint32_t seed)
{
    constexpr uint32_t iterations = 5;
    std::mt19937 random(seed);
    Story story;
    for (uint32_t i = 0; i < iterations * setting.microbatches * setting.layers; ++i)
    {
        story.push_back(DrawCounts(setting, static_cast<Kind>((i / 3 + i) % kKinds), random));
    }
    return story;
}

/// A setting with its story.
struct Scene
{
    ExpertSetting setting;
    Story story;
    std::vector<double> least; //!< max/mean of perfect balance
};

using Bits = std::vector<uint64_t>;

void
Append(Bits& bits, const std::vector<ExpertTransfer>& transfers)
{
    bits.push_back(transfers.size());
    for (const ExpertTransfer& transfer : transfers)
    {
        bits.insert(bits.end(), {transfer.expert, transfer.from, transfer.to, transfer.bytes});
    }
}

void
Append(Bits& bits, const ExpertPlacement& placement)
{
    for (const std::vector<uint32_t>& hosts : placement.hosts)
    {
        bits.push_back(hosts.size());
        bits.insert(bits.end(), hosts.begin(), hosts.end());
    }
}

/// \return all that a plan says
Bits
Flatten(const ExpertPlan& plan)
{
    Bits bits{plan.fetchesAgain,
              plan.dropped,
              plan.paddedTokens,
              static_cast<uint64_t>(std::llround(plan.planningSeconds * 1e12)),
              plan.routes.size()};
    for (const TokenRoute& route : plan.routes)
    {
        bits.insert(bits.end(), {route.source, route.expert, route.host, route.tokens});
    }
    Append(bits, plan.weights);
    Append(bits, plan.gradients);
    bits.insert(bits.end(), plan.padding.begin(), plan.padding.end());
    Append(bits, *plan.placement);
    return bits;
}

/// \return what of a plan must have been decided before the iteration, for what the policy knows
Bits
FlattenDecided(const ExpertPolicy& policy, const ExpertPlan& plan)
{
    Bits bits;
    if (dynamic_cast<const PlacementPolicy*>(&policy))
    {
        Append(bits, *plan.placement);
    }
    if (dynamic_cast<const ShadowPolicy*>(&policy))
    {
        Append(bits, plan.weights);
    }
    return bits;
}

/// What a policy says, and how much of a story it can know when it does.
struct Answer
{
    std::size_t known; //!< counts from the beginning
    Bits bits;
};

/// \return what a policy says to a story. \param look called with counts and the plan for them
template <typename Look>
std::vector<Answer>
Tell(ExpertPolicy& policy, const ExpertSetting& setting, const Story& story, Look&& look)
{
    policy.Start(setting);
    std::vector<LoadHistory> histories(setting.layers, LoadHistory(setting.experts, 16));
    std::vector<Answer> answers;
    std::size_t at = 0;
    while (at < story.size())
    {
        const std::size_t start = at;
        for (uint32_t layer = 0; layer < setting.layers; ++layer)
        {
            answers.push_back({start, {}});
            Append(answers.back().bits, policy.BeginIteration(layer, histories[layer]));
        }
        for (uint32_t i = 0; i < setting.microbatches * setting.layers; ++i, ++at)
        {
            const uint32_t layer = i % setting.layers;
            const ExpertPlan plan = policy.Plan(layer, story[at]);
            look(story[at], plan);
            answers.push_back({start, FlattenDecided(policy, plan)});
            answers.push_back({at + 1, Flatten(plan)});
            histories[layer].Add(story[at]);
        }
        for (LoadHistory& history : histories)
        {
            history.EndIteration();
        }
    }
    return answers;
}

std::vector<Answer>
Tell(ExpertPolicy& policy, const ExpertSetting& setting, const Story& story)
{
    return Tell(policy, setting, story, [](const TokenCounts&, const ExpertPlan&) {});
}

/// \return true when a policy can work there
bool
Accepts(const ExpertPolicy& policy, const ExpertSetting& setting)
{
    try
    {
        policy.Check(setting);
        return true;
    }
    catch (const ConfigurationError&)
    {
        return false;
    }
}

/// \return all scenes, drawn once
const std::vector<Scene>&
GetScenes()
{
    static const std::vector<Scene> scenes = [] {
        std::vector<Scene> drawn;
        for (const ExpertSetting& setting : kSettings)
        {
            Scene scene{setting, DrawStory(setting, static_cast<uint32_t>(drawn.size())), {}};
            Tell(*MakePolicy("PerfectBalance"),
                 setting,
                 scene.story,
                 [&](const TokenCounts& counts, const ExpertPlan& plan) {
                     scene.least.push_back(FindFigures(setting, counts, plan).maxOverMean);
                 });
            drawn.push_back(scene);
        }
        return drawn;
    }();
    return scenes;
}

class EveryPolicy : public testing::TestWithParam<std::string>
{
  protected:
    /// \return a policy with its own random streams, which plans in every second iteration if it
    /// is one that waits between plans
    static Ptr<ExpertPolicy> Make()
    {
        const Ptr<ExpertPolicy> policy = MakePolicy(GetParam());
        policy->SetAttributeFailSafe("Period", StringValue("2"));
        policy->AssignStreams(1);
        return policy;
    }

    /// Calls back with each scene whose setting the policy accepts; there must be one.
    template <typename Body>
    static void ForEachScene(Body&& body)
    {
        uint32_t accepted = 0;
        for (const Scene& scene : GetScenes())
        {
            if (Accepts(*Make(), scene.setting))
            {
                ++accepted;
                SCOPED_TRACE(Describe(scene.setting));
                body(scene.setting, scene.story, scene.least);
            }
        }
        EXPECT_GT(accepted, 0U);
    }
};

TEST_P(EveryPolicy, ConservesTokensAndComputesThemWhereTheirExpertsAre)
{
    ForEachScene([](const ExpertSetting& setting, const Story& story, const auto&) {
        Tell(*Make(), setting, story, [&](const TokenCounts& counts, const ExpertPlan& plan) {
            EXPECT_EQ(FindDefect(setting, counts, plan), "");
            for (const TokenRoute& route : plan.routes)
            {
                EXPECT_GT(route.tokens, 0U);
            }
        });
    });
}

TEST_P(EveryPolicy, RunsRepeat)
{
    ForEachScene([](const ExpertSetting& setting, const Story& story, const auto&) {
        const Ptr<ExpertPolicy> policy = Make();
        const std::vector<Answer> first = Tell(*policy, setting, story);
        const std::vector<Answer> again = Tell(*policy, setting, story);
        const std::vector<Answer> other = Tell(*Make(), setting, story);
        for (std::size_t i = 0; i < first.size(); ++i)
        {
            EXPECT_EQ(again[i].bits, first[i].bits) << "after a second Start(), answer " << i;
            EXPECT_EQ(other[i].bits, first[i].bits) << "of another object, answer " << i;
        }
    });
}

// One object sees all stories: what it kept of one would show in the next.
TEST_P(EveryPolicy, NothingDependsOnCountsThatComeLater)
{
    ForEachScene([](const ExpertSetting& setting, const Story& story, const auto&) {
        const Ptr<ExpertPolicy> policy = Make();
        const std::vector<Answer> before = Tell(*policy, setting, story);
        std::mt19937 random(1);
        for (std::size_t changed = 1; changed < story.size(); changed += 3)
        {
            Story other = story;
            other[changed] = DrawCounts(setting, Kind::Heavy, random);
            const std::vector<Answer> after = Tell(*policy, setting, other);
            for (std::size_t i = 0; i < before.size(); ++i)
            {
                ASSERT_TRUE(before[i].known > changed || after[i].bits == before[i].bits)
                    << "counts " << changed << " change answer " << i << ", which should know "
                    << before[i].known;
            }
        }
    });
}

/// \return where tokens of a source go. \param plan of all sources
Bits
FlattenRoutes(const ExpertPlan& plan, uint32_t source)
{
    Bits bits;
    for (const TokenRoute& route : plan.routes)
    {
        if (route.source == source)
        {
            bits.insert(bits.end(), {route.expert, route.host, route.tokens});
        }
    }
    return bits;
}

// Counts of the last micro-batch change but for one source, which stands before or behind all
// others.
TEST_P(EveryPolicy, WithoutExactCountsASourceRoutesByItsOwn)
{
    ForEachScene([](const ExpertSetting& setting, const Story& story, const auto&) {
        const Ptr<ExpertPolicy> policy = Make();
        if (policy->GetKnowledge() == ExpertKnowledge::Counts)
        {
            return;
        }
        std::mt19937 random(2);
        for (const uint32_t source : {0U, setting.cluster.gpus - 1})
        {
            Story other = story;
            other.back() = DrawCounts(setting, Kind::Heavy, random);
            for (uint32_t expert = 0; expert < setting.experts; ++expert)
            {
                other.back().Set(source, expert, story.back().Get(source, expert));
            }
            const auto findRoutes = [&](const Story& told) {
                ExpertPlan last;
                Tell(*policy, setting, told, [&](const TokenCounts&, const ExpertPlan& plan) {
                    last = plan;
                });
                return FlattenRoutes(last, source);
            };
            const Bits routes = findRoutes(story);
            EXPECT_FALSE(routes.empty());
            EXPECT_EQ(findRoutes(other), routes) << source;
        }
    });
}

TEST_P(EveryPolicy, HasNoLowerLargestLoadThanPerfectBalance)
{
    ForEachScene(
        [](const ExpertSetting& setting, const Story& story, const std::vector<double>& least) {
            std::size_t at = 0;
            Tell(*Make(), setting, story, [&](const TokenCounts& counts, const ExpertPlan& plan) {
                if (plan.dropped == 0)
                {
                    EXPECT_GE(FindFigures(setting, counts, plan).maxOverMean, least[at]) << at;
                }
                ++at;
            });
            EXPECT_EQ(at, least.size());
        });
}

INSTANTIATE_TEST_SUITE_P(Registered,
                         EveryPolicy,
                         testing::ValuesIn(FindPolicies()),
                         [](const testing::TestParamInfo<std::string>& policy) {
                             return policy.param;
                         });

TEST(EveryPolicyTest, KnowsThePoliciesThatThereAre)
{
    const std::vector<std::string> names = FindPolicies();
    EXPECT_TRUE(std::count(names.begin(), names.end(), "PerfectBalance"));
    EXPECT_TRUE(std::count(names.begin(), names.end(), "PlainEp"));
}

} // namespace

} // namespace ns3::rails::test
