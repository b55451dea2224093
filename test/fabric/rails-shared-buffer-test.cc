// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rails-shared-buffer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

using namespace ns3::rails;

namespace
{

using Admission = SharedBuffer::Admission;

/// 2 ports with a headroom of 1000 B each: 8000 B are shared.
SharedBuffer
MakeBuffer(double alpha = 1, uint64_t xonOffset = 0)
{
    SharedBuffer buffer(10'000, alpha, xonOffset);
    EXPECT_TRUE(buffer.AddPort(1000));
    EXPECT_TRUE(buffer.AddPort(1000));
    return buffer;
}

TEST(SharedBuffer, KeepsTheHeadroomOfItsPortsApart)
{
    const SharedBuffer buffer = MakeBuffer();
    EXPECT_EQ(buffer.GetSize(), 10'000U);
    EXPECT_EQ(buffer.GetSharedSize(), 8000U);
    EXPECT_EQ(buffer.GetUsed(), 0U);
}

TEST(SharedBuffer, RefusesMoreHeadroomThanThereIs)
{
    SharedBuffer buffer(3000, 1, 0);
    EXPECT_TRUE(buffer.AddPort(1000));
    EXPECT_TRUE(buffer.AddPort(1000));
    EXPECT_FALSE(buffer.AddPort(1000)) << "nothing would be left to share";
}

TEST(SharedBuffer, ALoneQueueGetsItsShareOfTheFreeBuffer)
{
    // Alone a queue q stops at q = alpha * (8000 - q): 4000 B for 1, 1600 B for 1/4.
    for (const auto& [alpha, limit] : {std::pair{1.0, 4000U}, std::pair{0.25, 1600U}})
    {
        SharedBuffer buffer = MakeBuffer(alpha);
        uint32_t admitted = 0;
        while (buffer.AdmitLossless(0, kDataClass, 100) == Admission::Admitted)
        {
            admitted += 100;
        }
        // The frame that asks counts on the left side only.
        EXPECT_EQ(admitted, limit) << "alpha " << alpha;
        EXPECT_TRUE(buffer.IsPausing(0, kDataClass));
    }
}

TEST(SharedBuffer, TheThresholdShrinksWhenOthersHoldBuffer)
{
    SharedBuffer buffer = MakeBuffer();
    // Port 0 takes 3000 B: port 1 may hold as much as stays free of 5000 B, so 2500 B.
    for (int i = 0; i < 30; ++i)
    {
        ASSERT_EQ(buffer.AdmitLossless(0, kDataClass, 100), Admission::Admitted);
    }
    uint32_t admitted = 0;
    while (buffer.AdmitLossless(1, kDataClass, 100) == Admission::Admitted)
    {
        admitted += 100;
    }
    EXPECT_EQ(admitted, 2500U);
}

TEST(SharedBuffer, PausesOnceAndThenUsesItsHeadroom)
{
    SharedBuffer buffer = MakeBuffer();
    ASSERT_EQ(buffer.AdmitLossless(0, kDataClass, 4000), Admission::Admitted);
    EXPECT_EQ(buffer.AdmitLossless(0, kDataClass, 400), Admission::AdmittedAndPause);
    EXPECT_EQ(buffer.AdmitLossless(0, kDataClass, 400), Admission::Admitted);
    EXPECT_EQ(buffer.AdmitLossless(0, kDataClass, 200), Admission::Admitted);
    EXPECT_EQ(buffer.GetCharged(0, kDataClass), 5000U);
    EXPECT_EQ(buffer.GetUsed(), 5000U);
    // The headroom is used up, to the byte; the other port has its own.
    EXPECT_EQ(buffer.AdmitLossless(0, kDataClass, 1), Admission::Refused);
    EXPECT_EQ(buffer.GetUsed(), 5000U);
    EXPECT_EQ(buffer.AdmitLossless(1, kDataClass, 4000), Admission::Admitted);
    EXPECT_TRUE(buffer.IsConsistent());
}

TEST(SharedBuffer, ResumesOnlyBelowTheThresholdByTheOffset)
{
    SharedBuffer buffer = MakeBuffer(1, 1000);
    ASSERT_EQ(buffer.AdmitLossless(0, kDataClass, 4000), Admission::Admitted);
    ASSERT_EQ(buffer.AdmitLossless(0, kDataClass, 500), Admission::AdmittedAndPause);
    // 500 B of headroom go first. Then q <= (8000 - q) - 1000 holds from q = 3500 on.
    EXPECT_FALSE(buffer.ReleaseLossless(0, kDataClass, 499));
    EXPECT_FALSE(buffer.ReleaseLossless(0, kDataClass, 1));
    EXPECT_EQ(buffer.GetCharged(0, kDataClass), 4000U);
    EXPECT_FALSE(buffer.ReleaseLossless(0, kDataClass, 499));
    EXPECT_TRUE(buffer.IsPausing(0, kDataClass));
    EXPECT_TRUE(buffer.ReleaseLossless(0, kDataClass, 1));
    EXPECT_FALSE(buffer.IsPausing(0, kDataClass));
    EXPECT_FALSE(buffer.ReleaseLossless(0, kDataClass, 1)) << "it resumes once";
}

TEST(SharedBuffer, WithoutOffsetItResumesAtTheThreshold)
{
    SharedBuffer buffer = MakeBuffer(1, 0);
    ASSERT_EQ(buffer.AdmitLossless(0, kDataClass, 4000), Admission::Admitted);
    ASSERT_EQ(buffer.AdmitLossless(0, kDataClass, 500), Admission::AdmittedAndPause);
    EXPECT_FALSE(buffer.ReleaseLossless(0, kDataClass, 499));
    EXPECT_TRUE(buffer.ReleaseLossless(0, kDataClass, 1));
}

TEST(SharedBuffer, AnEmptyIngressResumesHoweverSmallTheThreshold)
{
    // The offset exceeds every threshold; without the last clause the far end would wait for ever.
    SharedBuffer buffer = MakeBuffer(1, 1'000'000);
    ASSERT_EQ(buffer.AdmitLossless(0, kDataClass, 4000), Admission::Admitted);
    ASSERT_EQ(buffer.AdmitLossless(0, kDataClass, 500), Admission::AdmittedAndPause);
    EXPECT_FALSE(buffer.ReleaseLossless(0, kDataClass, 4499));
    EXPECT_TRUE(buffer.ReleaseLossless(0, kDataClass, 1));
}

TEST(SharedBuffer, ARefusedFrameChangesNothing)
{
    SharedBuffer buffer = MakeBuffer();
    EXPECT_EQ(buffer.AdmitLossless(0, kDataClass, 9000), Admission::Refused);
    EXPECT_EQ(buffer.AdmitLossy(0, 9000), Admission::Refused);
    EXPECT_EQ(buffer.GetUsed(), 0U);
    EXPECT_EQ(buffer.GetUsedMax(), 0U);
    EXPECT_FALSE(buffer.IsPausing(0, kDataClass));
}

TEST(SharedBuffer, LossyFramesAreRefusedBeyondTheThresholdOfTheirQueue)
{
    SharedBuffer buffer(8000, 0.5, 0);
    buffer.AddPort(0);
    uint32_t queue = 0;
    while (buffer.AdmitLossy(queue, 100) == Admission::Admitted)
    {
        queue += 100;
    }
    // q + 100 <= (8000 - q) / 2 holds up to q = 2600: the last one admitted makes it 2700.
    EXPECT_EQ(queue, 2700U);
    EXPECT_EQ(buffer.GetUsed(), 2700U);
    EXPECT_EQ(buffer.AdmitLossy(0, 100), Admission::Admitted) << "another queue is not full";
    buffer.ReleaseLossy(100);
    buffer.ReleaseLossy(2700);
    EXPECT_EQ(buffer.GetUsed(), 0U);
    EXPECT_EQ(buffer.GetUsedMax(), 2800U);
    EXPECT_TRUE(buffer.IsConsistent());
}

TEST(SharedBuffer, NoticesThatMoreIsGivenBackThanWasTaken)
{
    SharedBuffer buffer = MakeBuffer();
    buffer.AdmitLossy(0, 100);
    buffer.ReleaseLossy(101);
    EXPECT_FALSE(buffer.IsConsistent());
}

TEST(SharedBuffer, StaysConsistentUnderRandomTraffic)
{
    for (const double alpha : {0.125, 1.0, 8.0})
    {
        SharedBuffer buffer(100'000, alpha, 2000);
        constexpr uint32_t kPorts = 4;
        constexpr uint64_t kHeadroom = 5000;
        for (uint32_t port = 0; port < kPorts; ++port)
        {
            buffer.AddPort(kHeadroom);
        }
        std::mt19937 random(42);
        std::vector<std::pair<uint32_t, uint32_t>> held; // port, bytes
        std::vector<bool> paused(kPorts, false);
        uint64_t bytesHeld = 0;
        uint64_t pauses = 0;
        for (int step = 0; step < 200'000; ++step)
        {
            // Periods in which it fills and in which it empties.
            const bool fill = random() % 100 < (step / 1000 % 2 == 0 ? 70U : 40U);
            if (fill)
            {
                const uint32_t port = random() % kPorts;
                const uint32_t bytes = 64 + random() % 4000;
                const Admission admission = buffer.AdmitLossless(port, kDataClass, bytes);
                if (admission != Admission::Refused)
                {
                    held.emplace_back(port, bytes);
                    bytesHeld += bytes;
                }
                if (admission == Admission::AdmittedAndPause)
                {
                    ASSERT_FALSE(paused[port]) << "a paused port is not paused again";
                    paused[port] = true;
                    ++pauses;
                }
            }
            else if (!held.empty())
            {
                std::swap(held[random() % held.size()], held.back());
                const auto [port, bytes] = held.back();
                held.pop_back();
                bytesHeld -= bytes;
                if (buffer.ReleaseLossless(port, kDataClass, bytes))
                {
                    ASSERT_TRUE(paused[port]);
                    paused[port] = false;
                }
            }
            ASSERT_EQ(buffer.GetUsed(), bytesHeld);
            ASSERT_LE(buffer.GetUsed(), buffer.GetSize());
            ASSERT_TRUE(buffer.IsConsistent());
            uint64_t charged = 0;
            for (uint32_t port = 0; port < kPorts; ++port)
            {
                charged += buffer.GetCharged(port, kDataClass);
                ASSERT_EQ(buffer.IsPausing(port, kDataClass), paused[port]);
            }
            ASSERT_EQ(charged, bytesHeld);
        }
        EXPECT_GT(pauses, 10U);
        while (!held.empty())
        {
            const auto [port, bytes] = held.back();
            held.pop_back();
            if (buffer.ReleaseLossless(port, kDataClass, bytes))
            {
                paused[port] = false;
            }
        }
        EXPECT_EQ(buffer.GetUsed(), 0U);
        EXPECT_EQ(std::count(paused.begin(), paused.end(), true), 0) << "all resume in the end";
    }
}

} // namespace
