// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/layer-layout.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Layers = std::vector<uint32_t>;

Layers
Read(const std::string& text)
{
    return LayerLayout::Parse(text).layers;
}

std::string
FindError(const std::string& text)
{
    try
    {
        LayerLayout::Parse(text);
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(LayerLayout, EvenNamesNoNumbers)
{
    EXPECT_TRUE(Read("even").empty());
}

// Qwen3-235B on eight stages with twelve chunks each: 94 layers in 96 chunks.
TEST(LayerLayout, EmbeddingAndLossMayCountAsLayers)
{
    const LayerLayout both = LayerLayout::Parse("even+embedding+loss");
    EXPECT_EQ(both.CountDealt(94), 96U);
    EXPECT_EQ(both.GetLayers(0, 96, 94), std::make_pair(0U, 0U));
    EXPECT_EQ(both.GetLayers(1, 96, 94), std::make_pair(0U, 1U));
    EXPECT_EQ(both.GetLayers(94, 96, 94), std::make_pair(93U, 94U));
    EXPECT_EQ(both.GetLayers(95, 96, 94), std::make_pair(94U, 94U));
    const auto count = [](const std::string& text, uint32_t parts, uint32_t layers) {
        Layers counts;
        for (uint32_t part = 0; part < parts; ++part)
        {
            const auto [first, end] = LayerLayout::Parse(text).GetLayers(part, parts, layers);
            counts.push_back(end - first);
        }
        return counts;
    };
    EXPECT_EQ(count("even", 4, 10), (Layers{3, 3, 2, 2}));
    EXPECT_EQ(count("even+embedding+loss", 4, 10), (Layers{2, 3, 3, 2}));
    EXPECT_EQ(count("even+embedding", 4, 11), (Layers{2, 3, 3, 3}));
    EXPECT_EQ(count("even+loss", 4, 11), (Layers{3, 3, 3, 2}));
    EXPECT_EQ(count("even+embedding+loss", 1, 10), (Layers{10}));
    EXPECT_EQ(count("even+embedding+loss", 4, 11), (Layers{3, 3, 3, 2})); // 13: one more in front
}

TEST(LayerLayout, WhatPredictsMoreTokensIsBehindAllElse)
{
    LayerLayout even = LayerLayout::Parse("even+embedding");
    even.AddPredictions(2);
    EXPECT_EQ(even.CountDealt(9), 8U);
    EXPECT_EQ(even.GetLayers(0, 4, 9), std::make_pair(0U, 1U));
    EXPECT_EQ(even.GetLayers(2, 4, 9), std::make_pair(3U, 5U));
    EXPECT_EQ(even.GetLayers(3, 4, 9), std::make_pair(5U, 9U));
    LayerLayout list = LayerLayout::Parse("[3, 2]");
    list.AddPredictions(1);
    EXPECT_EQ(list.layers, (Layers{3, 3}));
    EXPECT_EQ(list.predictions, 1U);
    LayerLayout letters = LayerLayout::Parse("Ett|m|L");
    letters.AddPredictions(1);
    EXPECT_EQ(letters.layers, (Layers{2, 1, 0}));
    EXPECT_EQ(letters.predictions, 1U);
}

TEST(LayerLayout, AListHasThemAll)
{
    EXPECT_EQ(Read("[3, 2, 0, 4]"), (Layers{3, 2, 0, 4}));
    for (const std::string text : {"[]", "[3, x]", "[-1, 2]"})
    {
        EXPECT_NE(FindError(text).find("as [3, 2, 2]"), std::string::npos) << text;
    }
}

TEST(LayerLayout, LettersOfMegatronStandForLayersBetweenBars)
{
    EXPECT_EQ(Read("EttL"), (Layers{2}));
    EXPECT_EQ(Read("Et|tt|t|L"), (Layers{1, 2, 1, 0}));
    EXPECT_EQ(Read("E||t|L"), (Layers{0, 0, 1, 0}));
    EXPECT_EQ(Read("Et, t | tL"), (Layers{2, 1}));
}

TEST(LayerLayout, WhatIsBeforeAStarIsRepeated)
{
    EXPECT_EQ(Read("Et*3|(tt|)*2L"), (Layers{3, 2, 2, 0}));
    EXPECT_EQ(Read("E(t(t|)*2)*2tL"), (Layers{2, 1, 2, 1, 1}));
    EXPECT_EQ(Read("E(t|)*0tL"), (Layers{1}));
}

// 61 layers of DeepSeek-V3 and one of multi-token prediction, on 16 stages with two chunks.
TEST(LayerLayout, OnesOfDeepSeekV3AreThoseOfMegatron)
{
    const LayerLayout issue = LayerLayout::Parse("Et|(tt|)*30mL");
    Layers expected(32, 2);
    expected.front() = 1;
    expected.back() = 1;
    EXPECT_EQ(issue.layers, expected);
    EXPECT_EQ(issue.predictions, 1U);

    const LayerLayout documented = LayerLayout::Parse("Et*3|(tt|)*29,m|L");
    expected.assign(32, 2);
    expected[0] = 3;
    expected[30] = 1;
    expected[31] = 0;
    EXPECT_EQ(documented.layers, expected);
    EXPECT_EQ(documented.predictions, 1U);
}

TEST(LayerLayout, SaysWhatIsWrongAndWhere)
{
    const std::vector<std::vector<std::string>> cases{
        {"Etx|tL", "unexpected 'x' at character 3", "such as"},
        {"even+head", "expected even, even+embedding", "found even+head"},
        {"even+loss+embedding", "even+embedding+loss, found"},
        {"uneven", "unexpected 'u' at character 1", "even, a list"},
        {"", "found nothing"},
        {"E(t|tL", "'(' is not closed at character 2"},
        {"Et)|tL", "')' closes nothing at character 3"},
        {"Et|ü", "unexpected 'ü' at character 4"},
        {"E" + std::string(100'000, '('), "more than 100 '(' are open"},
        {"Et*|tL", "'*' needs a number behind it at character 4"},
        {"E(t|)*100000L", "more than 100000"},
        {"Et*99999999999999999999L", "more than 100000"},
        {"tt|tL", "E, the embedding, is the first"},
        {"t|EtL", "E, the embedding, is the first"},
        {"Et|EtL", "E, the embedding, is the first"},
        {"Et|tt", "L, head and loss, is the last"},
        {"EtL|t", "L, head and loss, is the last"},
        {"EtL|tL", "L, head and loss, is the last"},
        {"Etm|tL", "comes behind all t"}};
    for (const std::vector<std::string>& one : cases)
    {
        for (std::size_t i = 1; i < one.size(); ++i)
        {
            EXPECT_NE(FindError(one.front()).find(one[i]), std::string::npos)
                << one.front() << ": " << FindError(one.front());
        }
    }
}

} // namespace ns3::rails
