// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/graph-times.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

const std::vector<std::string> kKinds{"compute", "send"};

/// Counts messages on paths; notes can take in others when it says so.
class CountingWatch : public SegmentWatch
{
  public:
    struct Note : public SegmentNote
    {
        explicit Note(const bool& may)
            : mayAbsorb(may)
        {
        }

        bool Absorb(const SegmentNote& before) override
        {
            messages += mayAbsorb ? static_cast<const Note&>(before).messages : 0;
            return mayAbsorb;
        }

        const bool& mayAbsorb;
        uint32_t messages{1};
    };

    void OnPlanned(uint32_t, uint32_t, const Demand&) override
    {
    }

    void OnDelivered(const Message&) override
    {
        ++delivered;
    }

    void OnAcknowledged(const Message&) override
    {
    }

    std::shared_ptr<SegmentNote> MakeNote(const Message&, TimePs) override
    {
        return std::make_shared<Note>(mayAbsorb);
    }

    std::shared_ptr<SegmentNote> MakeReplyNote(const Message&, TimePs) override
    {
        return std::make_shared<Note>(mayAbsorb);
    }

    std::shared_ptr<SegmentNote> MakeGivenNote(TimePs) override
    {
        return std::make_shared<Note>(mayAbsorb);
    }

    bool mayAbsorb{false};
    uint32_t delivered{0};
};

/// Delivers a message that is all that a GPU sends in a step. \return the path to that
GraphTimes::Path
Deliver(GraphTimes& times,
        uint32_t step,
        uint16_t kind,
        TimePs posted,
        const GraphTimes::Path& path)
{
    times.Post(0, step, 1, posted, path);
    Message message;
    message.step = step;
    message.kind = kind;
    message.bytes = 1;
    message.end = posted + 10;
    return times.Deliver(message);
}

/// \return how many segments there are up to one
uint32_t
CountLegs(const PathSegment* last)
{
    uint32_t count = 0;
    for (; last; last = last->before.get())
    {
        ++count;
    }
    return count;
}

} // namespace

TEST(GraphTimes, CommunicationIsExposedWhileNothingIsComputed)
{
    GraphTimes times(2, kKinds);
    times.Begin(1, 0, true, 10);
    times.Begin(1, 1, false, 20);
    times.Begin(1, 1, false, 25); // a second one counts no time twice
    times.End(1, 0, true, 40, nullptr);
    times.End(1, 1, false, 50, nullptr);
    times.End(1, 1, false, 70, times.Extend(nullptr, 1, 70));
    const GraphRecord record = times.GetRecord();
    EXPECT_EQ(record.end, 70);
    EXPECT_EQ(record.computing, 30);
    EXPECT_EQ(record.nodes, 3U);
    EXPECT_TRUE(record.kinds[0].isCompute);
    EXPECT_EQ(record.kinds[0].busy, 30);
    EXPECT_FALSE(record.kinds[1].isCompute);
    EXPECT_EQ(record.kinds[1].busy, 50);
    EXPECT_EQ(record.kinds[1].exposed, 30);
}

TEST(GraphTimes, TimesOfGpusAreAddedUp)
{
    GraphTimes times(3, kKinds);
    for (const uint32_t gpu : {0, 2})
    {
        times.Begin(gpu, 0, true, 0);
        times.End(gpu, 0, true, 10 + gpu, nullptr);
    }
    EXPECT_EQ(times.GetRecord().computing, 22);
    EXPECT_EQ(times.GetRecord().kinds[0].busy, 22);
}

TEST(GraphTimes, APathGoesOnWithTheMessageThatIsWaitedFor)
{
    GraphTimes times(2, kKinds);
    const GraphTimes::Path computed = times.Extend(nullptr, 0, 100);
    times.Post(0, 7, 30, 100, computed);
    Message first;
    first.source = 0;
    first.step = 7;
    first.kind = 1;
    first.bytes = 10;
    first.end = 150;
    Message second = first;
    second.bytes = 20;
    second.end = 180;
    times.Deliver(first);
    const GraphTimes::Path path = times.Deliver(second);
    EXPECT_EQ(path->times, (std::vector<TimePs>{100, 80}));
    times.Begin(1, 1, false, 0);
    times.End(1, 1, false, 180, path);
    EXPECT_EQ(times.GetRecord().kinds[0].critical, 100);
    EXPECT_EQ(times.GetRecord().kinds[1].critical, 80);
}

TEST(GraphTimes, AWatchedPathKeepsItsLegsUntilOneTakesInThoseOfItsKind)
{
    CountingWatch watch;
    GraphTimes times(1, kKinds);
    times.SetWatch(&watch);
    GraphTimes::Path path = times.Extend(nullptr, 0, 100);
    for (uint32_t step = 0; step < 3; ++step)
    {
        path = Deliver(times, step, 1, 100 + 10 * step, path);
    }
    EXPECT_EQ(path->times, (std::vector<TimePs>{100, 30}));
    EXPECT_EQ(CountLegs(path->last.get()), 3U);
    watch.mayAbsorb = true;
    const GraphTimes::Path before = path; // a branch that goes on by itself
    path = Deliver(times, 3, 1, 130, path);
    EXPECT_EQ(CountLegs(path->last.get()), 2U);
    EXPECT_EQ(static_cast<const CountingWatch::Note&>(*before->last->note).messages, 3U);
    path = Deliver(times, 4, 1, 140, path);
    EXPECT_EQ(CountLegs(path->last.get()), 3U); // that of the branch is on two paths
    path = Deliver(times, 5, 0, 150, path);
    path = Deliver(times, 6, 1, 160, path);
    EXPECT_EQ(CountLegs(path->last.get()), 4U); // another kind stays
    EXPECT_EQ(watch.delivered, 7U);
}

TEST(GraphTimes, ManyLegsGoWithTheirPath)
{
    CountingWatch watch;
    GraphTimes times(1, kKinds);
    times.SetWatch(&watch);
    GraphTimes::Path path;
    for (uint32_t step = 0; step < 200'000; ++step)
    {
        path = Deliver(times, step, 1, 10 * step, path);
    }
    path = nullptr; // a recursion would end the process
    EXPECT_EQ(watch.delivered, 200'000U);
}

} // namespace ns3::rails
