// SPDX-License-Identifier: GPL-2.0-only
#include "loss-channel.h"

#include "ns3/component-maker.h"
#include "ns3/loss-recovery.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint32_t kGoBackNPayload = 1000;
constexpr uint64_t kGoBackNMissing = 100'000;

using Reply = ReceiverRecovery::Reply;

Ptr<LossRecovery>
Make(uint64_t timeout = 1000, uint64_t nakInterval = 100)
{
    Ptr<LossRecovery> recovery = MakeComponent<LossRecovery>("GoBackNLossRecovery");
    recovery->SetAttribute("Timeout", TimeValue(NanoSeconds(timeout)));
    recovery->SetAttribute("NakInterval", TimeValue(NanoSeconds(nakInterval)));
    return recovery;
}

std::unique_ptr<SenderRecovery>
MakeGoBackNSender()
{
    return Make()->MakeSender();
}

std::unique_ptr<ReceiverRecovery>
MakeGoBackNReceiver()
{
    return Make()->MakeReceiver(kGoBackNPayload);
}

void
SendFrames(SenderRecovery& sender, uint64_t frames, uint64_t end)
{
    for (uint64_t i = 0; i < frames; ++i)
    {
        sender.OnSent(sender.GetNext(end), false);
    }
}

void
ExpectGoBackNVerdict(const ReceiverRecovery::Verdict& verdict,
                     bool deliver,
                     Reply reply,
                     uint64_t cumulative)
{
    EXPECT_EQ(verdict.bytes, deliver ? kGoBackNPayload : 0);
    EXPECT_EQ(verdict.reply, reply);
    EXPECT_EQ(verdict.cumulative, cumulative);
}

} // namespace

TEST(GoBackN, DefaultTimeoutsOutlastQueueingAndStayBelowTheWatchdog)
{
    Ptr<LossRecovery> recovery = MakeComponent<LossRecovery>("GoBackNLossRecovery");
    EXPECT_EQ(recovery->GetTimeout(), MilliSeconds(16).GetTimeStep());
    TimeValue interval;
    recovery->GetAttribute("NakInterval", interval);
    EXPECT_EQ(interval.Get(), MicroSeconds(500));
}

TEST(GoBackN, SenderNumbersFramesInOrderUpToTheEnd)
{
    const auto sender = MakeGoBackNSender();
    EXPECT_EQ(sender->GetNext(0), 0U);
    EXPECT_EQ(sender->GetNext(3), 0U);
    SendFrames(*sender, 3, 3);
    EXPECT_EQ(sender->GetNext(3), 3U);
    EXPECT_EQ(sender->GetNext(5), 3U);
    EXPECT_EQ(sender->GetInFlight(), 3U);
    EXPECT_EQ(sender->GetUnacknowledged(), 0U);
}

TEST(GoBackN, AckIsCumulativeAndOldOnesAreIgnored)
{
    const auto sender = MakeGoBackNSender();
    SendFrames(*sender, 5, 5);
    EXPECT_TRUE(sender->OnAck(3, 2));
    EXPECT_EQ(sender->GetUnacknowledged(), 3U);
    EXPECT_EQ(sender->GetInFlight(), 2U);
    EXPECT_FALSE(sender->OnAck(3, 2));
    EXPECT_FALSE(sender->OnAck(1, 0));
    EXPECT_EQ(sender->GetUnacknowledged(), 3U);
    EXPECT_EQ(sender->GetNext(5), 5U);
}

TEST(GoBackN, NakAcknowledgesAndGoesBack)
{
    const auto sender = MakeGoBackNSender();
    SendFrames(*sender, 8, 10);
    EXPECT_TRUE(sender->OnNak(4, 5));
    EXPECT_EQ(sender->GetUnacknowledged(), 4U);
    EXPECT_EQ(sender->GetNext(10), 4U);
    EXPECT_EQ(sender->GetInFlight(), 0U);
    SendFrames(*sender, 2, 10);
    EXPECT_EQ(sender->GetNext(10), 6U);
    EXPECT_FALSE(sender->OnNak(2, 3)) << "a late NAK for a frame that has arrived since";
    EXPECT_EQ(sender->GetNext(10), 6U);
}

TEST(GoBackN, AckOfTheFirstTransmissionAfterGoingBackSkipsWhatArrived)
{
    const auto sender = MakeGoBackNSender();
    SendFrames(*sender, 6, 6);
    sender->OnTimeout();
    EXPECT_EQ(sender->GetNext(6), 0U);
    EXPECT_EQ(sender->GetInFlight(), 0U);
    SendFrames(*sender, 1, 6);
    EXPECT_TRUE(sender->OnAck(4, 3));
    EXPECT_EQ(sender->GetNext(6), 4U);
    EXPECT_EQ(sender->GetInFlight(), 0U);
}

TEST(GoBackN, TimeoutCountsFromTheFirstMissingFrame)
{
    const auto sender = MakeGoBackNSender();
    const SenderRecovery::Departure first = sender->OnSent(0, false);
    EXPECT_EQ(first.number, 0U);
    EXPECT_TRUE(first.startsTimeout);
    EXPECT_FALSE(first.tellsOfLoss);
    EXPECT_FALSE(sender->OnSent(1, false).startsTimeout);
    EXPECT_TRUE(sender->MindsTimeoutWhileSending());
    EXPECT_EQ(sender->OnTimeout(), SenderRecovery::Loss::Oldest);
    const SenderRecovery::Departure again = sender->OnSent(0, true);
    EXPECT_TRUE(again.startsTimeout);
    EXPECT_TRUE(again.tellsOfLoss);
}

TEST(GoBackN, ReceiverAcceptsInOrderOnlyAndAcknowledgesEachFrame)
{
    const auto receiver = MakeGoBackNReceiver();
    ExpectGoBackNVerdict(receiver->OnData(0, {0, kGoBackNPayload, kGoBackNMissing}),
                         true,
                         Reply::Ack,
                         1);
    ExpectGoBackNVerdict(receiver->OnData(1, {1, kGoBackNPayload, kGoBackNMissing}),
                         true,
                         Reply::Ack,
                         2);
    ExpectGoBackNVerdict(receiver->OnData(2, {1, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::Ack,
                         2); // again
    ExpectGoBackNVerdict(receiver->OnData(3, {0, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::Ack,
                         2);
    ExpectGoBackNVerdict(receiver->OnData(4, {3, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::Nak,
                         2);
    ExpectGoBackNVerdict(receiver->OnData(5, {2, kGoBackNPayload, kGoBackNMissing}),
                         true,
                         Reply::Ack,
                         3);
    ExpectGoBackNVerdict(receiver->OnData(6, {3, kGoBackNPayload, kGoBackNMissing}),
                         true,
                         Reply::Ack,
                         4);
}

TEST(GoBackN, OneNakPerGapUntilProgressOrTheInterval)
{
    const auto receiver = Make(1000, 100)->MakeReceiver(kGoBackNPayload);
    receiver->OnData(Ticks(0), {0, kGoBackNPayload, kGoBackNMissing});
    ExpectGoBackNVerdict(receiver->OnData(Ticks(10), {2, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::Nak,
                         1);
    ExpectGoBackNVerdict(receiver->OnData(Ticks(11), {3, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::None,
                         1);
    ExpectGoBackNVerdict(receiver->OnData(Ticks(109), {4, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::None,
                         1);
    ExpectGoBackNVerdict(receiver->OnData(Ticks(110), {5, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::Nak,
                         1);
    ExpectGoBackNVerdict(receiver->OnData(Ticks(111), {6, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::None,
                         1);
    ExpectGoBackNVerdict(receiver->OnData(Ticks(112), {1, kGoBackNPayload, kGoBackNMissing}),
                         true,
                         Reply::Ack,
                         2);
    // The next gap is another one.
    ExpectGoBackNVerdict(receiver->OnData(Ticks(113), {3, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::Nak,
                         2);
}

TEST(GoBackN, EachQueuePairGetsHalvesOfItsOwn)
{
    Ptr<LossRecovery> recovery = Make(77);
    const auto usedSender = recovery->MakeSender();
    const auto usedReceiver = recovery->MakeReceiver(kGoBackNPayload);
    SendFrames(*usedSender, 5, 5);
    usedReceiver->OnData(0, {0, kGoBackNPayload, kGoBackNMissing});
    usedReceiver->OnData(0, {7, kGoBackNPayload, kGoBackNMissing});
    const auto sender = recovery->MakeSender();
    EXPECT_EQ(sender->GetTimeout(), Ticks(77));
    EXPECT_EQ(sender->GetNext(5), 0U);
    EXPECT_EQ(sender->GetInFlight(), 0U);
    ExpectGoBackNVerdict(
        recovery->MakeReceiver(kGoBackNPayload)->OnData(0, {1, kGoBackNPayload, kGoBackNMissing}),
        false,
        Reply::Nak,
        0);
}

TEST(GoBackN, NumbersBeyond32BitsWork)
{
    const auto receiver = MakeGoBackNReceiver();
    const auto sender = MakeGoBackNSender();
    const uint64_t far = (uint64_t{1} << 32) + 5;
    sender->OnSent(far, false);
    EXPECT_EQ(sender->GetNext(far + 10), far + 1);
    EXPECT_TRUE(sender->OnAck(far + 1, far));
    EXPECT_EQ(sender->GetUnacknowledged(), far + 1);
    ExpectGoBackNVerdict(receiver->OnData(0, {far, kGoBackNPayload, kGoBackNMissing}),
                         false,
                         Reply::Nak,
                         0);
}

TEST(GoBackN, LossFreeChannelSendsEachFrameOnce)
{
    LossChannel channel;
    ASSERT_TRUE(channel.Run(*MakeGoBackNSender(), *MakeGoBackNReceiver(), 5000, 100'000));
    EXPECT_TRUE(channel.DeliveredEachOnce());
    EXPECT_EQ(channel.sent, 5000U);
    EXPECT_EQ(channel.timeouts, 0U);
}

TEST(GoBackN, OneLossCostsTheFramesOfOneRoundTrip)
{
    LossChannel channel;
    channel.losesData = [](uint64_t psn, uint32_t transmission) {
        return psn == 100 && transmission == 0;
    };
    ASSERT_TRUE(channel.Run(*MakeGoBackNSender(), *MakeGoBackNReceiver(), 1000, 100'000));
    EXPECT_TRUE(channel.DeliveredEachOnce());
    // 100 is missed when 101 arrives; its NAK is back 41 ticks after 100 was sent.
    EXPECT_EQ(channel.sent, 1041U);
    EXPECT_EQ(channel.timeouts, 0U);
}

TEST(GoBackN, LostRetransmissionIsAskedForAgainBeforeTheTimeout)
{
    LossChannel channel;
    channel.losesData = [](uint64_t psn, uint32_t transmission) {
        return psn == 100 && transmission < 2;
    };
    ASSERT_TRUE(channel.Run(*MakeGoBackNSender(), *MakeGoBackNReceiver(), 1000, 100'000));
    EXPECT_TRUE(channel.DeliveredEachOnce());
    EXPECT_EQ(channel.timeouts, 0U);
}

TEST(GoBackN, LostTailRecoversByTimeout)
{
    LossChannel channel;
    channel.losesData = [](uint64_t psn, uint32_t transmission) {
        return psn >= 97 && transmission == 0;
    };
    ASSERT_TRUE(channel.Run(*MakeGoBackNSender(), *MakeGoBackNReceiver(), 100, 100'000));
    EXPECT_TRUE(channel.DeliveredEachOnce());
    EXPECT_EQ(channel.timeouts, 1U);
    EXPECT_EQ(channel.sent, 103U);
}

TEST(GoBackN, LostLastAckRecoversByTimeoutAndDeliversNothingTwice)
{
    LossChannel channel;
    channel.losesReply = [](uint64_t number) { return number == 99; };
    ASSERT_TRUE(channel.Run(*MakeGoBackNSender(), *MakeGoBackNReceiver(), 100, 100'000));
    EXPECT_TRUE(channel.DeliveredEachOnce());
    EXPECT_EQ(channel.timeouts, 1U);
    EXPECT_EQ(channel.sent, 101U);
}

TEST(GoBackN, LateDuplicateAfterCompletionIsHarmless)
{
    LossChannel channel;
    const auto sender = MakeGoBackNSender();
    const auto receiver = MakeGoBackNReceiver();
    ASSERT_TRUE(channel.Run(*sender, *receiver, 100, 100'000));
    const ReceiverRecovery::Verdict verdict =
        receiver->OnData(Ticks(5000), {40, kGoBackNPayload, kGoBackNMissing});
    ExpectGoBackNVerdict(verdict, false, Reply::Ack, 100);
    EXPECT_FALSE(sender->OnAck(verdict.cumulative, 40));
    EXPECT_FALSE(sender->OnNak(40, 41));
    EXPECT_EQ(sender->GetNext(100), 100U);
    EXPECT_EQ(sender->GetInFlight(), 0U);
}

TEST(GoBackN, RandomLossBothWaysDeliversEachFrameOnce)
{
    for (uint64_t seed = 1; seed <= 30; ++seed)
    {
        LossChannel channel;
        const double probability = seed % 3 == 0 ? 0.1 : 0.005;
        channel.losesData = [seed, probability](uint64_t psn, uint32_t transmission) {
            return IsLostByPattern(seed, psn, transmission, probability);
        };
        std::mt19937_64 random(seed);
        channel.losesReply = [&random, probability](uint64_t) {
            return std::generate_canonical<double, 53>(random) < probability;
        };
        ASSERT_TRUE(channel.Run(*MakeGoBackNSender(), *MakeGoBackNReceiver(), 2000, 10'000'000))
            << "seed " << seed;
        EXPECT_TRUE(channel.DeliveredEachOnce()) << "seed " << seed;
        EXPECT_GT(channel.sent, 2000U) << "seed " << seed;
    }
}
