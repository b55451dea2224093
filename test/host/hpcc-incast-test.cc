// SPDX-License-Identifier: GPL-2.0-only

// Senders in one rack send to one server under HPCC, as in the evaluation of the paper (Li et al.,
// SIGCOMM'19, section 5.4 and figure 14: 16 senders, 100 Gbps, a base round trip of 4 us, 10 ms).
// Frames are as long as there: 1000 B of payload, and 42 B of telemetry with the headers.

#include "../support/test-cluster.h"

#include "ns3/hpcc-congestion-control.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr TimePs kHpccIncastUs = 1'000'000;
constexpr uint64_t kHpccNoEnd = uint64_t{1} << 40; // bytes of a message that lasts

/// For how long a port's queue was how long.
class HpccQueueTimes
{
  public:
    explicit HpccQueueTimes(Port& port)
        : m_port(port)
    {
        port.TraceConnectWithoutContext("QueueBytes",
                                        MakeCallback(&HpccQueueTimes::OnChange, this));
    }

    /// Forgets what was.
    void Restart()
    {
        m_times.clear();
        m_since = m_port.GetAgenda().Now();
    }

    /// \return the length that the queue had or went below for a part of the time
    uint64_t GetPercentile(double part) const
    {
        TimePs all = 0;
        for (const auto& [length, time] : m_times)
        {
            all += time;
        }
        TimePs sum = 0;
        for (const auto& [length, time] : m_times)
        {
            sum += time;
            if (static_cast<double>(sum) >= part * static_cast<double>(all))
            {
                return length;
            }
        }
        return 0;
    }

    /// \return when the queue was last longer than a length
    TimePs GetLastAbove(uint64_t length) const
    {
        TimePs last = 0;
        for (auto above = m_lastAbove.upper_bound(length); above != m_lastAbove.end(); ++above)
        {
            last = std::max(last, above->second);
        }
        return last;
    }

  private:
    void OnChange(Time, uint64_t before, uint64_t)
    {
        const TimePs now = m_port.GetAgenda().Now();
        m_times[before] += now - m_since;
        m_lastAbove[before] = now;
        m_since = now;
    }

    Port& m_port;
    TimePs m_since{0};
    std::map<uint64_t, TimePs> m_times;
    std::map<uint64_t, TimePs> m_lastAbove;
};

/// What an incast is like.
struct HpccIncastSetting
{
    uint32_t senders;
    uint64_t rateBps;
    TimePs baseRoundTrip;
    TimePs linkDelay;
    uint64_t increase; //!< W_AI
    double target{0.95};

    /// \return what line rate sends in a base round trip
    double GetStartWindow() const
    {
        return static_cast<double>(rateBps) / 8 * static_cast<double>(baseRoundTrip) * 1e-12;
    }

    /// \return the use of the last cable at which windows neither grow nor shrink: in each round
    /// trip a window is multiplied by target / use, and the increase is added
    double GetSteadyUse() const
    {
        return target + senders * static_cast<double>(increase) / GetStartWindow();
    }
};

constexpr HpccIncastSetting
MakeHpccPaperSetting(uint64_t increase)
{
    return {16, 100 * kGbps, 4 * kHpccIncastUs, 900'000, increase};
}

/// A rack in which server 0, 1, ... send to the last one.
class HpccRack
{
  public:
    explicit HpccRack(const HpccIncastSetting& setting)
        : test(setting.senders + 1),
          m_setting(setting)
    {
        Ptr<HpccCongestionControl> hpcc = CreateObject<HpccCongestionControl>();
        hpcc->SetAttribute("BaseRoundTrip", Ps(setting.baseRoundTrip));
        hpcc->SetAttribute("AdditiveIncrease", Bytes(setting.increase));
        hpcc->SetAttribute("Target", DoubleValue(setting.target));
        test.topology->SetAttribute("NicRate", Rate(setting.rateBps));
        test.topology->SetAttribute("LinkDelay", Ps(setting.linkDelay));
        test.transport->SetAttribute("CongestionControl", PointerValue(hpcc));
        test.transport->SetAttribute("Mtu", Bytes(1000));
        test.transport->SetAttribute("DataHeader", Bytes(62 + 42));
        test.transport->SetAttribute("AckBytes", Bytes(64 + 42));
        test.Build();
        queue = std::make_unique<HpccQueueTimes>(GetLastPort());
    }

    /// \return the port that leads to the receiver
    Port& GetLastPort() const
    {
        return test.GetNicPort(m_setting.senders).GetPeer();
    }

    void Send(uint32_t sender, uint64_t bytes, TimePs at = 0)
    {
        test.Post(sender, m_setting.senders, bytes, -1, -1, at);
    }

    /// Lets everybody send without end.
    void SendAll()
    {
        for (uint32_t sender = 0; sender < m_setting.senders; ++sender)
        {
            Send(sender, kHpccNoEnd);
        }
    }

    /// Runs up to a time. \return bytes of payload that arrived meanwhile, by sender
    std::vector<double> RunUntil(TimePs at)
    {
        std::vector<uint64_t> before = GetReceived();
        const uint64_t wireBytes = GetLastPort().GetCountersNow().wireBytes;
        const TimePs from = NowPs();
        test.RunUntil(at);
        use = static_cast<double>(GetLastPort().GetCountersNow().wireBytes - wireBytes) * 8 /
              (static_cast<double>(at - from) * 1e-12 * static_cast<double>(m_setting.rateBps));
        std::vector<double> shares;
        for (const uint64_t received : GetReceived())
        {
            shares.push_back(static_cast<double>(received - before[shares.size()]));
        }
        return shares;
    }

    TestCluster test;
    std::unique_ptr<HpccQueueTimes> queue; //!< of the last port
    double use{0};                         //!< of the last cable, in the last run

  private:
    std::vector<uint64_t> GetReceived() const
    {
        std::vector<uint64_t> received;
        for (const Message& message : test.messages)
        {
            const bool isOver = message.acknowledged != kNever;
            received.push_back(message.start == kNever ? 0
                               : isOver                ? message.bytes
                                                       : test.GetTransfer(message).received);
        }
        return received;
    }

    HpccIncastSetting m_setting;
};

/// \return Jain's index: 1 when all are equal
double
GetHpccFairness(const std::vector<double>& shares)
{
    double sum = 0;
    double squares = 0;
    for (const double share : shares)
    {
        sum += share;
        squares += share * share;
    }
    return sum * sum / (static_cast<double>(shares.size()) * squares);
}

/// What an incast in which all begin at once comes to; all but the first two from 2 ms to 12 ms.
struct HpccIncastOutcome
{
    uint64_t longest; //!< queue at the last port
    TimePs drained;   //!< when that queue was last longer than a tenth of that, before 2 ms
    double use;       //!< of the last cable
    double fairness;  //!< of the senders
    uint64_t median;  //!< of the queue
    uint64_t tail;    //!< length that the queue exceeds for a hundredth of the time
    uint64_t pauses;
};

HpccIncastOutcome
RunHpccIncast(const HpccIncastSetting& setting)
{
    HpccRack rack(setting);
    rack.SendAll();
    rack.RunUntil(2000 * kHpccIncastUs);
    HpccIncastOutcome outcome{};
    outcome.longest = rack.GetLastPort().GetCountersNow().queueMaxBytes;
    outcome.drained = rack.queue->GetLastAbove(outcome.longest / 10);
    rack.queue->Restart();
    const std::vector<double> shares = rack.RunUntil(12'000 * kHpccIncastUs);
    outcome.use = rack.use;
    outcome.fairness = GetHpccFairness(shares);
    outcome.median = rack.queue->GetPercentile(0.5);
    outcome.tail = rack.queue->GetPercentile(0.99);
    outcome.pauses = rack.test.Sum(&PortCounters::pauses);
    return outcome;
}

class HpccIncast : public testing::TestWithParam<HpccIncastSetting>
{
};

TEST_P(HpccIncast, WhatBeginsAtLineRateIsAllThatEverWaits)
{
    // Each sender is told after a round trip, and until then has sent its first window. The queue
    // of these windows drains at line rate, and no other follows.
    const HpccIncastSetting& setting = GetParam();
    const HpccIncastOutcome outcome = RunHpccIncast(setting);
    const double windows = setting.senders * setting.GetStartWindow();
    EXPECT_LE(static_cast<double>(outcome.longest), windows);
    EXPECT_GE(static_cast<double>(outcome.longest), 0.8 * windows);
    EXPECT_GE(outcome.drained, 0.8 * setting.senders * setting.baseRoundTrip);
    EXPECT_LE(outcome.drained, (setting.senders + 4) * setting.baseRoundTrip);
    EXPECT_EQ(outcome.pauses, 0U);
}

TEST_P(HpccIncast, TheCableIsUsedAsTheParametersSayAndNextToNothingWaits)
{
    // What waits by chance counts as use too.
    const HpccIncastSetting& setting = GetParam();
    const HpccIncastOutcome outcome = RunHpccIncast(setting);
    EXPECT_GE(outcome.use, setting.target - 0.005);
    EXPECT_LE(outcome.use, setting.GetSteadyUse());
    EXPECT_LE(static_cast<double>(outcome.median), 0.1 * setting.GetStartWindow());
    EXPECT_LE(static_cast<double>(outcome.tail), 0.2 * setting.GetStartWindow());
    EXPECT_GE(outcome.fairness, 0.95);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    HpccIncast,
    testing::Values(MakeHpccPaperSetting(80),
                    MakeHpccPaperSetting(150),
                    // Those of the paper's testbed: 25 Gbps, 9 us.
                    HpccIncastSetting{7, 25 * kGbps, 9 * kHpccIncastUs, 2'000'000, 80},
                    HpccIncastSetting{7, 25 * kGbps, 9 * kHpccIncastUs, 2'000'000, 40, 0.9}),
    [](const auto& info) {
        return std::to_string(info.param.senders) + "senders" +
               std::to_string(info.param.rateBps / kGbps) + "Gbps" +
               std::to_string(info.param.increase) + "B";
    });

TEST(HpccIncastIncrease, ASmallOneIsUnfairAndALargeOneKeepsAQueue)
{
    // Figure 14: 5 B are unfair in 10 ms, 150 B are fair, 300 B have a longer queue.
    const HpccIncastOutcome small = RunHpccIncast(MakeHpccPaperSetting(5));
    const HpccIncastOutcome middle = RunHpccIncast(MakeHpccPaperSetting(150));
    const HpccIncastOutcome large = RunHpccIncast(MakeHpccPaperSetting(300));
    EXPECT_LT(small.fairness, 0.9);
    EXPECT_GT(middle.fairness, 0.99);
    EXPECT_GT(large.fairness, 0.99);
    EXPECT_GT(large.median, middle.median + 1000);
    EXPECT_GT(large.tail, middle.tail + 1000);
    EXPECT_LT(large.tail, 25'000U) << "small even so";
}

TEST(HpccIncastRuns, AreTheSameEachTime)
{
    const HpccIncastOutcome one = RunHpccIncast(MakeHpccPaperSetting(80));
    const HpccIncastOutcome other = RunHpccIncast(MakeHpccPaperSetting(80));
    EXPECT_EQ(one.longest, other.longest);
    EXPECT_EQ(one.drained, other.drained);
    EXPECT_EQ(one.use, other.use);
    EXPECT_EQ(one.fairness, other.fairness);
    EXPECT_EQ(one.tail, other.tail);
}

TEST(HpccLongFlow, GivesWayToAnIncastAndTakesItsRateBack)
{
    // One sends all the time; 500 us later seven others send 500 KB each, as in section 5.2.
    HpccIncastSetting setting = MakeHpccPaperSetting(80);
    setting.senders = 8;
    HpccRack rack(setting);
    rack.Send(0, kHpccNoEnd);
    rack.RunUntil(100 * kHpccIncastUs);
    rack.RunUntil(500 * kHpccIncastUs);
    HpccIncastSetting alone = setting;
    alone.senders = 1;
    EXPECT_NEAR(rack.use, alone.GetSteadyUse(), 0.005) << "alone";
    EXPECT_EQ(rack.queue->GetLastAbove(2 * 1104), 0) << "what it sends never waits";
    for (uint32_t sender = 1; sender < setting.senders; ++sender)
    {
        rack.Send(sender, 500'000, 500 * kHpccIncastUs);
    }
    TimePs last = 0;
    rack.RunUntil(1500 * kHpccIncastUs);
    for (const Message& message : rack.test.messages)
    {
        if (message.id > 0)
        {
            ASSERT_LT(message.end, kNever);
            last = std::max(last, message.end);
        }
    }
    // 3.5 MB take 318 us alone; the other one has an eighth.
    EXPECT_LE(last, (500 + 450) * kHpccIncastUs);
    EXPECT_LE(rack.queue->GetLastAbove(20'000), (500 + 60) * kHpccIncastUs);
    rack.RunUntil(1700 * kHpccIncastUs);
    EXPECT_NEAR(rack.use, alone.GetSteadyUse(), 0.005) << "alone again";
    EXPECT_EQ(rack.test.Sum(&PortCounters::pauses), 0U);
}

} // namespace
