// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/chain-steps.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace ns3::rails
{

namespace
{

const ClusterShape kChainStepsShape{4, 1};

/// \return a chain over GPUs 2, 3, 0 and 1
std::vector<GpuRing>
MakeChain(uint64_t bytes)
{
    return MakeRings(kChainStepsShape, bytes, 2);
}

/// \return bytes of the only message of a GPU in a step, to the next GPU; 0: there is none
uint64_t
GetSent(const CollectiveSteps& steps, std::size_t step, uint32_t gpu)
{
    const std::vector<Demand>& row = steps.at(step)->GetRow(gpu);
    EXPECT_LE(row.size(), 1U);
    EXPECT_TRUE(row.empty() || row.front().destination == (gpu + 1) % 4);
    return row.empty() ? 0 : row.front().bytes;
}

} // namespace

TEST(ChainStepsTest, AGpuPassesOnAChunkInTheStepBehindTheOneThatBroughtIt)
{
    // Chunks of 4, 4, 3, 3 and 3 bytes.
    const CollectiveSteps steps = MakeChainSteps(kChainStepsShape, MakeChain(17), 5);
    ASSERT_EQ(steps.size(), 7U);
    const std::vector<uint64_t> chunks{4, 4, 3, 3, 3};
    for (uint32_t distance = 0; distance < 4; ++distance)
    {
        const uint32_t gpu = (2 + distance) % 4;
        for (uint32_t step = 0; step < 7; ++step)
        {
            const bool sends = distance < 3 && step >= distance && step - distance < 5;
            EXPECT_EQ(GetSent(steps, step, gpu), sends ? chunks[step - distance] : 0)
                << "GPU " << gpu << ", step " << step;
        }
    }
}

TEST(ChainStepsTest, AFewBytesGoDownInFewerChunks)
{
    const CollectiveSteps steps = MakeChainSteps(kChainStepsShape, MakeChain(2), 16);
    uint64_t bytes = 0;
    for (const auto& step : steps)
    {
        bytes += step->GetTotalBytes();
    }
    EXPECT_EQ(bytes, 3U * 2);
}

TEST(ChainStepsTest, StepsInWhichAllPassOnEqualChunksShareAMatrix)
{
    const auto count = [](const CollectiveSteps& steps) {
        return std::set<std::shared_ptr<const TrafficMatrix>>(steps.begin(), steps.end()).size();
    };
    // The chain fills in two steps and empties in two.
    EXPECT_EQ(count(MakeChainSteps(kChainStepsShape, MakeChain(1'000), 100)), 5U);
    EXPECT_EQ(count(MirrorSteps(MakeChainSteps(kChainStepsShape, MakeChain(1'000), 100))), 5U);
    EXPECT_EQ(count(MakeChainSteps(kChainStepsShape, MakeChain(1'001), 100)), 102U);
}

TEST(ChainStepsTest, TheMirrorGoesTheSameWaysBackwards)
{
    const CollectiveSteps steps = MakeChainSteps(kChainStepsShape, MakeChain(17), 5);
    const CollectiveSteps mirror = MirrorSteps(steps);
    ASSERT_EQ(mirror.size(), steps.size());
    for (std::size_t step = 0; step < steps.size(); ++step)
    {
        EXPECT_EQ(mirror[step]->GetHash(), steps[6 - step]->Transpose().GetHash()) << step;
    }
}

} // namespace ns3::rails
