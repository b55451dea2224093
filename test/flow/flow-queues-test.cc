// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-queues.h"
#include "ns3/pcie-intra-topology.h"
#include "ns3/pointer.h"
#include "ns3/rail-topology.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>

using namespace ns3;
using namespace ns3::rails;

namespace
{

/// The queues of three servers of four GPUs and NICs.
struct Queues
{
    explicit Queues(bool hasPcie, const FlowSettings& settings = {})
        : wiring(Lay(hasPcie)),
          interior(*wiring),
          queues(wiring->GetShape(), settings, interior)
    {
    }

    static std::shared_ptr<Wiring> Lay(bool hasPcie)
    {
        Ptr<RailTopology> topology = CreateObject<RailTopology>();
        topology->SetAttribute("Domains", UintegerValue(3));
        topology->SetAttribute("GpusPerDomain", UintegerValue(4));
        if (hasPcie)
        {
            topology->SetAttribute("Intra", PointerValue(CreateObject<PcieIntraTopology>()));
        }
        return topology->Lay();
    }

    static Message Make(uint32_t source, uint32_t destination, int rail = -1)
    {
        Message message;
        message.source = source;
        message.destination = destination;
        message.bytes = 1;
        if (rail >= 0)
        {
            message.txRail = static_cast<uint16_t>(rail);
            message.rxRail = static_cast<uint16_t>(rail);
        }
        return message;
    }

    std::shared_ptr<Wiring> wiring;
    FlowInterior interior;
    FlowQueues queues;
};

} // namespace

TEST(FlowQueuesTest, QueuePairsAreNumberedAtTheirNicInTheOrderOfTheirMessages)
{
    Queues all(false);
    const uint32_t one = all.queues.Find(Queues::Make(0, 4, 1));
    const uint32_t other = all.queues.Find(Queues::Make(0, 8, 1));
    EXPECT_EQ(all.queues.Find(Queues::Make(3, 7, 1)), one) << "the same two NICs";
    EXPECT_NE(one, other);
    EXPECT_EQ(all.queues[one].route.number, 0U);
    EXPECT_EQ(all.queues[other].route.number, 1U);
    const uint32_t inside = all.queues.Find(Queues::Make(0, 1));
    EXPECT_EQ(all.queues[inside].route.kind, FlowRoute::Kind::Inside);
    EXPECT_EQ(all.queues.GetAll().size(), 3U);
}

TEST(FlowQueuesTest, AMessageWithAQueuePairOfItsOwnBringsItsEntropy)
{
    using Per = FlowSettings::QueuePairPer;
    for (const Per per : {Per::Message, Per::NicPair})
    {
        FlowSettings settings;
        settings.queuePairPer = per;
        Queues all(false, settings);
        Message one = Queues::Make(0, 4, 1);
        one.entropy = 77;
        Message other = Queues::Make(0, 8, 1);
        other.id = 1;
        other.entropy = 5;
        const FlowRoute first = all.queues[all.queues.Find(one)].route;
        const FlowRoute second = all.queues[all.queues.Find(other)].route;
        EXPECT_EQ(first.entropy, per == Per::Message ? 77U : 0U);
        EXPECT_EQ(second.entropy, per == Per::Message ? 5U : 1U);
        EXPECT_EQ(first.number, 0U);
        EXPECT_EQ(second.number, 1U);
    }
}

TEST(FlowQueuesTest, AQueuePairThatIsForgottenGetsASuccessor)
{
    Queues all(false);
    const Message message = Queues::Make(0, 4, 1);
    EXPECT_EQ(all.queues.FindKnown(message), FlowQueue::kNone);
    const uint32_t first = all.queues.Find(message);
    EXPECT_EQ(all.queues.FindKnown(message), first);
    all.queues.Forget(message);
    EXPECT_EQ(all.queues.FindKnown(message), FlowQueue::kNone);
    EXPECT_NE(all.queues.Find(message), first);
}

TEST(FlowQueuesTest, OverNvlinkEachGpuIsReadForItselfAndOverPcieTheNicReadsInOrder)
{
    for (const bool hasPcie : {false, true})
    {
        Queues all(hasPcie);
        const auto find = [&all](const Message& message) {
            return all.queues.FindReader(all.queues.Find(message), message);
        };
        const uint32_t reader = find(Queues::Make(0, 4, 1));
        EXPECT_EQ(all.queues[reader].route.kind, FlowRoute::Kind::Reading);
        EXPECT_EQ(find(Queues::Make(2, 4, 1)) == reader, hasPcie) << "another GPU";
        EXPECT_EQ(find(Queues::Make(0, 6, 1)), reader) << "another GPU of that server";
        EXPECT_NE(find(Queues::Make(0, 8, 1)), reader) << "another server";
        EXPECT_NE(find(Queues::Make(0, 4, 2)), reader) << "another NIC";
        Message apart = Queues::Make(0, 4, 1);
        apart.channel = 1;
        EXPECT_NE(find(apart), reader) << "another queue pair";
    }
}

TEST(FlowQueuesTest, WhatAQueuePairBringsIsWrittenGpuByGpu)
{
    Queues all(false);
    const uint32_t pair = all.queues.Find(Queues::Make(0, 5, 0));
    const uint32_t writer = all.queues.FindWriter(pair, Queues::Make(0, 5, 0));
    EXPECT_EQ(all.queues[writer].route.kind, FlowRoute::Kind::Writing);
    EXPECT_EQ(all.queues[writer].route.toGpu, 1U);
    EXPECT_EQ(all.queues.FindWriter(pair, Queues::Make(2, 5, 0)), writer);
    EXPECT_NE(all.queues.FindWriter(pair, Queues::Make(0, 6, 0)), writer);
}

TEST(FlowQueuesTest, MessagesOfAQueueFollowEachOtherAndGoWhenAllIsTold)
{
    Queues all(false);
    Message message = Queues::Make(0, 4, 1);
    message.bytes = 100;
    FlowQueue& queue = all.queues[all.queues.Find(message)];
    all.queues.Add(0, message, 120);
    all.queues.Add(0, message, 120);
    EXPECT_EQ(queue.entries.size(), 2U);
    EXPECT_EQ(queue.entries[1].end, 240U);
    EXPECT_EQ(queue.unsentPayload, 200U);
    queue.drained = queue.delivered = queue.acknowledged = 2;
    queue.flowClass = 0;
    all.queues.Add(0, message, 120);
    EXPECT_EQ(queue.entries.size(), 3U) << "a run is served";
    queue.drained = queue.delivered = queue.acknowledged = 3;
    queue.flowClass = FlowQueue::kNone;
    all.queues.Add(0, message, 120);
    EXPECT_EQ(queue.entries.size(), 1U);
    EXPECT_EQ(queue.drained, 0U);
    EXPECT_EQ(queue.begin, 360U);
    EXPECT_EQ(queue.GetSize(0), 120U);
}
