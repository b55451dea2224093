// SPDX-License-Identifier: GPL-2.0-only
#include "../policy/policy-fixtures.h"

#include "ns3/grouped-policy.h"
#include "ns3/rails-error.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

constexpr uint32_t kGroupedGpus = 4;
constexpr uint32_t kGroupedLayers = 2;
constexpr uint32_t kGroupedIterations = 3;

/// \return keys with which a policy does something for four GPUs as soon as it can
PolicyKeys
GetGroupedKeys(const std::string& type)
{
    static const std::map<std::string, PolicyKeys> keys{
        {"Epic", {{"Period", "1"}, {"MinGain", "1"}}},
        {"Eplb", {{"Period", "1"}}},
        {"Llep", {{"MinTokens", "1"}}},
        {"Lplb", {{"Period", "1"}, {"Topology", "ring"}, {"RingGpus", "4"}}},
        {"UltraEp", {{"MinTokens", "1"}}},
    };
    const auto found = keys.find(type);
    return found == keys.end() ? PolicyKeys() : found->second;
}

/// \return counts in which another expert is hot in each group, layer and iteration
TokenCounts
MakeGroupedCounts(uint32_t group, uint32_t layer, uint32_t iteration)
{
    TokenCounts counts(kGroupedGpus, 8);
    for (uint32_t source = 0; source < kGroupedGpus; ++source)
    {
        for (uint32_t expert = 0; expert < 8; ++expert)
        {
            const bool isHot = expert == (3 * group + 2 * layer + iteration) % 8;
            counts.Set(source, expert, isHot ? 900 : 10 + source + expert);
        }
    }
    return counts;
}

std::vector<uint64_t>
ListNumbers(const std::vector<ExpertTransfer>& transfers)
{
    std::vector<uint64_t> numbers;
    for (const ExpertTransfer& transfer : transfers)
    {
        numbers.insert(numbers.end(),
                       {transfer.expert, transfer.from, transfer.to, transfer.bytes});
    }
    return numbers;
}

/// \return all that is moved and computed where
std::vector<uint64_t>
ListNumbers(const ExpertPlan& plan)
{
    std::vector<uint64_t> numbers = ListNumbers(plan.weights);
    for (const TokenRoute& route : plan.routes)
    {
        numbers.insert(numbers.end(), {route.source, route.expert, route.host, route.tokens});
    }
    return numbers;
}

/// \return what is decided for a group in all iterations, one of some, or alone
std::vector<std::vector<uint64_t>>
LeadGroup(const std::string& type, uint32_t asked, const std::vector<uint32_t>& groups)
{
    ExpertSetting setting = MakeOneServer(kGroupedGpus, 8, 2, 500);
    setting.layers = kGroupedLayers;
    GroupedPolicy policy(MakePolicy(type, GetGroupedKeys(type)),
                         setting,
                         static_cast<uint32_t>(groups.size()));
    policy.Start();
    std::vector<std::vector<uint64_t>> decided;
    for (uint32_t iteration = 0; iteration < kGroupedIterations; ++iteration)
    {
        for (uint32_t place = 0; place < groups.size(); ++place)
        {
            for (uint32_t layer = 0; layer < kGroupedLayers; ++layer)
            {
                const auto moves = policy.BeginIteration(place, layer);
                const TokenCounts counts = MakeGroupedCounts(groups[place], layer, iteration);
                const ExpertPlan plan = policy.Plan(place, layer, counts);
                policy.Remember(place, layer, counts);
                if (groups[place] == asked)
                {
                    decided.push_back(ListNumbers(moves));
                    decided.push_back(ListNumbers(plan));
                }
            }
        }
        policy.EndIteration();
    }
    return decided;
}

class GroupedPolicyTest : public ::testing::TestWithParam<std::string>
{
};

TEST_P(GroupedPolicyTest, AGroupIsPlannedAsIfItWereAlone)
{
    if (GetParam() == "MicroMoe")
    {
        return; // it draws placements for all groups, one after the other
    }
    for (const uint32_t group : {0U, 1U, 2U})
    {
        EXPECT_EQ(LeadGroup(GetParam(), group, {0, 1, 2}), LeadGroup(GetParam(), group, {group}));
    }
    EXPECT_NE(LeadGroup(GetParam(), 0, {0}), LeadGroup(GetParam(), 1, {1}));
}

TEST_P(GroupedPolicyTest, OnlyWhatKnowsOneGroupRefusesSeveralMerged)
{
    const Ptr<ExpertPolicy> policy = MakePolicy(GetParam(), GetGroupedKeys(GetParam()));
    ExpertSetting setting = MakeOneServer(8, 8, 2, 500);
    setting.expertParallel = 4;
    if (!policy->GetTraits().plansOneGroup)
    {
        EXPECT_NO_THROW(policy->Check(setting));
        return;
    }
    try
    {
        policy->Check(setting);
        ADD_FAILURE() << "two groups are taken for one";
    }
    catch (const ConfigurationError& error)
    {
        const std::string message = error.what();
        EXPECT_NE(message.find("2 groups merged: leave merged_groups out"), std::string::npos)
            << message;
    }
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         GroupedPolicyTest,
                         ::testing::ValuesIn(FindPolicies()),
                         [](const auto& info) { return info.param; });

} // namespace

} // namespace ns3::rails::test
