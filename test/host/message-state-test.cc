// SPDX-License-Identifier: GPL-2.0-only
#include "../support/test-cluster.h"

#include "ns3/component-maker.h"
#include "ns3/loss-recovery.h"
#include "ns3/message-state.h"

#include <gtest/gtest.h>
#include <memory>
#include <set>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

Message
MakeMessage(uint32_t id, uint64_t bytes)
{
    Message message;
    message.id = id;
    message.bytes = bytes;
    return message;
}

std::multiset<uint32_t>
GetIds(const MessageStatePool& pool)
{
    std::multiset<uint32_t> ids;
    pool.Visit([&](const MessageState& transfer) { ids.insert(transfer.id); });
    return ids;
}

TEST(MessageStatePool, FindsTheTransfersOfMessagesThatAreNotOver)
{
    MessageStatePool pool;
    std::deque<Message> messages;
    std::vector<MessageState*> transfers;
    for (uint32_t id = 0; id < 100; ++id)
    {
        messages.push_back(MakeMessage(id, id + 1));
        transfers.push_back(&pool.Allocate(messages.back()));
    }
    for (uint32_t id = 0; id < 100; ++id)
    {
        EXPECT_EQ(pool.Find(messages[id]), transfers[id]);
        EXPECT_EQ(transfers[id]->id, id);
        EXPECT_EQ(transfers[id]->bytes, id + 1);
    }
    pool.Retire(*transfers[7]);
    EXPECT_EQ(pool.Find(messages[7]), nullptr);
    EXPECT_EQ(GetIds(pool).size(), 99U);
    EXPECT_EQ(GetIds(pool).count(7), 0U);
}

TEST(MessageStatePool, FindsWhatIsPostedAfterAMessageWasLookedFor)
{
    MessageStatePool pool;
    Message first = MakeMessage(1, 1000);
    Message second = MakeMessage(2, 500);
    MessageState& kept = pool.Allocate(first);
    EXPECT_EQ(pool.Find(second), nullptr);
    MessageState& transfer = pool.Allocate(second);
    EXPECT_EQ(pool.Find(second), &transfer);
    kept.isAbandoned = true;
    pool.Retire(kept);
    EXPECT_EQ(pool.Find(first), nullptr);
    first = MakeMessage(3, 10); // in the place of one that is over
    MessageState& third = pool.Allocate(first);
    EXPECT_NE(&third, &kept);
    EXPECT_EQ(pool.Find(first), &third);
}

TEST(MessageStatePool, UsesATransferAgainThatNoFrameCanReferTo)
{
    MessageStatePool pool;
    Message first = MakeMessage(1, 1000);
    MessageState& transfer = pool.Allocate(first);
    transfer.delivered = 1000;
    pool.Retire(transfer);
    Message second = MakeMessage(2, 500);
    EXPECT_EQ(&pool.Allocate(second), &transfer);
    EXPECT_EQ(transfer.delivered, 0U);
    EXPECT_EQ(transfer.message, &second);
}

TEST(MessageStatePool, KeepsATransferThatALateFrameMayReferTo)
{
    MessageStatePool pool;
    std::deque<Message> messages;
    std::set<MessageState*> kept;
    for (const bool isAbandoned : {false, true})
    {
        messages.push_back(MakeMessage(isAbandoned ? 1 : 2, 1000));
        MessageState& transfer = pool.Allocate(messages.back());
        transfer.isRepeated = !isAbandoned;
        transfer.isAbandoned = isAbandoned;
        pool.Retire(transfer);
        EXPECT_EQ(transfer.message, nullptr) << "its owner may have thrown it away";
        EXPECT_EQ(pool.Find(messages.back()), nullptr);
        kept.insert(&transfer);
    }
    EXPECT_EQ(GetIds(pool), (std::multiset<uint32_t>{1, 2}));
    for (uint32_t id = 10; id < 200; ++id)
    {
        messages.push_back(MakeMessage(id, 1));
        EXPECT_EQ(kept.count(&pool.Allocate(messages.back())), 0U);
    }
}

/// Servers under one leaf, at 400 Gbps and 500 ns.
class TransferRun : public testing::Test
{
  protected:
    static uint32_t CountTransfers(const TestCluster& test)
    {
        uint32_t count = 0;
        for (const Ptr<GpuServer>& server : test.cluster->GetServers())
        {
            server->GetTransfers().Visit([&](const MessageState&) { ++count; });
        }
        return count;
    }
};

TEST_F(TransferRun, NoneIsLeftWhenAllMessagesAreOver)
{
    TestCluster test(4, 2);
    test.Build();
    for (uint32_t source = 0; source < 8; ++source)
    {
        for (uint32_t destination = 0; destination < 8; ++destination)
        {
            if (source != destination)
            {
                const int rail = (source + destination) % 2; // some over NVLink, some inside
                test.Post(source, destination, 20'000 + source, rail, rail);
            }
        }
    }
    EXPECT_EQ(CountTransfers(test), 56U);
    test.Run();
    EXPECT_TRUE(test.IsEverythingDeliveredOnce());
    EXPECT_EQ(CountTransfers(test), 0U);
}

TEST_F(TransferRun, AMessageThatStillCrossesNvlinkIsNotOverWhenItIsAcknowledged)
{
    // NVLink is slow at the far end: the ACK is back long before.
    TestCluster test(2, 2);
    test.topology->SetAttribute("NvlinkRate", Rate(kGbps));
    test.Build();
    const Message& message = test.Post(0, 3, 100'000, 0, 0);
    test.RunUntil(10'000'000);
    ASSERT_LT(message.acknowledged, kNever);
    ASSERT_EQ(message.end, kNever);
    EXPECT_TRUE(test.GetTransfer(message).isAcknowledged);
    test.Run();
    EXPECT_LT(message.end, kNever);
    EXPECT_EQ(CountTransfers(test), 0U);
    EXPECT_TRUE(test.IsEverythingDeliveredOnce());
}

TEST_F(TransferRun, OnesWithRepeatedFramesAreKept)
{
    TestCluster test(2);
    test.topology->SetAttribute("LinkLoss", DoubleValue(1e-3));
    test.Build();
    constexpr uint32_t kMessages = 200;
    for (uint32_t i = 0; i < kMessages; ++i)
    {
        test.Post(0, 1, 10 * 4096);
    }
    test.Run();
    EXPECT_TRUE(test.IsEverythingDeliveredOnce());
    EXPECT_GT(test.Sum(&NicCounters::retransmitted), 0U);
    EXPECT_GT(CountTransfers(test), 0U);
    EXPECT_LT(CountTransfers(test), kMessages);
}

/// A receiver that takes what it has for new.
class ForgetfulReceiver : public ReceiverRecovery
{
  public:
    explicit ForgetfulReceiver(std::unique_ptr<ReceiverRecovery> receiver)
        : m_receiver(std::move(receiver))
    {
    }

    Verdict OnData(TimePs now, const Arrival& frame) override
    {
        Verdict verdict = m_receiver->OnData(now, frame);
        verdict.bytes = verdict.reply == Reply::Ack ? frame.payload : 0;
        return verdict;
    }

  private:
    std::unique_ptr<ReceiverRecovery> m_receiver;
};

class ForgetfulLossRecovery : public LossRecovery
{
  public:
    ForgetfulLossRecovery()
    {
        m_traits.needsOrder = true;
    }

    std::unique_ptr<SenderRecovery> MakeSender() const override
    {
        return m_recovery->MakeSender();
    }

    std::unique_ptr<ReceiverRecovery> MakeReceiver(uint32_t mtu) const override
    {
        return std::make_unique<ForgetfulReceiver>(m_recovery->MakeReceiver(mtu));
    }

  private:
    Ptr<LossRecovery> m_recovery{
        MakeComponent<LossRecovery>("GoBackNLossRecovery", "Timeout", TimeValue(MicroSeconds(50)))};
};

TEST_F(TransferRun, BytesThatAreDeliveredTwiceShow)
{
    TestCluster test(2);
    test.topology->SetAttribute("LinkLoss", DoubleValue(0.2));
    test.transport->SetAttribute("LossRecovery",
                                 PointerValue(CreateObject<ForgetfulLossRecovery>()));
    test.Build();
    test.Post(0, 1, 100 * 4096);
    test.Run();
    EXPECT_GT(test.GetDeliveredBytes(), 100 * 4096U); // frames of which the ACK was lost
    EXPECT_FALSE(test.IsEverythingDeliveredOnce());
}

} // namespace
