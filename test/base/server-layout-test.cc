// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-layout.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3::rails;

namespace
{

using Indices = std::vector<uint16_t>;

TEST(ServerLayout, DealsInOrder)
{
    const ServerLayout alike(4, 4);
    const ServerLayout fewer(8, 2);
    const ServerLayout more(2, 4);
    for (uint16_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(alike.GetNearNics(i), Indices{i});
        EXPECT_EQ(alike.GetNearGpus(i), Indices{i});
    }
    EXPECT_EQ(fewer.GetNearNics(3), Indices{0});
    EXPECT_EQ(fewer.GetNearNics(4), Indices{1});
    EXPECT_EQ(fewer.GetNearGpus(1), (Indices{4, 5, 6, 7}));
    EXPECT_EQ(more.GetNearNics(1), (Indices{2, 3}));
    EXPECT_EQ(more.GetNearGpus(3), Indices{1});
}

TEST(ServerLayout, TakesTurnsAmongTheNicsNearAGpu)
{
    const ServerLayout layout(2, 4, {0, 1, 0, 1});
    EXPECT_EQ(layout.GetNearNic(0, 0), 0);
    EXPECT_EQ(layout.GetNearNic(0, 1), 2);
    EXPECT_EQ(layout.GetNearNic(1, 7), 3);
}

TEST(ServerLayout, SpeedsArePartsOfTheFastest)
{
    ServerLayout layout(2, 2);
    layout.SetNicRates({400, 100});
    EXPECT_FALSE(layout.HasEqualNics());
    EXPECT_EQ(layout.GetSpeed(0), 1);
    EXPECT_EQ(layout.GetSpeed(1), 0.25);
    layout.SetNicRates({100, 100});
    EXPECT_TRUE(layout.HasEqualNics());
    EXPECT_EQ(layout.GetSpeed(1), 1);
}

TEST(ServerLayout, RefusesWhoIsNearNobody)
{
    const auto getError = [](uint32_t gpus, uint32_t nics, const std::vector<uint32_t>& near) {
        try
        {
            const ServerLayout layout(gpus, nics, near);
        }
        catch (const std::invalid_argument& error)
        {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(getError(4, 2, {0, 0, 1, 1}), "");
    EXPECT_EQ(getError(4, 2, {0, 0, 0, 0}), "no GPU is near NIC 1");
    EXPECT_EQ(getError(2, 4, {0, 0, 0, 0}), "no NIC is near GPU 1");
    EXPECT_EQ(getError(4, 2, {0, 0, 1}), "expected the NIC near each of 4 GPUs; found 3 numbers");
    EXPECT_EQ(getError(4, 2, {0, 0, 1, 2}), "GPU 3 is near NIC 2, but they are 0 to 1");
}

} // namespace
