// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-chooser.h"
#include "ns3/collective-estimate.h"
#include "ns3/collective-options.h"
#include "ns3/collective.h"
#include "ns3/rails-error.h"
#include "ns3/server-layout.h"
#include "ns3/tree-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Operation = CollectiveOperation;

constexpr CollectiveChoice kAsked{ALGORITHM_AUTOMATIC, kAutomaticRings};

CollectiveChoice
Choose(const GpuPartition& groups,
       Operation operation,
       uint64_t bytes,
       const CollectiveChoice& asked = kAsked,
       const ClusterRates& rates = {})
{
    return ChooseCollective(CollectiveGroups(groups, rates), operation, bytes, asked);
}

void
ExpectChoice(const CollectiveChoice& is, CollectiveAlgorithm algorithm, uint32_t rings)
{
    EXPECT_STREQ(GetName(is.algorithm), GetName(algorithm));
    EXPECT_EQ(is.rings, rings);
}

Collective
MakeCollective(const GpuPartition& groups,
               const Collective::Task& task,
               const CollectiveChoice& choice,
               const ClusterRates& rates = {})
{
    return {std::make_shared<const CollectiveGroups>(groups, rates), task, choice};
}

/// What a GPU sends.
struct Volume
{
    uint64_t inside{0};
    uint64_t across{0};
};

std::vector<Volume>
CountVolumes(const ClusterShape& shape, const Collective& collective)
{
    std::vector<Volume> volumes(shape.GetGpus());
    for (uint32_t step = 0; step < collective.GetTraits().steps; ++step)
    {
        for (uint32_t gpu = 0; gpu < shape.GetGpus(); ++gpu)
        {
            for (const Demand& demand : collective.GetSends(gpu, step))
            {
                const bool isInside = shape.GetServer(gpu) == shape.GetServer(demand.destination);
                (isInside ? volumes[gpu].inside : volumes[gpu].across) += demand.bytes;
            }
        }
    }
    return volumes;
}

TEST(CollectiveChoice, IsWhatIsEstimatedToBeTheFastestUnlessAskedFor)
{
    const GpuPartition many({8, 8});                                // 8 GPUs on each of 8 servers
    const GpuPartition one({1, 8});                                 // on one server
    const GpuPartition rail({8, 8}, 8, GpuPartition::STRIDED);      // a GPU on each
    const GpuPartition uneven({3, 4}, 6, GpuPartition::CONTIGUOUS); // 4 and 2, 2 and 4
    const GpuPartition two({2, 8});
    const uint64_t large = 1'073'741'824;
    // Of 126 steps of rings 16 cross; in two levels 14 do; of a tree twice its height.
    ExpectChoice(Choose(many, Operation::AllReduce, large), ALGORITHM_RING, 8);
    ExpectChoice(Choose(many, Operation::AllReduce, 8192), ALGORITHM_TREE, 8);
    ExpectChoice(Choose(rail, Operation::AllReduce, large), ALGORITHM_RING, 1);
    ExpectChoice(Choose(rail, Operation::AllReduce, 8192), ALGORITHM_TREE, 1);
    ExpectChoice(Choose(uneven, Operation::AllGather, large), ALGORITHM_RING, 4);
    ExpectChoice(Choose(one, Operation::AllReduce, 1), ALGORITHM_RING, 1);
    // Two servers: an all-gather in two levels crosses once; each of two trees takes half of the
    // buffer over once each way.
    ExpectChoice(Choose(two, Operation::AllGather, 8192), ALGORITHM_HIERARCHICAL, 8);
    ExpectChoice(Choose(two, Operation::AllReduce, large), ALGORITHM_TREE, 8);
    // Trees pass on more by NVLink, which all channels share.
    ClusterRates slow;
    slow.gpuBps = 1'800'000'000'000;
    ExpectChoice(Choose({{16, 8}}, Operation::AllReduce, 16'777'216, kAsked, slow),
                 ALGORITHM_RING,
                 8);
    // Three DGX H100: trees take 5.09 ms in both engines, rings 5.55.
    slow.gpuBps = 2'960'000'000'000;
    ExpectChoice(Choose({{3, 8}}, Operation::AllReduce, 1 << 30, kAsked, slow), ALGORITHM_TREE, 8);
    // What is asked for is left.
    ExpectChoice(Choose(many, Operation::AllReduce, large, {ALGORITHM_TREE, 3}), ALGORITHM_TREE, 3);
    ExpectChoice(Choose(many, Operation::AllReduce, large, {ALGORITHM_HIERARCHICAL, 1}),
                 ALGORITHM_HIERARCHICAL,
                 1);
    ExpectChoice(Choose(rail, Operation::AllReduce, large, {ALGORITHM_HIERARCHICAL, 1}),
                 ALGORITHM_RING,
                 1);
}

TEST(Collective, DirectSendsEachPartStraightToItsOwnerOrFromIt)
{
    // Two servers of two GPUs; of 10 bytes parts have 3, 3, 2 and 2.
    const GpuPartition groups({2, 2});
    const CollectiveChoice choice =
        Choose(groups, Operation::AllReduce, 10, {ALGORITHM_DIRECT, kAutomaticRings});
    ExpectChoice(choice, ALGORITHM_DIRECT, 1);
    const uint64_t parts[] = {3, 3, 2, 2};
    const auto send = [&](Operation operation, uint32_t gpu, uint32_t step) {
        return MakeCollective(groups, {operation, 10}, choice).GetSends(gpu, step);
    };
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        for (const Demand& demand : send(Operation::ReduceScatter, gpu, 0))
        {
            EXPECT_EQ(demand.bytes, parts[demand.destination]);
        }
        for (const Demand& demand : send(Operation::AllGather, gpu, 0))
        {
            EXPECT_EQ(demand.bytes, parts[gpu]);
        }
        EXPECT_EQ(send(Operation::AllReduce, gpu, 0).size(), 3U);
        EXPECT_EQ(send(Operation::AllReduce, gpu, 1).size(), 3U);
        EXPECT_EQ(send(Operation::AllReduce, gpu, 1).front().bytes, parts[gpu]);
    }
    const Collective direct = MakeCollective(groups, {Operation::AllReduce, 10}, choice);
    EXPECT_EQ(direct.GetTraits().steps, 2U);
    EXPECT_EQ(direct.CountBytes(), 60);
    EXPECT_EQ(direct.GetReceived(0, 0), 9U);
    EXPECT_EQ(direct.GetReceived(0, 1), 7U);
    EXPECT_EQ(direct.GetRail(0, 0).rail, kNoRail);
    EXPECT_THROW(CheckCollective(CollectiveGroups(groups, {}), {ALGORITHM_DIRECT, 2}),
                 ConfigurationError);
    // Over NICs go two of four parts of each GPU, at 50 GB/s, and again.
    const double time = EstimateCollective(CollectiveGroups(groups, {}),
                                           Operation::AllReduce,
                                           1'000'000'000,
                                           choice);
    EXPECT_NEAR(time / (2 * 0.5 / 50), 1, 0.05) << "with headers of frames";
}

TEST(CollectiveChooser, RemembersAndTellsApart)
{
    CollectiveChooser chooser;
    const uint64_t large = 1'073'741'824;
    for (int turn = 0; turn < 2; ++turn)
    {
        for (const GpuPartition& groups : {GpuPartition({8, 8}),
                                           GpuPartition({2, 8}),
                                           GpuPartition({8, 8}, 8, GpuPartition::STRIDED)})
        {
            for (const uint64_t bytes : {uint64_t{8192}, large})
            {
                for (const Operation operation : {Operation::AllGather, Operation::AllReduce})
                {
                    const CollectiveChoice known =
                        chooser.Choose(CollectiveGroups(groups, {}), operation, bytes, kAsked);
                    const CollectiveChoice chosen = Choose(groups, operation, bytes);
                    ExpectChoice(known, chosen.algorithm, chosen.rings);
                }
            }
        }
    }
}

TEST(CollectiveChoice, RingsAreTheNicsNearAGroupsGpus)
{
    ClusterRates shared; // two GPUs share a NIC
    shared.nearRails = {{0}, {0}, {1}, {1}};
    const CollectiveChoice rings{ALGORITHM_RING, kAutomaticRings};
    const GpuPartition pairs({4, 4, 2}, 8, GpuPartition::STRIDED); // GPUs 0 and 2, or 1 and 3
    ExpectChoice(Choose({{4, 4, 2}}, Operation::AllGather, 1, rings, shared), ALGORITHM_RING, 2);
    ExpectChoice(Choose(pairs, Operation::AllGather, 1, rings, shared), ALGORITHM_RING, 2);
    ClusterRates optical; // of four NICs the last two lead to circuits
    optical.nearRails = {{0}, {1}, {}, {}};
    ExpectChoice(Choose({{4, 4}}, Operation::AllGather, 1, rings, optical), ALGORITHM_RING, 2);
    const GpuPartition alone({4, 4}, 4, GpuPartition::STRIDED); // two of them have no packet NIC
    ExpectChoice(Choose(alone, Operation::AllGather, 1, rings, optical), ALGORITHM_RING, 1);
    ClusterRates several; // each GPU has two
    several.nearRails = {{0, 1}, {2, 3}};
    ExpectChoice(Choose({{4, 2, 4}},
                        Operation::AllGather,
                        1,
                        {ALGORITHM_HIERARCHICAL, kAutomaticRings},
                        several),
                 ALGORITHM_HIERARCHICAL,
                 4);
}

TEST(Collective, SaysWhetherAGroupHasFewerNicsOnOneOfItsServers)
{
    const CollectiveChoice choice{ALGORITHM_RING, 5};
    const GpuPartition uneven({8, 5},
                              8,
                              GpuPartition::CONTIGUOUS); // 5 and 3 of a server, and so on
    const Collective::Task task{Operation::AllGather};
    EXPECT_TRUE(MakeCollective(uneven, task, choice).Describe(0).isUneven);
    EXPECT_FALSE(MakeCollective({{8, 5}}, task, choice).Describe(0).isUneven);
}

TEST(CollectiveEstimate, TheSlowestGroupDecides)
{
    // Four groups with a GPU on each of two servers; the rail of the last one is slow.
    class SlowRail : public FabricPaths
    {
      public:
        Way Find(uint32_t fromNic, uint32_t, uint32_t) const override
        {
            return {{{fromNic, 1}}, 1e-6, 0};
        }

        double GetRate(uint32_t link) const override
        {
            return link % 4 == 3 ? 40e9 : 400e9;
        }

        uint64_t GetVariant() const override
        {
            return 0;
        }
    };

    ClusterRates rates;
    rates.ways = std::make_shared<const SlowRail>();
    const std::vector<std::vector<uint32_t>> fast{{0, 4}, {1, 5}, {2, 6}};
    std::vector<std::vector<uint32_t>> all(fast);
    all.push_back({3, 7});
    const uint64_t bytes = 1'073'741'824;
    for (const CollectiveAlgorithm algorithm : {ALGORITHM_RING, ALGORITHM_TREE})
    {
        const auto estimate = [&](const std::vector<std::vector<uint32_t>>& groups) {
            return EstimateCollective(CollectiveGroups({{2, 4}, groups}, rates),
                                      Operation::AllReduce,
                                      bytes,
                                      {algorithm, 1});
        };
        EXPECT_NEAR(estimate(all), 10 * estimate(fast), 0.01 * estimate(all));
    }
}

TEST(Collective, InTwoLevelsGpusNearNoNicShareAllEvenly)
{
    ClusterRates optical; // of four NICs the last two lead to circuits
    optical.nearRails = {{0}, {1}, {}, {}};
    const CollectiveChoice levels{ALGORITHM_HIERARCHICAL, 4};
    const Collective collective =
        MakeCollective({{2, 4}}, {Operation::AllGather, 8192}, levels, optical);
    std::vector<uint32_t> gpus(2);
    for (uint32_t gpu = 0; gpu < 4; ++gpu)
    {
        ++gpus.at(collective.GetRail(gpu, 0).rail);
    }
    EXPECT_EQ(gpus, (std::vector<uint32_t>{2, 2}));
}

TEST(CollectiveChoice, HierarchicalIsRefusedWhereItCannotBe)
{
    const CollectiveGroups uneven({{3, 4}, 6, GpuPartition::CONTIGUOUS}, {});
    const CollectiveGroups even(GpuPartition({8, 8}), {});
    const auto check = [](const CollectiveGroups& groups, uint32_t rings) {
        CheckCollective(groups, {ALGORITHM_HIERARCHICAL, rings});
    };
    EXPECT_THROW(check(uneven, 1), ConfigurationError);
    EXPECT_THROW(check(even, 4), ConfigurationError);
    EXPECT_NO_THROW(check(even, 1));
    EXPECT_NO_THROW(check(even, kAutomaticRings));
    EXPECT_NO_THROW(CheckCollective(uneven, {ALGORITHM_RING, 5}));
}

TEST(Collective, RingsTakeTheNicsOfAServerByTurns)
{
    const ClusterShape shape{8, 8};
    const uint64_t bytes = 64 * 8 * 1'000;
    const Collective collective =
        MakeCollective(shape, {Operation::AllReduce, bytes}, {ALGORITHM_RING, 8});
    std::map<std::pair<uint32_t, uint16_t>, uint64_t> across; // by server and rail
    for (uint32_t step = 0; step < collective.GetTraits().steps; ++step)
    {
        for (uint32_t gpu = 0; gpu < 64; ++gpu)
        {
            for (const Demand& send : collective.GetSends(gpu, step))
            {
                if (send.destination / 8 != gpu / 8)
                {
                    const uint16_t rail = collective.GetRail(gpu, step).rail;
                    across[{gpu / 8, rail}] += send.bytes;
                    EXPECT_EQ(send.destination % 8, rail) << "it enters at the GPU of its NIC";
                }
            }
        }
    }
    EXPECT_EQ(across.size(), 64U);
    for (const auto& [nic, sum] : across)
    {
        EXPECT_EQ(sum, 2 * 63 * 1'000U) << nic.first << " " << nic.second;
    }
    const Collective single =
        MakeCollective(shape, {Operation::AllReduce, bytes}, {ALGORITHM_RING, 1});
    EXPECT_EQ(single.GetRail(7, 0).rail, kNoRail);
}

TEST(Collective, WhateverNicsThereAreRingsAndTreesComeAndGoByGpusNearTheirs)
{
    for (const uint32_t nics : {2U, 4U, 8U, 16U})
    {
        const ClusterShape shape{2, 8, nics};
        const ServerLayout layout(8, nics);
        for (const CollectiveAlgorithm algorithm : {ALGORITHM_RING, ALGORITHM_TREE})
        {
            const uint32_t rings = 2 * nics;
            const uint64_t bytes = 64 * rings;
            const Collective collective =
                MakeCollective(shape, {Operation::AllReduce, bytes}, {algorithm, rings});
            const uint32_t perLane = collective.CountLaneSteps();
            const uint32_t lanesOfOne = algorithm == ALGORITHM_TREE ? TreeSchedule::kWindow : 1;
            std::map<RailQueue, uint32_t> owners; // which ring or tree has a queue pair
            for (uint32_t step = 0; step < collective.GetTraits().steps; ++step)
            {
                for (uint32_t gpu = 0; gpu < 16; ++gpu)
                {
                    for (const Demand& send : collective.GetSends(gpu, step))
                    {
                        const RailQueue on = collective.GetRail(gpu, step);
                        const auto isNear = [&](uint32_t end) {
                            const auto& near = layout.GetNearNics(shape.GetLocal(end));
                            return std::count(near.begin(), near.end(), on.rail) > 0;
                        };
                        if (shape.GetServer(send.destination) == shape.GetServer(gpu))
                        {
                            continue;
                        }
                        EXPECT_TRUE(isNear(send.destination)) << nics << " NICs, " << gpu;
                        // A ring has to go out by a GPU that is near another NIC if one alone is
                        // near its own.
                        EXPECT_EQ(isNear(gpu), algorithm == ALGORITHM_TREE || nics < 8);
                        const uint32_t owner = step / perLane / lanesOfOne;
                        EXPECT_EQ(owners.try_emplace(on, owner).first->second, owner);
                    }
                }
            }
            EXPECT_EQ(owners.size(), rings * (algorithm == ALGORITHM_TREE ? 2 : 1));
        }
    }
}

TEST(Collective, InTwoLevelsBytesInsideAndAcrossAreThoseOfTheClosedForms)
{
    for (const uint32_t servers : {2U, 3U, 4U})
    {
        for (const uint32_t onServer : {2U, 4U, 8U})
        {
            const ClusterShape shape{servers, onServer};
            const uint64_t part = 1'000;
            const uint64_t bytes = part * servers * onServer;
            for (const auto& [operation, rounds] : {std::pair(Operation::AllReduce, 2),
                                                    std::pair(Operation::AllGather, 1),
                                                    std::pair(Operation::ReduceScatter, 1)})
            {
                const Collective collective =
                    MakeCollective(shape, {operation, bytes}, {ALGORITHM_HIERARCHICAL, onServer});
                for (const Volume& volume : CountVolumes(shape, collective))
                {
                    // (k - 1) / (m k) and (m - 1) / m of the buffer.
                    EXPECT_EQ(volume.across, rounds * (servers - 1) * part);
                    EXPECT_EQ(volume.inside, rounds * (onServer - 1) * part * servers);
                }
                EXPECT_EQ(collective.GetRail(1, 0).rail, 1);
            }
        }
    }
}

TEST(Collective, ATreeSendsAsMuchAsARingFromEachServer)
{
    const ClusterShape shape{6, 4};
    const uint64_t bytes = 8 * 64 * 1'000;
    const Collective collective =
        MakeCollective(shape, {Operation::AllReduce, bytes}, {ALGORITHM_TREE, 4});
    const std::vector<Volume> volumes = CountVolumes(shape, collective);
    for (uint32_t server = 0; server < 6; ++server)
    {
        uint64_t across = 0;
        for (uint32_t gpu = 0; gpu < 4; ++gpu)
        {
            across += volumes[4 * server + gpu].across;
        }
        // Two trees of half the buffer: up and down to two, or up. The roots send down to one.
        const bool isRoot = server == 0 || server == 5;
        EXPECT_EQ(across, isRoot ? bytes : 2 * bytes) << server;
    }
}

TEST(Collective, GroupsOnDifferentNumbersOfServersHaveAsManySteps)
{
    // Six GPUs on two servers, or on three: trees of two heights.
    const GpuPartition groups({4, 3}, 4, GpuPartition::CONTIGUOUS);
    const uint64_t bytes = 12'000;
    for (const CollectiveAlgorithm algorithm : {ALGORITHM_RING, ALGORITHM_TREE})
    {
        const Collective collective =
            MakeCollective(groups, {Operation::AllReduce, bytes}, {algorithm, 3});
        uint64_t sum = 0;
        for (const Volume& volume : CountVolumes({4, 3}, collective))
        {
            sum += volume.inside + volume.across;
        }
        EXPECT_EQ(sum, 3U * 2 * 3 * bytes) << GetName(algorithm);
    }
}

} // namespace

} // namespace ns3::rails
