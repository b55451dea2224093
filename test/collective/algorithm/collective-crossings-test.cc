// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-chooser.h"
#include "ns3/collective-crossings.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ns3::rails
{

namespace
{

constexpr double kCrossingBytes = 4096;

/// All queue pairs of some numbers share a link; others meet nowhere.
class SomeMeet : public FabricPaths
{
  public:
    explicit SomeMeet(uint32_t meeting)
        : m_meeting(meeting)
    {
    }

    Way Find(uint32_t, uint32_t, uint32_t queuePair) const override
    {
        return {{{queuePair < m_meeting ? 0 : ++m_others, 1}}, 3e-6, 0};
    }

    double GetRate(uint32_t) const override
    {
        return 400e9;
    }

    uint64_t GetVariant() const override
    {
        return m_meeting;
    }

  private:
    uint32_t m_meeting;
    mutable uint32_t m_others{0};
};

/// Two servers of two GPUs, each with a NIC.
CollectiveGroups
MakePair(std::shared_ptr<const FabricPaths> ways)
{
    ClusterRates rates;
    rates.ways = std::move(ways);
    return {ClusterShape(2, 2), rates};
}

CollectiveCrossings::Times
FindTimes(const CollectiveGroups& groups)
{
    CollectiveCrossings crossings(groups);
    crossings.Add(0, 2, {0, 0}, kCrossingBytes);
    crossings.Add(1, 3, {1, 0}, kCrossingBytes);
    return crossings.FindTimes().front();
}

TEST(CollectiveCrossings, WaitForEachOtherWhereTheirWaysMeet)
{
    const CollectiveCrossings::Times alone = FindTimes(MakePair(std::make_shared<SomeMeet>(0)));
    const CollectiveCrossings::Times both = FindTimes(MakePair(std::make_shared<SomeMeet>(1)));
    EXPECT_NEAR(alone.longest, kCrossingBytes * 8 / 400e9 * 4262 / 4096, 1e-12);
    EXPECT_NEAR(both.longest, 2 * alone.longest, 1e-12);
    EXPECT_NEAR(both.mean, both.longest, 1e-12);
    EXPECT_NEAR(both.latency, 3e-6, 1e-9);
}

TEST(CollectiveCrossings, ShareANicAndKeepTheirQueuePairs)
{
    const CollectiveGroups groups = MakePair(std::make_shared<SomeMeet>(0));
    CollectiveCrossings crossings(groups);
    const uint32_t first = crossings.Number(0, 2, {0, 0});
    EXPECT_NE(crossings.Number(0, 2, {0, 1}), first);
    crossings.Add(0, 2, {0, 0}, kCrossingBytes);
    crossings.Add(0, 2, {0, 1}, kCrossingBytes);
    EXPECT_NEAR(crossings.FindTimes().front().longest,
                2 * kCrossingBytes * 8 / 400e9 * 4262 / 4096,
                1e-12);
    crossings.Clear();
    EXPECT_EQ(crossings.FindTimes().front().longest, 0);
    EXPECT_EQ(crossings.Number(0, 2, {0, 0}), first);
}

TEST(CollectiveCrossings, TimesAreThoseOfEachGroup)
{
    ClusterRates rates;
    rates.ways = std::make_shared<SomeMeet>(0);
    const CollectiveGroups groups({{2, 2}, 2, GpuPartition::STRIDED}, rates);
    CollectiveCrossings crossings(groups);
    crossings.Add(0, 2, {0, 0}, kCrossingBytes);
    crossings.Add(1, 3, {1, 0}, 3 * kCrossingBytes);
    const std::vector<CollectiveCrossings::Times> times = crossings.FindTimes();
    ASSERT_EQ(times.size(), 2U);
    EXPECT_NEAR(times[0].longest, kCrossingBytes * 8 / 400e9 * 4262 / 4096, 1e-12);
    EXPECT_NEAR(times[1].longest, 3 * times[0].longest, 1e-12);
}

TEST(CollectiveChooser, TellsWaysApart)
{
    CollectiveChooser chooser;
    const auto ways = std::make_shared<const SomeMeet>(1);
    EXPECT_EQ(chooser.Share(ways), ways);
    EXPECT_EQ(chooser.Share(std::make_shared<const SomeMeet>(1)), ways);
    EXPECT_NE(chooser.Share(std::make_shared<const SomeMeet>(2)), ways);
}

} // namespace

} // namespace ns3::rails
