// SPDX-License-Identifier: GPL-2.0-only
#include "loss-channel.h"

#include "ns3/boolean.h"
#include "ns3/component-maker.h"
#include "ns3/loss-recovery.h"
#include "ns3/psn-bitmap.h"
#include "ns3/selective-repeat-loss-recovery.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint32_t kSelectiveRepeatPayload = 1000;
constexpr uint64_t kSelectiveRepeatMissing = 100'000;

using Reply = ReceiverRecovery::Reply;
using SelectiveRepeatSender = SelectiveRepeatLossRecovery::Sender;
using Receiver = SelectiveRepeatLossRecovery::Receiver;

Ptr<SelectiveRepeatLossRecovery>
Make(uint32_t window = 256, uint32_t threshold = 1, uint64_t timeout = 1000)
{
    Ptr<SelectiveRepeatLossRecovery> recovery = CreateObject<SelectiveRepeatLossRecovery>();
    recovery->SetAttribute("Timeout", TimeValue(NanoSeconds(timeout)));
    recovery->SetAttribute("ReorderWindow", UintegerValue(window));
    recovery->SetAttribute("LossThreshold", UintegerValue(threshold));
    return recovery;
}

std::unique_ptr<SelectiveRepeatSender>
MakeSelectiveRepeatSender(uint32_t window = 256, uint32_t threshold = 1)
{
    return std::make_unique<SelectiveRepeatSender>(Make(window, threshold));
}

std::unique_ptr<Receiver>
MakeSelectiveRepeatReceiver(uint32_t window = 256, uint32_t threshold = 1)
{
    return std::make_unique<Receiver>(Make(window, threshold));
}

/// Sends what the sender wants to send, at most so many frames.
std::vector<uint64_t>
SendUpTo(SenderRecovery& sender, uint64_t frames, uint64_t end)
{
    std::vector<uint64_t> sent;
    for (uint64_t i = 0; i < frames && sender.GetNext(end) < end; ++i)
    {
        sent.push_back(sender.GetNext(end));
        sender.OnSent(sent.back(), false);
    }
    return sent;
}

void
ExpectSelectiveRepeatVerdict(const ReceiverRecovery::Verdict& verdict,
                             bool deliver,
                             Reply reply,
                             uint64_t cumulative)
{
    EXPECT_EQ(verdict.bytes, deliver ? kSelectiveRepeatPayload : 0);
    EXPECT_EQ(verdict.reply, reply);
    EXPECT_EQ(verdict.cumulative, cumulative);
}

using Psns = std::vector<uint64_t>;

} // namespace

// The bitmap

TEST(PsnBitmap, KeepsNumbersWithinItsWindowWhereverThatIs)
{
    PsnBitmap bitmap(100);
    const uint64_t base = (uint64_t{1} << 40) + 37;
    for (uint64_t offset = 0; offset < 100; offset += 3)
    {
        EXPECT_FALSE(bitmap.Contains(base + offset));
        EXPECT_TRUE(bitmap.Insert(base + offset));
        EXPECT_FALSE(bitmap.Insert(base + offset));
    }
    EXPECT_EQ(bitmap.GetSize(), 34U);
    EXPECT_FALSE(bitmap.Contains(base + 1));
    EXPECT_TRUE(bitmap.Erase(base + 3));
    EXPECT_FALSE(bitmap.Erase(base + 3));
    EXPECT_FALSE(bitmap.Contains(base + 3));
    EXPECT_EQ(bitmap.GetSize(), 33U);
}

// The receiver

TEST(SelectiveRepeat, ReceiverAcceptsOutOfOrderAndAcknowledgesEachFrame)
{
    const auto receiver = MakeSelectiveRepeatReceiver();
    ExpectSelectiveRepeatVerdict(
        receiver->OnData(0, {0, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        true,
        Reply::Ack,
        1);
    ExpectSelectiveRepeatVerdict(
        receiver->OnData(0, {3, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        true,
        Reply::Ack,
        1);
    ExpectSelectiveRepeatVerdict(
        receiver->OnData(0, {2, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        true,
        Reply::Ack,
        1);
    ExpectSelectiveRepeatVerdict(
        receiver->OnData(0, {3, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        false,
        Reply::Ack,
        1); // again
    ExpectSelectiveRepeatVerdict(
        receiver->OnData(0, {0, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        false,
        Reply::Ack,
        1);
    ExpectSelectiveRepeatVerdict(
        receiver->OnData(0, {1, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        true,
        Reply::Ack,
        4);
    ExpectSelectiveRepeatVerdict(
        receiver->OnData(0, {4, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        true,
        Reply::Ack,
        5);
}

TEST(SelectiveRepeat, ReceiverRefusesFramesBeyondItsWindow)
{
    const auto receiver = MakeSelectiveRepeatReceiver(8);
    receiver->OnData(0, {0, kSelectiveRepeatPayload, kSelectiveRepeatMissing});
    ExpectSelectiveRepeatVerdict(
        receiver->OnData(0, {9, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        false,
        Reply::None,
        1);
    for (uint64_t psn = 8; psn >= 2; --psn)
    {
        ExpectSelectiveRepeatVerdict(
            receiver->OnData(0, {psn, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
            true,
            Reply::Ack,
            1);
    }
    ExpectSelectiveRepeatVerdict(
        receiver->OnData(0, {1, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        true,
        Reply::Ack,
        9);
}

TEST(SelectiveRepeat, MemoryIsHeldOnlyWhileThereIsAHole)
{
    const auto receiver = MakeSelectiveRepeatReceiver();
    receiver->OnData(0, {0, kSelectiveRepeatPayload, kSelectiveRepeatMissing});
    EXPECT_FALSE(receiver->HasHoles());
    receiver->OnData(0, {2, kSelectiveRepeatPayload, kSelectiveRepeatMissing});
    EXPECT_TRUE(receiver->HasHoles());
    receiver->OnData(0, {1, kSelectiveRepeatPayload, kSelectiveRepeatMissing});
    EXPECT_FALSE(receiver->HasHoles());

    const auto sender = MakeSelectiveRepeatSender();
    SendUpTo(*sender, 4, 4);
    sender->OnAck(1, 0);
    EXPECT_FALSE(sender->HasHoles());
    sender->OnAck(1, 2);
    EXPECT_TRUE(sender->HasHoles());
    sender->OnAck(3, 1);
    EXPECT_FALSE(sender->HasHoles());
}

// The sender

TEST(SelectiveRepeat, SenderSendsOnlyTheHoleAgainAndThenGoesOn)
{
    const auto sender = MakeSelectiveRepeatSender();
    EXPECT_EQ(SendUpTo(*sender, 6, 20), (Psns{0, 1, 2, 3, 4, 5}));
    EXPECT_TRUE(sender->OnAck(1, 0));
    EXPECT_FALSE(sender->OnAck(1, 3));    // 1 and 2 are missing
    EXPECT_EQ(sender->GetInFlight(), 2U); // 4, 5
    EXPECT_FALSE(sender->OnAck(1, 5));
    EXPECT_EQ(sender->GetInFlight(), 0U);
    EXPECT_EQ(SendUpTo(*sender, 5, 20), (Psns{1, 2, 4, 6, 7}));
    EXPECT_EQ(sender->GetInFlight(), 5U);
    EXPECT_TRUE(sender->OnAck(2, 1));
    EXPECT_TRUE(sender->OnAck(4, 2));
    EXPECT_TRUE(sender->OnAck(6, 4));
    EXPECT_EQ(sender->GetInFlight(), 2U);
    EXPECT_EQ(sender->GetUnacknowledged(), 6U);
    EXPECT_EQ(sender->GetNext(20), 8U);
    EXPECT_FALSE(sender->HasHoles());
}

TEST(SelectiveRepeat, FrameThatWasOnlyLateIsNotSentAgain)
{
    const auto sender = MakeSelectiveRepeatSender();
    SendUpTo(*sender, 4, 10);
    sender->OnAck(0, 2); // 0 and 1 look lost
    sender->OnAck(0, 1); // 1 was late
    EXPECT_EQ(SendUpTo(*sender, 2, 10), (Psns{0, 4}));
}

TEST(SelectiveRepeat, ReorderingBelowTheThresholdIsNotLoss)
{
    const auto sender = MakeSelectiveRepeatSender(256, 4);
    SendUpTo(*sender, 8, 8);
    sender->OnAck(0, 1);
    sender->OnAck(0, 2);
    sender->OnAck(0, 3);
    EXPECT_EQ(sender->GetNext(8), 8U);
    EXPECT_EQ(sender->GetInFlight(), 5U);
    sender->OnAck(0, 4);
    EXPECT_EQ(sender->GetNext(8), 0U);
}

TEST(SelectiveRepeat, LostRetransmissionOfTheFirstHoleIsSeenByAFresherFrame)
{
    const auto sender = MakeSelectiveRepeatSender();
    SendUpTo(*sender, 3, 20);
    sender->OnAck(0, 1);
    EXPECT_EQ(SendUpTo(*sender, 3, 20), (Psns{0, 3, 4}));
    sender->OnAck(0, 2); // sent before the retransmission: says nothing of it
    EXPECT_EQ(sender->GetNext(20), 5U);
    sender->OnAck(0, 3); // sent after it
    EXPECT_EQ(SendUpTo(*sender, 2, 20), (Psns{0, 5}));
    sender->OnAck(0, 4); // sent before the second retransmission
    EXPECT_EQ(sender->GetNext(20), 6U);
}

TEST(SelectiveRepeat, TimeoutSendsAllThatIsMissingAgain)
{
    const auto sender = MakeSelectiveRepeatSender();
    SendUpTo(*sender, 6, 6);
    sender->OnAck(2, 1);
    sender->OnAck(2, 4);
    EXPECT_EQ(SendUpTo(*sender, 9, 6), (Psns{2, 3}));
    sender->OnTimeout();
    EXPECT_EQ(sender->GetInFlight(), 0U);
    EXPECT_EQ(SendUpTo(*sender, 9, 6), (Psns{2, 3, 5}));
    EXPECT_EQ(sender->GetInFlight(), 3U);
    sender->OnTimeout();
    EXPECT_EQ(SendUpTo(*sender, 9, 6), (Psns{2, 3, 5}));
}

TEST(SelectiveRepeat, AfterATimeoutLaterFramesShowLossAgain)
{
    const auto sender = MakeSelectiveRepeatSender();
    SendUpTo(*sender, 6, 6);
    sender->OnAck(2, 1);
    sender->OnAck(2, 4);
    SendUpTo(*sender, 9, 6);
    sender->OnTimeout();
    EXPECT_EQ(SendUpTo(*sender, 9, 6), (Psns{2, 3, 5}));
    sender->OnAck(2, 5); // went after 2 and 3, and arrived
    EXPECT_EQ(SendUpTo(*sender, 9, 6), (Psns{2, 3}));
}

TEST(SelectiveRepeat, NextHoleIsNotJudgedByFramesFromBeforeItsRetransmission)
{
    const auto sender = MakeSelectiveRepeatSender();
    SendUpTo(*sender, 5, 20);
    sender->OnAck(0, 1); // 0 is missing
    sender->OnAck(0, 2);
    EXPECT_EQ(SendUpTo(*sender, 3, 20), (Psns{0, 5, 6}));
    sender->OnAck(0, 4); // 3 is missing as well
    EXPECT_EQ(SendUpTo(*sender, 1, 20), (Psns{3}));
    sender->OnAck(3, 0);
    sender->OnAck(3, 5); // newer than the retransmission of 0, older than that of 3
    EXPECT_EQ(sender->GetNext(20), 7U);
}

TEST(SelectiveRepeat, TimeoutWithNothingOutstandingDoesNothing)
{
    const auto sender = MakeSelectiveRepeatSender();
    sender->OnTimeout();
    EXPECT_EQ(sender->GetNext(3), 0U);
    EXPECT_FALSE(sender->HasHoles());
}

TEST(SelectiveRepeat, SenderStaysWithinTheReorderWindow)
{
    const auto sender = MakeSelectiveRepeatSender(8);
    EXPECT_EQ(SendUpTo(*sender, 20, 100).size(), 8U);
    EXPECT_EQ(sender->GetNext(100), 100U);
    sender->OnAck(3, 2);
    EXPECT_EQ(SendUpTo(*sender, 20, 100), (Psns{8, 9, 10}));
}

TEST(SelectiveRepeat, TimeoutCountsFromTheFirstMissingFrame)
{
    const auto sender = MakeSelectiveRepeatSender();
    EXPECT_TRUE(sender->OnSent(0, false).startsTimeout);
    EXPECT_FALSE(sender->OnSent(1, false).startsTimeout);
    EXPECT_FALSE(sender->OnSent(2, false).tellsOfLoss);
    EXPECT_TRUE(sender->MindsTimeoutWhileSending());
    EXPECT_EQ(sender->OnTimeout(), SenderRecovery::Loss::Oldest);
    const SenderRecovery::Departure again = sender->OnSent(0, true);
    EXPECT_EQ(again.number, 0U);
    EXPECT_TRUE(again.startsTimeout);
    EXPECT_TRUE(again.tellsOfLoss);
    EXPECT_FALSE(sender->OnSent(1, true).startsTimeout);
}

TEST(SelectiveRepeat, EachQueuePairGetsHalvesOfItsOwn)
{
    Ptr<LossRecovery> recovery = Make(16, 3, 77);
    const auto usedSender = recovery->MakeSender();
    SendUpTo(*usedSender, 5, 5);
    usedSender->OnAck(0, 4);
    recovery->MakeReceiver(kSelectiveRepeatPayload)
        ->OnData(0, {2, kSelectiveRepeatPayload, kSelectiveRepeatMissing});
    const auto sender = recovery->MakeSender();
    EXPECT_EQ(sender->GetTimeout(), Ticks(77));
    EXPECT_EQ(sender->GetInFlight(), 0U);
    EXPECT_EQ(SendUpTo(*sender, 99, 99).size(), 16U);
    ExpectSelectiveRepeatVerdict(
        recovery->MakeReceiver(kSelectiveRepeatPayload)
            ->OnData(0, {2, kSelectiveRepeatPayload, kSelectiveRepeatMissing}),
        true,
        Reply::Ack,
        0);
}

// Over a channel

TEST(SelectiveRepeat, LossFreeChannelSendsEachFrameOnceWithoutMemory)
{
    LossChannel channel;
    const auto sender = MakeSelectiveRepeatSender();
    const auto receiver = MakeSelectiveRepeatReceiver();
    ASSERT_TRUE(channel.Run(*sender, *receiver, 5000, 100'000));
    EXPECT_TRUE(channel.DeliveredEachOnce());
    EXPECT_EQ(channel.sent, 5000U);
    EXPECT_FALSE(sender->HasHoles());
    EXPECT_FALSE(receiver->HasHoles());
}

TEST(SelectiveRepeat, OneLossCostsOneFrame)
{
    LossChannel channel;
    channel.losesData = [](uint64_t psn, uint32_t transmission) {
        return psn == 100 && transmission == 0;
    };
    ASSERT_TRUE(
        channel.Run(*MakeSelectiveRepeatSender(), *MakeSelectiveRepeatReceiver(), 1000, 100'000));
    EXPECT_TRUE(channel.DeliveredEachOnce());
    EXPECT_EQ(channel.sent, 1001U);
    EXPECT_EQ(channel.timeouts, 0U);
}

TEST(SelectiveRepeat, LostTailRecoversByTimeout)
{
    LossChannel channel;
    channel.losesData = [](uint64_t psn, uint32_t transmission) {
        return psn >= 97 && transmission == 0;
    };
    ASSERT_TRUE(
        channel.Run(*MakeSelectiveRepeatSender(), *MakeSelectiveRepeatReceiver(), 100, 100'000));
    EXPECT_TRUE(channel.DeliveredEachOnce());
    EXPECT_EQ(channel.timeouts, 1U);
    EXPECT_EQ(channel.sent, 103U);
}

TEST(SelectiveRepeat, LateDuplicateAfterCompletionIsHarmless)
{
    LossChannel channel;
    const auto sender = MakeSelectiveRepeatSender();
    const auto receiver = MakeSelectiveRepeatReceiver();
    ASSERT_TRUE(channel.Run(*sender, *receiver, 100, 100'000));
    const ReceiverRecovery::Verdict verdict =
        receiver->OnData(Ticks(5000), {40, kSelectiveRepeatPayload, kSelectiveRepeatMissing});
    ExpectSelectiveRepeatVerdict(verdict, false, Reply::Ack, 100);
    EXPECT_FALSE(sender->OnAck(verdict.cumulative, 40));
    EXPECT_FALSE(sender->OnAck(41, 40));
    EXPECT_FALSE(sender->OnNak(0, 0));
    EXPECT_EQ(sender->GetNext(100), 100U);
    EXPECT_EQ(sender->GetInFlight(), 0U);
    EXPECT_FALSE(sender->HasHoles());
}

TEST(SelectiveRepeat, ThresholdSixRetransmitsAllHolesOlderThanSix)
{
    const auto sender = MakeSelectiveRepeatSender(256, 6);
    SendUpTo(*sender, 20, 20);
    sender->OnAck(1, 0);
    // 1, 2 and 4 are missing; 3 and 5 to 7 have come.
    for (const uint64_t psn : {3, 5, 6})
    {
        sender->OnAck(1, psn);
        EXPECT_EQ(sender->GetNext(20), 20U) << psn;
    }
    sender->OnAck(1, 7);
    EXPECT_EQ(SendUpTo(*sender, 9, 20), (Psns{1})) << "2 is five older only";
    sender->OnAck(1, 10);
    EXPECT_EQ(SendUpTo(*sender, 9, 20), (Psns{2, 4}));
}

TEST(SelectiveRepeat, HasAFixedTimeoutByDefault)
{
    const auto sender = MakeSelectiveRepeatSender();
    EXPECT_FALSE(sender->UsesRoundTrips());
    SendUpTo(*sender, 5, 5);
    sender->OnTimeout();
    sender->OnTimeout();
    EXPECT_EQ(sender->GetTimeout(), 1'000'000);
    EXPECT_FALSE(sender->OnAck(0, 3)) << "out of order, so the time-out goes on";
}

TEST(SelectiveRepeat, AdaptiveTimeoutFollowsRoundTripsAndDoubles)
{
    Ptr<SelectiveRepeatLossRecovery> recovery = CreateObject<SelectiveRepeatLossRecovery>();
    recovery->SetAttribute("Timeout", TimeValue(MilliSeconds(1)));
    recovery->SetAttribute("AdaptiveTimeout", BooleanValue(true));
    EXPECT_EQ(recovery->GetTimeout(), 1'000'000'000) << "for the watchdog's check";
    const auto sender = recovery->MakeSender();
    EXPECT_TRUE(sender->UsesRoundTrips());
    SendUpTo(*sender, 10, 10);
    EXPECT_EQ(sender->GetTimeout(), 1'000'000'000);
    sender->OnRoundTrip(6'000'000);
    const TimePs rto = 6'000'000 + 4 * 3'000'000;
    EXPECT_EQ(sender->GetTimeout(), rto);
    EXPECT_TRUE(sender->OnAck(0, 5)) << "news restart the time-out";
    EXPECT_FALSE(sender->OnAck(0, 5)) << "old news do not";
    for (const int factor : {2, 4, 8, 16, 32})
    {
        sender->OnTimeout();
        EXPECT_EQ(sender->GetTimeout(), factor * rto);
    }
    sender->OnTimeout();
    EXPECT_EQ(sender->GetTimeout(), 1'000'000'000) << "64 times would be more than the largest";
    EXPECT_TRUE(sender->OnAck(1, 0));
    EXPECT_EQ(sender->GetTimeout(), rto);
    for (int i = 0; i < 100; ++i)
    {
        sender->OnRoundTrip(500'000);
    }
    EXPECT_EQ(sender->GetTimeout(), 2'000'000) << "the minimum";
}

TEST(SelectiveRepeat, SendsFewerFramesThanGoBackNAtTheSameLosses)
{
    for (uint64_t seed = 1; seed <= 5; ++seed)
    {
        LossChannel selective;
        selective.losesData = [seed](uint64_t psn, uint32_t transmission) {
            return IsLostByPattern(seed, psn, transmission, 1e-3);
        };
        LossChannel goBack;
        goBack.losesData = selective.losesData;
        Ptr<LossRecovery> other = MakeComponent<LossRecovery>("GoBackNLossRecovery");
        other->SetAttribute("Timeout", TimeValue(NanoSeconds(1000)));
        other->SetAttribute("NakInterval", TimeValue(NanoSeconds(100)));
        const uint64_t frames = 20'000;
        ASSERT_TRUE(selective.Run(*MakeSelectiveRepeatSender(),
                                  *MakeSelectiveRepeatReceiver(),
                                  frames,
                                  1'000'000));
        ASSERT_TRUE(goBack.Run(*other->MakeSender(),
                               *other->MakeReceiver(kSelectiveRepeatPayload),
                               frames,
                               1'000'000));
        EXPECT_TRUE(selective.DeliveredEachOnce());
        EXPECT_TRUE(goBack.DeliveredEachOnce());
        EXPECT_GT(selective.sent, frames);
        // Each loss costs one frame instead of those of a round trip.
        EXPECT_LT((selective.sent - frames) * 20, goBack.sent - frames) << "seed " << seed;
    }
}

TEST(SelectiveRepeat, RandomLossAndReorderingDeliverEachFrameOnce)
{
    for (uint64_t seed = 1; seed <= 40; ++seed)
    {
        std::mt19937_64 random(seed);
        const double probability = seed % 3 == 0 ? 0.2 : 0.005;
        const uint32_t spread = seed % 4 == 0 ? 1 : 30;
        const uint32_t window = seed % 5 == 0 ? 16 : 256;
        const uint32_t threshold = seed % 2 == 0 ? 1 : 32;
        LossChannel channel;
        channel.losesData = [seed, probability](uint64_t psn, uint32_t transmission) {
            return IsLostByPattern(seed, psn, transmission, probability);
        };
        channel.losesReply = [&random, probability](uint64_t) {
            return std::generate_canonical<double, 53>(random) < probability;
        };
        channel.jitter = [&random, spread] { return static_cast<uint32_t>(random() % spread); };
        const auto sender = MakeSelectiveRepeatSender(window, threshold);
        const auto receiver = MakeSelectiveRepeatReceiver(window, threshold);
        ASSERT_TRUE(channel.Run(*sender, *receiver, 3000, 10'000'000)) << "seed " << seed;
        EXPECT_TRUE(channel.DeliveredEachOnce()) << "seed " << seed;
        EXPECT_LT(channel.largestAdvance, window) << "seed " << seed;
        EXPECT_EQ(sender->GetInFlight(), 0U) << "seed " << seed;
        EXPECT_FALSE(sender->HasHoles()) << "seed " << seed;
        EXPECT_FALSE(receiver->HasHoles()) << "seed " << seed;
    }
}

TEST(SelectiveRepeat, ReorderingWithinTheThresholdSendsNothingTwice)
{
    std::mt19937_64 random(3);
    LossChannel channel;
    channel.jitter = [&random] { return static_cast<uint32_t>(random() % 30); };
    ASSERT_TRUE(channel.Run(*MakeSelectiveRepeatSender(256, 64),
                            *MakeSelectiveRepeatReceiver(256, 64),
                            5000,
                            100'000));
    EXPECT_TRUE(channel.DeliveredEachOnce());
    EXPECT_EQ(channel.sent, 5000U);
}
