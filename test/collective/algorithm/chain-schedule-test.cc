// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/chain-schedule.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::rails
{

namespace
{

using Operation = CollectiveOperation;

constexpr uint32_t kMembers = 32;
constexpr uint32_t kPerServer = 8;
constexpr uint32_t kRoot = 13;     // place 5 of server 1
constexpr uint64_t kBytes = 8'005; // parts of 1001 and 1000 bytes

ChainSchedule
MakeLevels(Operation operation)
{
    return {kMembers, kPerServer, operation, kRoot, 4};
}

/// \return a single chain over members 2, 3, 0 and 1
ChainSchedule
MakeChain(uint32_t chunks, Operation operation = Operation::Broadcast)
{
    return {4, 1, operation, 2, chunks};
}

/// \return bytes of the only message of a member of a chain in a step, to the next; 0: there is
/// none
uint64_t
GetSent(const ChainSchedule& chain, uint32_t step, uint32_t member, uint64_t bytes)
{
    const auto sends = chain.GetSends({member, 0, step}, bytes);
    EXPECT_LE(sends.size(), 1U);
    EXPECT_TRUE(sends.empty() || sends.front().member == (member + 1) % 4);
    return sends.empty() ? 0 : sends.front().bytes;
}

/// What a member sends and gets, all steps together.
struct Moved
{
    uint64_t sentInside{0};
    uint64_t sentAcross{0};
    uint64_t gotInside{0};
    uint64_t gotAcross{0};
};

std::vector<Moved>
CountMoved(const ChainSchedule& levels)
{
    std::vector<Moved> moved(kMembers);
    for (uint32_t step = 0; step < levels.CountSteps(kBytes); ++step)
    {
        for (uint32_t member = 0; member < kMembers; ++member)
        {
            for (const auto& send : levels.GetSends({member, 0, step}, kBytes))
            {
                const bool isInside = member / kPerServer == send.member / kPerServer;
                Moved& to = moved[send.member];
                (isInside ? moved[member].sentInside : moved[member].sentAcross) += send.bytes;
                (isInside ? to.gotInside : to.gotAcross) += send.bytes;
            }
        }
    }
    return moved;
}

} // namespace

TEST(ChainSchedule, AGpuPassesOnAChunkInTheStepBehindTheOneThatBroughtIt)
{
    // Chunks of 4, 4, 3, 3 and 3 bytes.
    const ChainSchedule chain = MakeChain(5);
    ASSERT_EQ(chain.CountSteps(17), 7U);
    const std::vector<uint64_t> chunks{4, 4, 3, 3, 3};
    for (uint32_t distance = 0; distance < 4; ++distance)
    {
        const uint32_t member = (2 + distance) % 4;
        for (uint32_t step = 0; step < 7; ++step)
        {
            const bool sends = distance < 3 && step >= distance && step - distance < 5;
            EXPECT_EQ(GetSent(chain, step, member, 17), sends ? chunks[step - distance] : 0)
                << "member " << member << ", step " << step;
        }
    }
}

TEST(ChainSchedule, AFewBytesGoDownInFewerChunks)
{
    const ChainSchedule chain = MakeChain(16);
    uint64_t bytes = 0;
    for (uint32_t step = 0; step < chain.CountSteps(2); ++step)
    {
        for (uint32_t member = 0; member < 4; ++member)
        {
            bytes += GetSent(chain, step, member, 2);
        }
    }
    EXPECT_EQ(bytes, 3U * 2);
}

TEST(ChainSchedule, AReduceGoesTheSameWaysBackwards)
{
    for (const uint32_t perServer : {1U, 8U})
    {
        const ChainSchedule broadcast(kMembers, perServer, Operation::Broadcast, kRoot, 4);
        const ChainSchedule reduce(kMembers, perServer, Operation::Reduce, kRoot, 4);
        const uint32_t steps = broadcast.CountSteps(kBytes);
        ASSERT_EQ(reduce.CountSteps(kBytes), steps);
        for (uint32_t step = 0; step < steps; ++step)
        {
            for (uint32_t member = 0; member < kMembers; ++member)
            {
                const auto given = reduce.GetSends({member, 0, step}, kBytes);
                const auto got = broadcast.GetReceipts({member, 0, steps - 1 - step}, kBytes);
                ASSERT_EQ(given.size(), got.size()) << member << ", " << step;
                ASSERT_TRUE(given.empty() || (given.front().member == got.front().member &&
                                              given.front().bytes == got.front().bytes));
            }
        }
    }
}

TEST(ChainSchedule, ABroadcastBringsTheBufferToAllOnceAndAReduceTakesIt)
{
    const std::vector<Moved> got = CountMoved(MakeLevels(Operation::Broadcast));
    const std::vector<Moved> given = CountMoved(MakeLevels(Operation::Reduce));
    for (uint32_t member = 0; member < kMembers; ++member)
    {
        const uint64_t all = member == kRoot ? 0 : kBytes;
        EXPECT_EQ(got[member].gotInside + got[member].gotAcross, all) << member;
        EXPECT_EQ(given[member].sentInside + given[member].sentAcross, all) << member;
        // Each place has its part of the buffer on every other server.
        const uint64_t part = (member + 8 - kRoot % 8) % 8 < 5 ? 1'001 : 1'000;
        EXPECT_EQ(got[member].gotAcross, member / 8 == kRoot / 8 ? 0 : part) << member;
        EXPECT_EQ(given[member].sentAcross, got[member].gotAcross) << member;
    }
}

TEST(ChainSchedule, AMemberPassesOnNoMoreThanItHasGot)
{
    const ChainSchedule levels = MakeLevels(Operation::Broadcast);
    std::vector<uint64_t> has(kMembers, 0);
    has[kRoot] = kBytes;
    for (uint32_t step = 0; step < levels.CountSteps(kBytes); ++step)
    {
        std::vector<uint64_t> next(has);
        for (uint32_t member = 0; member < kMembers; ++member)
        {
            for (const auto& send : levels.GetSends({member, 0, step}, kBytes))
            {
                EXPECT_LE(send.bytes, has[member]) << member;
                next[send.member] += send.bytes;
            }
        }
        has = next;
    }
}

TEST(ChainSchedule, NothingLeavesItsPlaceBetweenServers)
{
    for (const Operation operation : {Operation::Broadcast, Operation::Reduce})
    {
        const ChainSchedule levels = MakeLevels(operation);
        for (uint32_t step = 0; step < levels.CountSteps(kBytes); ++step)
        {
            for (uint32_t member = 0; member < kMembers; ++member)
            {
                for (const auto& send : levels.GetSends({member, 0, step}, kBytes))
                {
                    EXPECT_TRUE(member / 8 == send.member / 8 || member % 8 == send.member % 8);
                }
            }
        }
    }
}

} // namespace ns3::rails
