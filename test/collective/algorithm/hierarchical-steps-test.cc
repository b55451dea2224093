// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hierarchical-steps.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

using Operation = GroupCollective::Operation;

constexpr Operation kRootedOperations[] = {Operation::Broadcast, Operation::Reduce};

/// What a GPU sends and gets.
struct Moved
{
    uint64_t sentInside{0};
    uint64_t sentAcross{0};
    uint64_t gotInside{0};
    uint64_t gotAcross{0};
};

GroupCollective
MakeCollective(Operation operation, uint64_t bytes, uint32_t root = 0)
{
    return {operation, bytes, root, 4};
}

/// \return volumes by GPU
std::vector<Moved>
CountMoved(const ClusterShape& shape, const CollectiveSteps& steps)
{
    std::vector<Moved> volumes(shape.GetGpus());
    for (const auto& step : steps)
    {
        for (uint32_t gpu = 0; gpu < shape.GetGpus(); ++gpu)
        {
            for (const Demand& demand : step->GetRow(gpu))
            {
                const bool isInside = shape.GetServer(gpu) == shape.GetServer(demand.destination);
                Moved& to = volumes[demand.destination];
                (isInside ? volumes[gpu].sentInside : volumes[gpu].sentAcross) += demand.bytes;
                (isInside ? to.gotInside : to.gotAcross) += demand.bytes;
            }
        }
    }
    return volumes;
}

std::vector<std::string>
GetHashes(const CollectiveSteps& steps)
{
    std::vector<std::string> hashes;
    for (const auto& step : steps)
    {
        hashes.push_back(step->GetHash());
    }
    return hashes;
}

} // namespace

TEST(HierarchicalStepsTest, ABroadcastBringsTheBufferToAllOnceAndAReduceTakesIt)
{
    constexpr uint32_t root = 13; // place 5 of server 1
    const ClusterShape shape{4, 8};
    const uint64_t bytes = 8'005; // parts of 1001 and 1000 bytes
    const auto got =
        CountMoved(shape,
                   MakeHierarchicalSteps(shape, MakeCollective(Operation::Broadcast, bytes, root)));
    const auto given =
        CountMoved(shape,
                   MakeHierarchicalSteps(shape, MakeCollective(Operation::Reduce, bytes, root)));
    for (uint32_t gpu = 0; gpu < 32; ++gpu)
    {
        EXPECT_EQ(got[gpu].gotInside + got[gpu].gotAcross, gpu == root ? 0 : bytes) << gpu;
        EXPECT_EQ(given[gpu].sentInside + given[gpu].sentAcross, gpu == root ? 0 : bytes) << gpu;
        // Each place has its part of the buffer on every other server.
        const uint64_t part = (gpu + 8 - root % 8) % 8 < 5 ? 1'001 : 1'000;
        EXPECT_EQ(got[gpu].gotAcross, gpu / 8 == root / 8 ? 0 : part) << gpu;
        EXPECT_EQ(given[gpu].sentAcross, got[gpu].gotAcross) << gpu;
    }
}

TEST(HierarchicalStepsTest, AllIsMovedWhateverTheSizesOfGroupsAndParts)
{
    const ClusterShape shape{4, 8};

    const struct
    {
        uint32_t size;
        GpuGroups::Layout layout;
        uint32_t onServer;
    } cases[] = {{32, GpuGroups::CONTIGUOUS, 8},
                 {16, GpuGroups::CONTIGUOUS, 8},
                 {16, GpuGroups::STRIDED, 4},
                 {8, GpuGroups::STRIDED, 2}};

    for (const auto& one : cases)
    {
        const GpuGroups groups(shape, one.size, one.layout);
        EXPECT_EQ(CountOnServers(groups), one.onServer);
        for (const Operation operation : kRootedOperations)
        {
            const GroupCollective collective = MakeCollective(operation, 10'007, one.size - 3);
            const CollectiveSteps steps = MakeHierarchicalSteps(groups, collective);
            EXPECT_EQ(steps.size(), CountHierarchicalSteps(groups, collective));
            uint64_t sum = 0;
            for (const auto& step : steps)
            {
                sum += step->GetTotalBytes();
            }
            EXPECT_EQ(sum, (one.size - 1) * 10'007 * groups.GetCount());
        }
    }
}

TEST(HierarchicalStepsTest, NothingLeavesItsRailBetweenServers)
{
    const ClusterShape shape{4, 8};
    for (const Operation operation : kRootedOperations)
    {
        for (const auto& step : MakeHierarchicalSteps(shape, MakeCollective(operation, 1'003, 13)))
        {
            for (uint32_t gpu = 0; gpu < 32; ++gpu)
            {
                for (const Demand& demand : step->GetRow(gpu))
                {
                    EXPECT_TRUE(gpu / 8 == demand.destination / 8 ||
                                gpu % 8 == demand.destination % 8);
                }
            }
        }
    }
}

TEST(HierarchicalStepsTest, NobodyPassesOnMoreThanItHasGot)
{
    const ClusterShape shape{3, 4};
    constexpr uint32_t root = 6;
    const CollectiveSteps steps =
        MakeHierarchicalSteps(shape, MakeCollective(Operation::Broadcast, 1'003, root));
    std::vector<uint64_t> got(12, 0);
    for (const auto& step : steps)
    {
        for (uint32_t gpu = 0; gpu < 12; ++gpu)
        {
            for (const Demand& demand : step->GetRow(gpu))
            {
                EXPECT_TRUE(gpu == root || demand.bytes <= got[gpu]) << gpu;
            }
        }
        for (uint32_t gpu = 0; gpu < 12; ++gpu)
        {
            for (const Demand& demand : step->GetRow(gpu))
            {
                got[demand.destination] += demand.bytes;
            }
        }
    }
}

TEST(HierarchicalStepsTest, WithoutTwoLevelsItIsTheRing)
{
    const ClusterShape shape{4, 8};
    for (const GpuGroups& groups : {GpuGroups(shape, 4, GpuGroups::CONTIGUOUS),
                                    GpuGroups(shape, 8, GpuGroups::CONTIGUOUS),
                                    GpuGroups(shape, 4, GpuGroups::STRIDED)})
    {
        for (const Operation operation : kRootedOperations)
        {
            const GroupCollective collective = MakeCollective(operation, 1'003, 3);
            const CollectiveSteps flat = MakeFlatSteps(groups, collective);
            EXPECT_EQ(GetHashes(MakeHierarchicalSteps(groups, collective)), GetHashes(flat));
            EXPECT_EQ(CountHierarchicalSteps(groups, collective), flat.size());
            EXPECT_EQ(CountFlatSteps(groups, collective), flat.size());
        }
    }
}

TEST(HierarchicalStepsTest, GroupsThatAreSpreadUnevenlyAreKnown)
{
    EXPECT_EQ(CountOnServers(GpuGroups({3, 4}, 6, GpuGroups::CONTIGUOUS)), 0U);
    EXPECT_EQ(CountOnServers(GpuGroups({3, 4}, 4, GpuGroups::STRIDED)), 0U);
    // One group inside a server, the next one over two.
    EXPECT_EQ(CountOnServers(GpuGroups({2, 3}, 2, GpuGroups::CONTIGUOUS)), 0U);
}

} // namespace ns3::rails
