// SPDX-License-Identifier: GPL-2.0-only

// Ideal recovery: any as many frames as a message has complete it, whatever is lost on the way.

#include "../support/test-cluster.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ideal-loss-recovery.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

using Sender = IdealLossRecovery::Sender;

std::unique_ptr<Sender>
MakeIdealSender(bool persistent = false)
{
    Ptr<IdealLossRecovery> recovery = CreateObject<IdealLossRecovery>();
    recovery->SetAttribute("Persistent", BooleanValue(persistent));
    return std::make_unique<Sender>(recovery);
}

/// Sends frames while the sender has some; \return the slots that they took
std::vector<uint64_t>
SendAll(SenderRecovery& sender, uint64_t end, uint64_t atMost = 1000)
{
    std::vector<uint64_t> slots;
    while (slots.size() < atMost && sender.GetNext(end) < end)
    {
        slots.push_back(sender.GetNext(end));
        sender.OnSent(slots.back(), false);
    }
    return slots;
}

TEST(IdealSender, SendsEveryFrameOnceInOrderAndStops)
{
    const auto sender = MakeIdealSender();
    for (uint64_t serial = 0; serial < 5; ++serial)
    {
        EXPECT_EQ(sender->GetNext(5), serial);
        EXPECT_EQ(sender->OnSent(serial, false).number, serial);
    }
    EXPECT_EQ(sender->GetNext(5), 5U);
    EXPECT_EQ(sender->GetInFlight(), 5U);
    EXPECT_EQ(sender->GetUnacknowledged(), 0U);
}

TEST(IdealSender, TakesWhatWasOvertakenForLostUntilItIsAnswered)
{
    const auto sender = MakeIdealSender();
    SendAll(*sender, 100, 10);
    sender->OnAck(1, 6); // 0 to 5 are missing
    EXPECT_EQ(sender->GetLost(), 6U);
    EXPECT_EQ(sender->GetInFlight(), 3U);
    sender->OnAck(2, 0); // late, not lost
    EXPECT_EQ(sender->GetLost(), 5U);
    EXPECT_EQ(sender->GetInFlight(), 3U);
    sender->OnAck(3, 7);
    EXPECT_EQ(sender->GetLost(), 5U);
    EXPECT_EQ(sender->GetUnacknowledged(), 3U);
}

TEST(IdealSender, CountsWhatArrivedAlsoWhenTheAnswerIsLost)
{
    const auto sender = MakeIdealSender();
    SendAll(*sender, 100, 10);
    sender->OnAck(8, 7); // seven answers before it are missing, no frame is
    EXPECT_EQ(sender->GetLost(), 0U);
    EXPECT_EQ(sender->GetUnacknowledged(), 8U);
    sender->OnAck(5, 4); // an answer that was overtaken says nothing new
    EXPECT_EQ(sender->GetUnacknowledged(), 8U);
    // 8 and 9 have arrived too, but only the answer to an older frame came through.
    sender->OnAck(10, 6);
    EXPECT_EQ(sender->GetLost(), 0U);
    EXPECT_EQ(sender->GetInFlight(), 0U);
}

TEST(IdealSender, SendsOneMoreForEachOneLost)
{
    const auto sender = MakeIdealSender();
    EXPECT_EQ(SendAll(*sender, 4), (std::vector<uint64_t>{0, 1, 2, 3}));
    sender->OnAck(1, 0);
    EXPECT_EQ(sender->GetNext(4), 4U);
    sender->OnAck(2, 3); // 1 and 2 are lost
    EXPECT_EQ(SendAll(*sender, 4), (std::vector<uint64_t>{0, 0}));
    EXPECT_EQ(sender->GetInFlight(), 2U);
    sender->OnAck(3, 4);
    EXPECT_EQ(sender->GetNext(4), 4U);
    sender->OnAck(4, 5);
    EXPECT_EQ(sender->GetUnacknowledged(), 4U);
    EXPECT_EQ(sender->GetNext(4), 4U);
    EXPECT_EQ(sender->GetLost(), 2U);
}

TEST(IdealSender, ResumesAfterATimeoutWithAsMuchAsIsMissing)
{
    const auto sender = MakeIdealSender();
    SendAll(*sender, 8);
    sender->OnAck(1, 0);
    sender->OnAck(2, 1);
    sender->OnTimeout(); // six are on their way, or lost
    EXPECT_EQ(sender->GetLost(), 6U);
    EXPECT_EQ(sender->GetInFlight(), 0U);
    EXPECT_EQ(SendAll(*sender, 8, 2).size(), 2U);
    // Three of the old ones were late only, so one is left to send.
    sender->OnAck(3, 2);
    sender->OnAck(4, 3);
    sender->OnAck(5, 4);
    EXPECT_EQ(sender->GetLost(), 3U);
    EXPECT_EQ(SendAll(*sender, 8).size(), 1U);
    EXPECT_EQ(sender->GetInFlight(), 3U);
}

TEST(IdealSender, ThatIsPersistentSendsOnUntilAllIsThere)
{
    const auto sender = MakeIdealSender(true);
    SendAll(*sender, 8);
    EXPECT_EQ(sender->GetNext(8), 8U);
    sender->OnTimeout();
    EXPECT_EQ(SendAll(*sender, 8, 50).size(), 50U);
    sender->OnAck(7, 40);
    EXPECT_EQ(SendAll(*sender, 8, 50).size(), 50U);
    sender->OnAck(8, 41);
    EXPECT_EQ(sender->GetNext(8), 8U);
}

TEST(IdealSender, TimeoutCountsFromTheLastFrameSent)
{
    const auto sender = MakeIdealSender();
    for (uint64_t serial = 0; serial < 3; ++serial)
    {
        EXPECT_TRUE(sender->OnSent(serial, false).startsTimeout);
    }
    EXPECT_FALSE(sender->OnAck(1, 0)) << "it brings news, and yet";
    EXPECT_FALSE(sender->MindsTimeoutWhileSending());
    EXPECT_EQ(sender->OnTimeout(), SenderRecovery::Loss::Some);
    const SenderRecovery::Departure more = sender->OnSent(0, true);
    EXPECT_TRUE(more.startsTimeout);
    EXPECT_FALSE(more.tellsOfLoss) << "nobody knows which frame was lost";
}

TEST(IdealSender, ThatIsPersistentCountsFromWhenItFirstStopped)
{
    const auto sender = MakeIdealSender(true);
    EXPECT_TRUE(sender->OnSent(0, false).startsTimeout);
    EXPECT_TRUE(sender->OnSent(1, false).startsTimeout);
    EXPECT_FALSE(sender->MindsTimeoutWhileSending());
    EXPECT_EQ(sender->GetNext(2), 2U);
    EXPECT_TRUE(sender->MindsTimeoutWhileSending());
    EXPECT_EQ(sender->OnTimeout(), SenderRecovery::Loss::None);
    EXPECT_EQ(sender->GetNext(2), 0U);
    EXPECT_FALSE(sender->OnSent(0, true).startsTimeout);
}

TEST(IdealSender, TakesLateAnswersToSurplusFrames)
{
    const auto sender = MakeIdealSender();
    SendAll(*sender, 3);
    sender->OnTimeout();
    SendAll(*sender, 3);
    for (uint64_t serial = 0; serial < 6; ++serial)
    {
        sender->OnAck(serial + 1, serial);
    }
    EXPECT_EQ(sender->GetNext(3), 3U);
    EXPECT_EQ(sender->GetUnacknowledged(), 6U);
}

TEST(IdealSender, WaitsForARoundTripAndItsDeviation)
{
    const auto sender = MakeIdealSender();
    EXPECT_EQ(sender->GetTimeout(), 100'000'000);
    sender->OnRoundTrip(6'000'000);
    EXPECT_EQ(sender->GetTimeout(), 6'000'000 + 4 * 3'000'000);
    for (int i = 0; i < 100; ++i)
    {
        sender->OnRoundTrip(6'000'000);
    }
    EXPECT_NEAR(static_cast<double>(sender->GetTimeout()), 6e6, 100);
    for (int i = 0; i < 100; ++i)
    {
        sender->OnRoundTrip(1'000'000);
    }
    EXPECT_EQ(sender->GetTimeout(), 2'000'000) << "the minimum";
    sender->OnRoundTrip(300'000'000);
    EXPECT_EQ(sender->GetTimeout(), 100'000'000) << "the largest";
    EXPECT_EQ(MakeIdealSender()->GetTimeout(), 100'000'000);
}

TEST(IdealReceiver, AnswersEveryFrameWithHowManyCame)
{
    const auto receiver = CreateObject<IdealLossRecovery>()->MakeReceiver(1000);
    uint64_t arrived = 0;
    for (const uint64_t serial : {3, 0, 17, 4})
    {
        const ReceiverRecovery::Verdict verdict = receiver->OnData(0, {serial, 1000, 4000});
        EXPECT_EQ(verdict.bytes, 1000U);
        EXPECT_EQ(verdict.reply, ReceiverRecovery::Reply::Ack);
        EXPECT_EQ(verdict.cumulative, ++arrived);
    }
}

TEST(IdealReceiver, TakesWhatAMessageLacksFromWhateverComes)
{
    const auto receiver = CreateObject<IdealLossRecovery>()->MakeReceiver(1000);
    EXPECT_EQ(receiver->OnData(0, {2, 5, 2005}).bytes, 1000U) << "the last frame is a short one";
    EXPECT_EQ(receiver->OnData(0, {0, 1000, 1005}).bytes, 1000U);
    EXPECT_EQ(receiver->OnData(0, {3, 1000, 5}).bytes, 5U);
    const ReceiverRecovery::Verdict surplus = receiver->OnData(0, {4, 1000, 0});
    EXPECT_EQ(surplus.bytes, 0U);
    EXPECT_EQ(surplus.reply, ReceiverRecovery::Reply::Ack);
    EXPECT_EQ(surplus.cumulative, 4U);
}

TEST(IdealLossRecoveryCheck, NeedsAQueuePairPerMessage)
{
    Ptr<Transport> transport = CreateObject<Transport>();
    transport->SetAttribute("LossRecovery", StringValue("ns3::rails::IdealLossRecovery"));
    for (const Transport::QueuePairPer shared : {Transport::NIC_PAIR, Transport::GPU_PAIR})
    {
        transport->SetAttribute("QpPer", EnumValue(shared));
        try
        {
            transport->Check();
            ADD_FAILURE() << "no error";
        }
        catch (const ConfigurationError& error)
        {
            EXPECT_EQ(error.GetKey(), "loss_recovery");
            EXPECT_NE(std::string(error.what()).find("set qp_per to message"), std::string::npos);
        }
    }
    transport->SetAttribute("QpPer", EnumValue(Transport::MESSAGE));
    EXPECT_NO_THROW(transport->Check());
}

/// Servers under one leaf, at 400 Gbps and 500 ns, with ideal recovery.
class IdealRun : public testing::Test
{
  protected:
    static void Prepare(TestCluster& test)
    {
        test.transport->SetAttribute("LossRecovery", StringValue("ns3::rails::IdealLossRecovery"));
        test.transport->SetAttribute("QpPer", EnumValue(Transport::MESSAGE));
        test.transport->SetAttribute("AckClass", EnumValue(Transport::ACKS_IN_DATA));
    }

    static void UsePortBuffers(TestCluster& test, uint64_t bytes)
    {
        test.profile->SetAttribute("Pfc", BooleanValue(false));
        test.profile->SetAttribute("PortBuffer", Bytes(bytes));
    }

    static void ExpectEverythingOnce(const TestCluster& test)
    {
        uint64_t bytes = 0;
        for (const Message& message : test.messages)
        {
            EXPECT_LE(message.end, message.acknowledged);
            bytes += message.bytes;
        }
        EXPECT_TRUE(test.IsEverythingDeliveredOnce());
        EXPECT_EQ(test.deliveries.size(), test.messages.size());
        EXPECT_EQ(test.acknowledged, test.messages.size());
        EXPECT_EQ(test.Sum(&NicCounters::rxBytes), bytes);
        EXPECT_EQ(test.Sum(&NicCounters::txBytes), bytes);
        EXPECT_EQ(test.Sum(&NicCounters::unsentBytes), 0U);
        EXPECT_EQ(test.cluster->GetFramesInUse(), 0U);
        EXPECT_EQ(test.GetBuffered(), 0U);
    }
};

TEST_F(IdealRun, WithoutLossesSendsNoFrameTwice)
{
    TestCluster test(2);
    Prepare(test);
    test.Build();
    const Message& message = test.Post(0, 1, 999 * 4096 + 5);
    test.Run();
    constexpr TimePs kFullFrame = 4178 * 20;
    constexpr TimePs kLastFrame = (5 + 62 + 20) * 20;
    EXPECT_EQ(message.end, 1000 * kFullFrame + kLastFrame + 2 * 500'000);
    EXPECT_EQ(test.Sum(&NicCounters::dataFrames), 1000U);
    EXPECT_EQ(test.Sum(&NicCounters::retransmitted), 0U);
    ExpectEverythingOnce(test);
}

TEST_F(IdealRun, DeliversEverythingOnceWhateverLinksLose)
{
    for (uint64_t seed = 1; seed <= 10; ++seed)
    {
        TestCluster test(4, 2);
        Prepare(test);
        test.topology->SetAttribute("LinkLoss", DoubleValue(0.2));
        test.Build(seed);
        for (uint32_t source = 0; source < 8; ++source)
        {
            for (uint32_t destination = 0; destination < 8; ++destination)
            {
                if (source / 2 != destination / 2)
                {
                    const int rail = (source + destination) % 2; // some over NVLink
                    test.Post(source, destination, 1 + source, rail, rail);
                    test.Post(source, destination, 50'000 + source, rail, rail);
                }
            }
        }
        test.Run();
        EXPECT_GT(test.GetLosses(), 100U);
        ExpectEverythingOnce(test);
    }
}

TEST_F(IdealRun, SendsLittleMoreThanWhatIsLost)
{
    TestCluster test(4);
    Prepare(test);
    test.topology->SetAttribute("LinkLoss", DoubleValue(0.01));
    test.Build();
    constexpr uint64_t kFrames = 10'000;
    for (uint32_t server = 0; server < 4; ++server)
    {
        test.Post(server, (server + 1) % 4, kFrames * 4096);
    }
    test.Run();
    // A frame crosses two links, and so does its answer, whose loss does not matter.
    const uint64_t lostData = test.GetLosses() / 2;
    const uint64_t surplus = test.Sum(&NicCounters::dataFrames) - 4 * kFrames;
    EXPECT_GT(lostData, 700U);
    EXPECT_GT(surplus, lostData * 9 / 10);
    EXPECT_LT(surplus, lostData * 11 / 10);
    EXPECT_EQ(test.Sum(&NicCounters::retransmitted), surplus);
    ExpectEverythingOnce(test);
}

TEST_F(IdealRun, CompletesWhereBuffersOverflow)
{
    // Seven senders to one, at line rate, with 20 frames of buffer: six of seven frames are lost,
    // and the way to the receiver is busy from the first frame to the last one that is needed.
    TestCluster test(8);
    Prepare(test);
    UsePortBuffers(test, 20 * 4158);
    test.Build();
    constexpr uint64_t kFrames = 256;
    for (uint32_t source = 1; source < 8; ++source)
    {
        test.Post(source, 0, kFrames * 4096);
    }
    test.Run();
    EXPECT_GT(test.Sum(&PortCounters::drops), 7 * kFrames);
    ExpectEverythingOnce(test);
    constexpr TimePs kFullFrame = 4178 * 20;
    EXPECT_GE(test.GetLastEnd(), 7 * TimePs{kFrames} * kFullFrame);
    EXPECT_LT(test.GetLastEnd(), 8 * TimePs{kFrames} * kFullFrame);
}

TEST_F(IdealRun, RecoversALostTailARoundTripLater)
{
    // A message of 80 frames keeps the way to the receiver busy, and the buffer holds two. The
    // other one's first frame is taken, the rest is lost: nothing comes after them that would tell.
    constexpr TimePs kFullFrame = 4178 * 20;
    TestCluster test(3);
    Prepare(test);
    UsePortBuffers(test, 2 * 4158);
    test.Build();
    test.Post(1, 0, 80 * 4096);
    const TimePs at = 10 * kFullFrame - 1000;
    const Message& message = test.Post(2, 0, 12 * 4096, -1, -1, at);
    test.RunUntil(at + 12 * kFullFrame + 1'500'000);
    EXPECT_EQ(test.GetTransfer(message).received, 4096U);
    EXPECT_EQ(test.Sum(&PortCounters::drops), 11U);
    test.Run();
    ExpectEverythingOnce(test);
    // The first frame waited for one other, the time-out is three times its round trip, and the
    // eleven frames take a trip, but for some that are lost again while the other message lasts.
    EXPECT_GT(message.end, at + 11 * kFullFrame + 3 * 2'100'000);
    EXPECT_LT(message.end, at + 11 * kFullFrame + 3 * 2'400'000 + 11 * kFullFrame + 1'200'000);
}

TEST_F(IdealRun, WaitsTheLongestTimeOnlyIfNothingIsAnswered)
{
    // The first frame of all is lost: a buffer that holds one takes the second of two.
    TestCluster test(3);
    Prepare(test);
    UsePortBuffers(test, 4158);
    test.Build();
    test.Post(1, 0, 4096);
    test.Post(2, 0, 4096);
    test.Run();
    ASSERT_EQ(test.Sum(&PortCounters::drops), 1U);
    ExpectEverythingOnce(test);
    // Sent at 0, and again at 100 us.
    EXPECT_EQ(test.GetLastEnd(), 100'000'000 + 2 * (4178 * 20 + 500'000));
}

TEST_F(IdealRun, TakesSurplusFramesAfterTheirMessageIsGone)
{
    // A sender that resumes at once for as long as anything is missing sends frames for a message
    // that its owner has thrown away when they arrive.
    TestCluster test(2);
    Prepare(test);
    test.transport->GetLossRecovery()->SetAttribute("Persistent", BooleanValue(true));
    test.transport->GetLossRecovery()->SetAttribute("Timeout", Ps(100'000));
    test.transport->GetLossRecovery()->SetAttribute("MinimumTimeout", Ps(1000));
    test.Build();
    test.Post(0, 1, 10 * 4096);
    test.RunUntil(3'200'000);
    ASSERT_EQ(test.acknowledged, 1U);
    ASSERT_GT(test.cluster->GetFramesInUse(), 0U);
    std::fill_n(reinterpret_cast<unsigned char*>(&test.messages.front()), sizeof(Message), 0xcd);
    test.Run();
    EXPECT_EQ(test.deliveries.size(), 1U);
    EXPECT_EQ(test.Sum(&NicCounters::rxBytes), 10 * 4096U);
    EXPECT_GT(test.Sum(&NicCounters::retransmitted), 10U);
    EXPECT_EQ(test.cluster->GetFramesInUse(), 0U);
    test.messages.clear();
}

} // namespace
