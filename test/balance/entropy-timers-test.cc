// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/entropy-timers.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace ns3::rails;

namespace
{

TEST(EntropyTimersTest, RunsFromTheFirstStartToTheStop)
{
    EntropyTimers timers;
    EXPECT_EQ(timers.GetAge(5, 100), 0);
    timers.Stop(5);
    timers.Start(5, 100);
    timers.Start(5, 150);
    EXPECT_EQ(timers.GetAge(5, 170), 70);
    EXPECT_EQ(timers.GetAge(6, 170), 0);
    timers.Stop(5);
    EXPECT_EQ(timers.GetAge(5, 200), 0);
    timers.Start(5, 300);
    EXPECT_EQ(timers.GetAge(5, 301), 1);
}

TEST(EntropyTimersTest, KnowsAllEntropiesThatThereAre)
{
    EntropyTimers timers;
    for (uint32_t entropy = 0; entropy < 65536; ++entropy)
    {
        timers.Start(static_cast<uint16_t>(entropy), entropy);
    }
    for (uint32_t entropy = 0; entropy < 65536; ++entropy)
    {
        ASSERT_EQ(timers.GetAge(static_cast<uint16_t>(entropy), 100'000), 100'000 - entropy);
    }
}

TEST(EntropyTimersTest, AgreesWithAMapWhateverIsStartedAndStopped)
{
    // Few low bits, so that searches run into each other.
    std::mt19937 random(1);
    EntropyTimers timers;
    std::map<uint16_t, TimePs> expected;
    for (TimePs now = 1; now < 50'000; ++now)
    {
        const auto entropy = static_cast<uint16_t>(random() % 40 * 1024 + random() % 4);
        if (random() % 2 == 0)
        {
            timers.Start(entropy, now);
            expected.emplace(entropy, now);
        }
        else
        {
            timers.Stop(entropy);
            expected.erase(entropy);
        }
        ASSERT_EQ(timers.GetSize(), expected.size());
        const auto probe = static_cast<uint16_t>(random() % 40 * 1024 + random() % 4);
        const auto found = expected.find(probe);
        ASSERT_EQ(timers.GetAge(probe, now + 1),
                  found == expected.end() ? 0 : now + 1 - found->second);
    }
}

} // namespace
