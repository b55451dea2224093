// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/chain-layout.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace ns3::rails
{

namespace
{

using Place = ChainLayout::Place;

} // namespace

TEST(ChainLayout, AChainIsAStream)
{
    ChainLayout layout;
    Place last = layout.Add({});
    for (uint32_t i = 0; i < 10; ++i)
    {
        last = layout.Add({last});
    }
    EXPECT_EQ(layout.GetStreams(), 1U);
    EXPECT_EQ(last.count, 11U);
}

TEST(ChainLayout, StreamsThatHaveMetAreUsedAgain)
{
    ChainLayout layout;
    Place begin = layout.Add({});
    for (uint32_t round = 0; round < 10; ++round)
    {
        std::vector<Place> ends;
        for (uint32_t i = 0; i < 7; ++i)
        {
            ends.push_back(layout.Add({layout.Add({begin})}));
        }
        begin = layout.Add(ends);
    }
    EXPECT_EQ(layout.GetStreams(), 7U);
}

TEST(ChainLayout, NobodyComesBetweenAReservationAndItsNode)
{
    ChainLayout layout;
    const Place begin = layout.Add({});
    layout.Reserve(begin.stream);
    const Place other = layout.Add({begin});
    EXPECT_NE(other.stream, begin.stream);
    const Place behind = layout.AddBehind(begin.stream);
    EXPECT_EQ(behind.stream, begin.stream);
    EXPECT_EQ(behind.count, begin.count + 1);
    EXPECT_EQ(layout.Add({behind}).stream, begin.stream);
}

TEST(ChainLayout, StreamsAddNothingToWhatNodesWaitFor)
{
    for (uint32_t seed = 0; seed < 300; ++seed)
    {
        std::mt19937 random(seed);
        ChainLayout layout;
        std::vector<Place> places;
        std::vector<std::set<uint32_t>> ancestors;
        std::map<uint32_t, uint32_t> last; // by stream
        for (uint32_t node = 0; node < 80; ++node)
        {
            std::set<uint32_t> all;
            std::map<uint32_t, Place> latest; // by stream
            for (uint32_t waits = node == 0 ? 0 : random() % 4; waits > 0; --waits)
            {
                const uint32_t other = node - 1 - random() % std::min(node, 15U);
                all.insert(other);
                all.insert(ancestors[other].begin(), ancestors[other].end());
                Place& place = latest.emplace(places[other].stream, places[other]).first->second;
                place.count = std::max(place.count, places[other].count);
            }
            std::vector<Place> before;
            for (const auto& [stream, place] : latest)
            {
                before.push_back(place);
            }
            places.push_back(layout.Add(before));
            ancestors.push_back(all);
            const uint32_t stream = places.back().stream;
            if (last.count(stream) > 0)
            {
                EXPECT_EQ(all.count(last[stream]), 1U) << seed << ": " << node;
                EXPECT_EQ(places.back().count, places[last[stream]].count + 1);
            }
            last[stream] = node;
        }
    }
}

} // namespace ns3::rails
