// SPDX-License-Identifier: GPL-2.0-only

// What an ACK brings back: the entropy of its data, and the mark of the data or of itself.

#include "../harness/run/experiment-fixtures.h"
#include "../support/test-cluster.h"

#include "ns3/enum.h"
#include "ns3/flow-path-selector.h"
#include "ns3/rails-error.h"

#include <gtest/gtest.h>
#include <map>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

/// Gives each frame an entropy of its own and writes down what it hears of it.
class ListeningPathSelector : public Forkable<ListeningPathSelector, PathSelector>
{
  public:
    /// What the queue pairs of a cluster heard, by flow.
    struct Notes
    {
        std::vector<PathFeedback> feedback;
    };

    explicit ListeningPathSelector(Notes& notes)
        : m_notes(notes)
    {
        m_traits.usesFeedback = true;
        m_traits.usesEcn = true;
    }

    void Choose(TimePs, Frame& frame) override
    {
        frame.entropy = 1000 + static_cast<uint32_t>(frame.psn);
    }

    void OnFeedback(TimePs, const PathFeedback& feedback) override
    {
        m_notes.feedback.push_back(feedback);
    }

  private:
    Notes& m_notes;
};

/// Counts the ACKs of a peer that arrive at a NIC.
struct AckWatch
{
    AckWatch(Port& port, uint32_t peer)
        : peer(peer)
    {
        port.TraceConnectWithoutContext("Arrive", MakeCallback(&AckWatch::OnArrive, this));
    }

    void OnArrive(Time, const Frame& frame)
    {
        if (frame.kind == FrameKind::Ack && frame.sourceNic == peer)
        {
            ++acks;
            marked += frame.marked ? 1 : 0;
            inData += frame.trafficClass == kDataClass ? 1 : 0;
        }
    }

    uint32_t peer;
    uint64_t acks{0};
    uint64_t marked{0};
    uint64_t inData{0};
};

constexpr uint64_t kTransportEchoFrames = 300;

/// NIC 0 sends to NIC 1, while something else fills the queue one way or the other. Marks begin at
/// five frames.
class TransportEcho : public testing::Test
{
  protected:
    void Build(Transport::AckClass ackClass, Transport::Echo echo)
    {
        m_test.transport->SetAttribute("AckClass", EnumValue(ackClass));
        m_test.transport->SetAttribute("Echo", EnumValue(echo));
        m_test.path = CreateObject<ListeningPathSelector>(m_notes);
        Ptr<EcnMarker> marker = CreateObject<EcnMarker>();
        marker->SetAttribute("Kmin", Bytes(5 * 4158));
        marker->SetAttribute("Kmax", Bytes(5 * 4158));
        m_test.profile->SetAttribute("Ecn", PointerValue(marker));
        m_test.Build();
    }

    /// Two others send to a NIC.
    void Fill(uint32_t nic)
    {
        m_test.Post(2, nic, kTransportEchoFrames * 4096);
        m_test.Post(3, nic, kTransportEchoFrames * 4096);
    }

    ListeningPathSelector::Notes m_notes;
    TestCluster m_test{4};
};

TEST_F(TransportEcho, BringsTheEntropyAndTheRoundTripBack)
{
    Build(Transport::ACKS_IN_CONTROL, Transport::DATA_MARK);
    m_test.Post(0, 1, 10 * 4096);
    m_test.Run();
    ASSERT_EQ(m_notes.feedback.size(), 10U);
    for (uint64_t psn = 0; psn < 10; ++psn)
    {
        EXPECT_EQ(m_notes.feedback[psn].psn, psn);
        EXPECT_EQ(m_notes.feedback[psn].entropy, 1000 + psn);
        EXPECT_EQ(m_notes.feedback[psn].roundTrip, 2 * (4178 + 84) * 20 + 4 * 500'000);
        EXPECT_FALSE(m_notes.feedback[psn].marked);
    }
}

TEST_F(TransportEcho, OfTheDataMarkTellsOfCongestionOnTheWayThere)
{
    Build(Transport::ACKS_IN_DATA, Transport::DATA_MARK);
    AckWatch acks(m_test.GetNicPort(0), 1);
    m_test.Post(0, 1, kTransportEchoFrames * 4096);
    Fill(1);
    m_test.Run();
    EXPECT_EQ(acks.acks, kTransportEchoFrames);
    EXPECT_EQ(acks.inData, kTransportEchoFrames);
    // All but the first few and the last few meet a queue.
    EXPECT_GT(acks.marked, kTransportEchoFrames - 20);
}

TEST_F(TransportEcho, OfTheDataMarkSaysNothingOfTheWayBack)
{
    Build(Transport::ACKS_IN_DATA, Transport::DATA_MARK);
    AckWatch acks(m_test.GetNicPort(0), 1);
    m_test.Post(0, 1, kTransportEchoFrames * 4096);
    Fill(0);
    m_test.Run();
    EXPECT_EQ(acks.acks, kTransportEchoFrames);
    EXPECT_EQ(acks.marked, 0U);
    EXPECT_GT(m_test.Sum(&PortCounters::marks), kTransportEchoFrames) << "of what fills the queue";
}

TEST_F(TransportEcho, OfTheAcksOwnMarkTellsOfCongestionOnTheWayBack)
{
    Build(Transport::ACKS_IN_DATA, Transport::ACK_OWN_MARK);
    AckWatch acks(m_test.GetNicPort(0), 1);
    m_test.Post(0, 1, kTransportEchoFrames * 4096);
    Fill(0);
    m_test.Run();
    EXPECT_EQ(acks.acks, kTransportEchoFrames);
    EXPECT_GT(acks.marked, kTransportEchoFrames - 40);
    uint64_t heard = 0;
    for (const PathFeedback& feedback : m_notes.feedback)
    {
        heard += feedback.marked ? 1 : 0;
    }
    EXPECT_EQ(heard, acks.marked) << "the flows that fill the queue have no marked ACKs";
}

TEST_F(TransportEcho, OfTheAcksOwnMarkForgetsThatOfTheData)
{
    Build(Transport::ACKS_IN_DATA, Transport::ACK_OWN_MARK);
    AckWatch acks(m_test.GetNicPort(0), 1);
    m_test.Post(0, 1, kTransportEchoFrames * 4096);
    Fill(1);
    m_test.Run();
    EXPECT_EQ(acks.acks, kTransportEchoFrames);
    EXPECT_EQ(acks.marked, 0U);
    EXPECT_GT(m_test.Sum(&PortCounters::marks), kTransportEchoFrames);
}

TEST_F(TransportEcho, AcksOfTheDataClassWaitBehindData)
{
    // Two flows fill the queue to NIC 0; an ACK waits for all that is there when it comes.
    std::map<Transport::AckClass, TimePs> waits;
    for (const Transport::AckClass ackClass : {Transport::ACKS_IN_CONTROL, Transport::ACKS_IN_DATA})
    {
        TestCluster test(4);
        test.transport->SetAttribute("AckClass", EnumValue(ackClass));
        test.Build();
        test.Post(2, 0, 100 * 4096);
        test.Post(3, 0, 100 * 4096);
        const Message& message = test.Post(0, 1, 4096, -1, -1, 20 * 4178 * 20);
        test.Run();
        waits[ackClass] = message.acknowledged - message.end;
    }
    const TimePs idle = 2 * (84 * 20 + 500'000);
    EXPECT_LE(waits[Transport::ACKS_IN_CONTROL], idle + 4178 * 20);
    // Every frame time one frame more waits: some 20 + 14 when the ACK is there, after 1.2 us.
    EXPECT_GT(waits[Transport::ACKS_IN_DATA], idle + 25 * 4178 * 20);
    EXPECT_LT(waits[Transport::ACKS_IN_DATA], idle + 40 * 4178 * 20);
}

/// Refusals, by descriptor.
class TransportDescriptor : public ExperimentTest
{
  protected:
    static std::string Find(const std::string& transport)
    {
        return FindErrors(kSmallDescriptor + "transport: " + transport + "\n");
    }
};

TEST_F(TransportDescriptor, TakesTheModesOfThePaper)
{
    EXPECT_EQ(Find("{congestion_control: fixed-rate, loss_recovery: ideal, qp_per: message, "
                   "ack_class: data, echo: ack-own-mark}"),
              "");
    EXPECT_EQ(Find("{congestion_control: {type: fixed-rate, rate: 10Gbps, load: 0.5, "
                   "jitter: 0, random_start: false}}"),
              "");
    EXPECT_EQ(Find("{congestion_control: {type: swift, median_of: 16}, loss_recovery: {type: "
                   "selective-repeat, loss_threshold: 32, timeout: 1ms, adaptive_timeout: true}}"),
              "");
}

TEST_F(TransportDescriptor, RefusesTheMarksOfAcksThatAreNeverMarked)
{
    const std::string errors = Find("{echo: ack-own-mark}");
    EXPECT_NE(errors.find("4:13: error: "), std::string::npos) << errors;
    EXPECT_NE(errors.find("set ack_class to data"), std::string::npos) << errors;
}

TEST_F(TransportDescriptor, RefusesACodeOverSeveralMessages)
{
    for (const std::string shared : {"", ", qp_per: nic-pair", ", qp_per: gpu-pair"})
    {
        const std::string errors = Find("{loss_recovery: ideal" + shared + "}");
        EXPECT_NE(errors.find("4:13: error: "), std::string::npos) << errors;
        EXPECT_NE(errors.find("set qp_per to message"), std::string::npos) << errors;
    }
}

TEST_F(TransportDescriptor, RefusesALoadOfNothing)
{
    const std::string errors = Find("{congestion_control: {type: fixed-rate, load: 0}}");
    EXPECT_NE(errors.find("the load must not be zero"), std::string::npos) << errors;
}

} // namespace
