// SPDX-License-Identifier: GPL-2.0-only
#include "../../support/port-pair.h"

#include "ns3/rails-queue-averager.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint64_t kRate = 8'000'000'000; // a byte each nanosecond
constexpr TimePs kFrame = 1'000'000;      // 980 bytes, with preamble and gap 1 us
constexpr uint32_t kBytes = 980;

class QueueAveragerTest : public testing::Test
{
  protected:
    /// Enqueues so many frames at once and runs to the end.
    void Send(uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i)
        {
            m_pair.left->Enqueue(m_pair.MakeFrame(FrameKind::Data, i, kBytes));
        }
        Simulator::Run();
    }

    PortPair m_pair{kRate, 500};
};

TEST_F(QueueAveragerTest, MeanOfAQueueThatDrainsIsExactAtFrameTimes)
{
    QueueAverager averager({m_pair.left});
    Send(10);
    // The queue holds 10, 9, ... frames, each for a frame time.
    EXPECT_DOUBLE_EQ(averager.GetMeans(10 * kFrame).front(), 5.5 * kBytes);
    EXPECT_DOUBLE_EQ(averager.GetMeans(1 * kFrame).front(), 10.0 * kBytes);
    EXPECT_DOUBLE_EQ(averager.GetMeans(4 * kFrame).front(), (10 + 9 + 8 + 7) / 4.0 * kBytes);
    EXPECT_DOUBLE_EQ(averager.GetMeans(5 * kFrame / 2).front(), (10 + 9 + 4) / 2.5 * kBytes);
    EXPECT_DOUBLE_EQ(averager.GetMeans(20 * kFrame).front(), 55.0 / 20 * kBytes);
}

TEST_F(QueueAveragerTest, ManyChangesCostLittleMemoryAndLittlePrecision)
{
    constexpr uint32_t kFrames = 20'000;
    QueueAverager averager({m_pair.left});
    Send(kFrames);
    for (const uint32_t frames : {6'000U, 12'345U, kFrames})
    {
        // The mean of kFrames, kFrames - 1, ..., down to after so many.
        const double mean = (kFrames - (frames - 1) / 2.0) * kBytes;
        EXPECT_NEAR(averager.GetMeans(frames * kFrame).front(), mean, mean / 20'000) << frames;
    }
}

TEST_F(QueueAveragerTest, AQueueThatWasNeverUsedIsEmpty)
{
    QueueAverager averager({m_pair.left, m_pair.right});
    Send(3);
    EXPECT_EQ(averager.GetMeans(3 * kFrame)[1], 0);
    EXPECT_EQ(averager.GetMeans(0)[0], 0);
}

} // namespace
