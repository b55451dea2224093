// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/chain-schedule.h"
#include "ns3/even-parts.h"
#include "ns3/hierarchical-schedule.h"
#include "ns3/ring-schedule.h"
#include "ns3/tree-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

using Operation = CollectiveOperation;
using Place = CollectiveSchedule::Place;

constexpr Operation kCollectives[] = {Operation::AllReduce,
                                      Operation::AllGather,
                                      Operation::ReduceScatter};

/// A schedule, and what it is of.
struct Case
{
    std::string name;
    MembersByServer servers;
    Operation operation;
    uint64_t bytes;
    bool isMerged; //!< steps are taken together
    std::unique_ptr<CollectiveSchedule> schedule;
};

/// \return members dealt to servers in an order drawn at random
MembersByServer
Draw(std::mt19937& random, bool isEven)
{
    const uint32_t servers = 1 + random() % 6;
    const uint32_t perServer = 1 + random() % 5;
    MembersByServer drawn(servers);
    std::vector<uint32_t> places;
    for (uint32_t server = 0; server < servers; ++server)
    {
        const uint32_t here = isEven ? perServer : 1 + random() % 5;
        places.insert(places.end(), here, server);
    }
    std::shuffle(places.begin(), places.end(), random);
    for (uint32_t member = 0; member < places.size(); ++member)
    {
        drawn[places[member]].push_back(member);
    }
    return drawn;
}

/// \return one or several NICs for each member, which may share them
std::vector<MembersByNic>
DrawNics(std::mt19937& random, const MembersByServer& servers)
{
    std::vector<MembersByNic> drawn;
    for (const std::vector<uint32_t>& members : servers)
    {
        MembersByNic& nics = drawn.emplace_back(1 + random() % 6);
        for (std::size_t i = 0; i < std::max(nics.size(), members.size()); ++i)
        {
            nics[i % nics.size()].push_back(members[i % members.size()]);
        }
    }
    return drawn;
}

std::vector<Case>
DrawCases()
{
    std::mt19937 random(31);
    std::vector<Case> cases;
    while (cases.size() < 300)
    {
        const MembersByServer servers = Draw(random, random() % 2 == 0);
        if (CountMembers(servers) < 2)
        {
            continue;
        }
        const GroupSpread spread{servers, DrawNics(random, servers)};
        const uint32_t most = random() % 2 == 0 ? 1 + random() % 8 : RingSchedule::kAllSteps;
        Case one{"",
                 servers,
                 kCollectives[random() % 3],
                 1 + random() % 3'000'000,
                 most != RingSchedule::kAllSteps,
                 nullptr};
        const uint32_t lanes = 1 + random() % 4;
        const bool hasLevels = servers.size() > 1 && CountPerServer(servers) > 1;
        const uint32_t kind = random() % (hasLevels ? 3 : 2);
        const uint32_t rounds = one.operation == Operation::AllReduce ? 2 : 1;
        if (kind == 0)
        {
            one.schedule = std::make_unique<RingSchedule>(spread, lanes, rounds, most);
        }
        else if (kind == 1)
        {
            one.schedule = std::make_unique<TreeSchedule>(spread, lanes, one.operation);
        }
        else
        {
            one.schedule =
                std::make_unique<HierarchicalSchedule>(servers, lanes, one.operation, most);
        }
        one.name = "case " + std::to_string(cases.size()) + ", kind " + std::to_string(kind);
        cases.push_back(std::move(one));
    }
    while (cases.size() < 400)
    {
        const uint32_t perServer = 1 + random() % 5;
        const uint32_t members = perServer * (2 + random() % 5);
        const Operation operation = random() % 2 == 0 ? Operation::Broadcast : Operation::Reduce;
        const uint32_t root = random() % members;
        const uint32_t chunks = 1 + random() % 20;
        cases.push_back(
            {"case " + std::to_string(cases.size()) + ", a chain",
             MembersByServer(1, std::vector<uint32_t>(members)),
             operation,
             1 + random() % 3'000,
             false,
             std::make_unique<ChainSchedule>(members, perServer, operation, root, chunks)});
    }
    return cases;
}

using Ways = std::map<std::pair<uint32_t, uint32_t>, uint64_t>; // bytes by sender and receiver

TEST(CollectiveSchedule, WhatIsSentIsWhatIsGotPairByPairAndAllOfItIsCounted)
{
    for (const Case& one : DrawCases())
    {
        SCOPED_TRACE(one.name);
        const uint32_t members = CountMembers(one.servers);
        double sum = 0;
        for (uint32_t lane = 0; lane < one.schedule->CountLanes(); ++lane)
        {
            for (uint32_t step = 0; step < one.schedule->CountSteps(one.bytes); ++step)
            {
                Ways sent;
                Ways got;
                for (uint32_t member = 0; member < members; ++member)
                {
                    const Place place{member, lane, step};
                    for (const auto& share : one.schedule->GetSends(place, one.bytes))
                    {
                        EXPECT_NE(share.member, member);
                        EXPECT_GT(share.bytes, 0U);
                        EXPECT_TRUE(
                            sent.emplace(std::pair(member, share.member), share.bytes).second);
                        sum += static_cast<double>(share.bytes);
                    }
                    for (const auto& share : one.schedule->GetReceipts(place, one.bytes))
                    {
                        EXPECT_TRUE(
                            got.emplace(std::pair(share.member, member), share.bytes).second);
                    }
                }
                ASSERT_EQ(sent, got);
            }
        }
        // Parts of trees are rounded down, a byte for each edge, chunk and lane.
        const double counted = one.schedule->CountBytes(static_cast<double>(one.bytes));
        const double edges = members * one.schedule->CountLanes() * TreeSchedule::kMostChunks;
        EXPECT_NEAR(sum, counted, edges);
    }
}

TEST(CollectiveSchedule, StepsThatAreSaidToBeAlikeMoveTheSame)
{
    for (const Case& one : DrawCases())
    {
        const uint32_t different = one.schedule->CountDifferentSteps(one.bytes);
        for (uint32_t step = different; step < one.schedule->CountSteps(one.bytes); ++step)
        {
            for (uint32_t member = 0; member < CountMembers(one.servers); ++member)
            {
                const auto here = one.schedule->GetSends({member, 0, step}, one.bytes);
                const auto like = one.schedule->GetSends({member, 0, step % different}, one.bytes);
                ASSERT_EQ(here.size(), like.size()) << one.name;
                ASSERT_TRUE(here.empty() ||
                            (here[0].member == like[0].member && here[0].bytes == like[0].bytes))
                    << one.name;
            }
        }
    }
}

TEST(CollectiveSchedule, AMemberOfAnAllGatherPassesOnNoMoreThanItHasGot)
{
    for (const Case& one : DrawCases())
    {
        if (one.operation != Operation::AllGather || one.isMerged)
        {
            continue;
        }
        SCOPED_TRACE(one.name);
        const uint32_t members = CountMembers(one.servers);
        for (uint32_t lane = 0; lane < one.schedule->CountLanes(); ++lane)
        {
            // A part of its own is the largest share, rounded up wherever it is divided.
            std::vector<uint64_t> has(members,
                                      one.bytes / members / one.schedule->CountLanes() + 2 +
                                          TreeSchedule::kMostChunks);
            for (uint32_t step = 0; step < one.schedule->CountSteps(one.bytes); ++step)
            {
                std::vector<uint64_t> gets(members, 0);
                for (uint32_t member = 0; member < members; ++member)
                {
                    for (const auto& share :
                         one.schedule->GetSends({member, lane, step}, one.bytes))
                    {
                        ASSERT_LE(share.bytes, has[member]) << member << " in step " << step;
                        gets[share.member] += share.bytes;
                    }
                }
                for (uint32_t member = 0; member < members; ++member)
                {
                    has[member] += gets[member];
                }
            }
        }
    }
}

TEST(RingSchedule, PartsTakenTogetherAreTheSumOfThoseOneByOne)
{
    std::mt19937 random(7);
    for (uint32_t turn = 0; turn < 2'000; ++turn)
    {
        const uint32_t size = 2 + random() % 20;
        const uint32_t member = random() % size;
        const uint64_t bytes = random() % 1'000;
        const uint32_t first = random() % (2 * size);
        const uint32_t end = first + 1 + random() % (3 * size);
        uint64_t sum = 0;
        for (uint32_t step = first; step < end; ++step)
        {
            sum += GetPart(bytes, size, (member + size - step % size) % size);
        }
        ASSERT_EQ(SumRingParts(bytes, size, member, first, end), sum)
            << bytes << " bytes, size " << size << ", " << member << ", " << first << " to " << end;
    }
}

TEST(RingSchedule, EachRingEntersAndLeavesAServerAtItsOwnMembers)
{
    // Servers of 4 and 3: ring r comes to a server at its r-th member.
    const MembersByServer servers{{0, 2, 4, 6}, {1, 3, 5}};
    const RingSchedule rings({servers}, 4, 1);
    const uint32_t entries[4][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 1}};
    const uint32_t exits[4][2] = {{6, 5}, {0, 1}, {2, 3}, {4, 5}};
    for (uint32_t ring = 0; ring < 4; ++ring)
    {
        for (uint32_t server = 0; server < 2; ++server)
        {
            const auto sends = rings.GetSends({exits[ring][server], ring, 0}, 7'000);
            ASSERT_EQ(sends.size(), 1U);
            EXPECT_EQ(sends[0].member, entries[ring][1 - server]) << ring;
            EXPECT_EQ(sends[0].bytes, 250U);
        }
    }
}

TEST(TreeSchedule, WhoPassesOnInOneTreeIsALeafInTheOther)
{
    for (uint32_t count = 2; count < 40; ++count)
    {
        MembersByServer servers;
        for (uint32_t server = 0; server < count; ++server)
        {
            servers.push_back({server});
        }
        const TreeSchedule trees({servers}, 1, Operation::AllReduce);
        const uint64_t bytes = 2 * TreeSchedule::kWindow;
        const uint32_t steps = trees.CountSteps(bytes); // of one chunk
        uint32_t heightOfTwo = 0;
        while ((1U << heightOfTwo) < count)
        {
            ++heightOfTwo;
        }
        EXPECT_LE(steps, 2 * heightOfTwo + 2) << count;
        for (uint32_t server = 0; server < count; ++server)
        {
            uint32_t often = 0;
            for (uint32_t lane = 0; lane < 2 * TreeSchedule::kWindow; lane += TreeSchedule::kWindow)
            {
                bool passesOn = false;
                for (uint32_t step = 0; step < steps; ++step)
                {
                    // Down to a child: behind what is added up.
                    passesOn = passesOn || (step >= steps / 2 &&
                                            !trees.GetSends({server, lane, step}, bytes).empty());
                }
                often += passesOn ? 1 : 0;
            }
            // With an odd number one server cannot be a leaf in either.
            EXPECT_LE(often, count % 2 == 0 || server > 0 ? 1U : 2U) << server << " of " << count;
        }
    }
}

} // namespace

} // namespace ns3::rails
