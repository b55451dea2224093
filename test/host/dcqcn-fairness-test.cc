// SPDX-License-Identifier: GPL-2.0-only

// Eight senders share one receiver under DCQCN for 200 ms, as in the evaluation of DCQCN
// (SIGCOMM'15). Kmin and Kmax are the defaults, which make 100 kB and 400 kB at 100 Gbps.

#include "../support/sanitized.h"
#include "../support/test-cluster.h"

#include "ns3/component-maker.h"
#include "ns3/congestion-control.h"
#include "ns3/dcqcn-congestion-control.h"

#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using namespace ns3::rails;
using namespace ns3::rails::test;

namespace
{

constexpr uint32_t kSenders = 8;
constexpr uint64_t kDcqcnFairnessRate = 100 * kGbps;
constexpr uint64_t kKmin = 100'000;
constexpr uint64_t kKmax = 400'000;
constexpr TimePs kMillisecond = 1'000'000'000;

/// A sender that pays no attention to notifications.
class DeafCongestionControl : public Forkable<DeafCongestionControl, DcqcnCongestionControl>
{
  public:
    void OnCnp(TimePs) override
    {
    }
};

/// How long a queue was how long from a time on.
class QueueHistogram
{
  public:
    QueueHistogram(Port& port, TimePs from)
        : m_port(port),
          m_since(from)
    {
        port.TraceConnectWithoutContext("QueueBytes",
                                        MakeCallback(&QueueHistogram::OnChange, this));
    }

    /// \return median over time, to 1000 B
    uint64_t GetMedian() const
    {
        TimePs half = 0;
        for (const auto& [length, time] : m_times)
        {
            half += time;
        }
        half /= 2;
        auto median = m_times.begin();
        for (TimePs sum = median->second; sum < half; sum += median->second)
        {
            ++median;
        }
        return median->first * 1000;
    }

  private:
    void OnChange(Time, uint64_t before, uint64_t)
    {
        const TimePs now = m_port.GetAgenda().Now();
        if (now > m_since)
        {
            m_times[before / 1000] += now - m_since;
            m_since = now;
        }
    }

    Port& m_port;
    TimePs m_since;
    std::map<uint64_t, TimePs> m_times;
};

struct DcqcnFairnessOutcome
{
    double jain;
    double utilisation; //!< of the last cable, from 10 ms on
    uint64_t medianQueue;
    uint64_t pausesLater; //!< after the first 10 ms
    uint64_t drops;
    uint64_t longestQueue;
};

/// What DCQCN is expected to reach.
bool
IsGood(const DcqcnFairnessOutcome& outcome)
{
    return outcome.jain >= 0.95 && outcome.utilisation >= 0.95 &&
           outcome.medianQueue >= kKmin / 4 && outcome.medianQueue <= kKmax &&
           outcome.pausesLater == 0 && outcome.drops == 0;
}

DcqcnFairnessOutcome
Measure(Ptr<CongestionControl> congestionControl, TimePs duration, uint64_t seed = 1)
{
    TestCluster test(kSenders + 1);
    test.topology->SetAttribute("NicRate", Rate(kDcqcnFairnessRate));
    test.transport->SetAttribute("CongestionControl", PointerValue(congestionControl));
    test.Build(seed);
    Port& last = test.GetNicPort(kSenders).GetPeer();
    const QueueHistogram histogram(last, 10 * kMillisecond);
    for (uint32_t sender = 0; sender < kSenders; ++sender)
    {
        test.Post(sender, kSenders, uint64_t{1} << 40, -1, -1, sender * kMillisecond);
    }
    test.RunUntil(10 * kMillisecond);
    const uint64_t earlyPauses = test.Sum(&PortCounters::pauses);
    const uint64_t earlyBytes = last.GetCountersNow().wireBytes;
    test.RunUntil(duration / 4 * 3);
    std::vector<uint64_t> received;
    for (const Message& message : test.messages)
    {
        received.push_back(test.GetTransfer(message).received);
    }
    test.RunUntil(duration);

    DcqcnFairnessOutcome outcome{};
    double sum = 0;
    double squares = 0;
    for (uint32_t sender = 0; sender < kSenders; ++sender)
    {
        const uint64_t now = test.GetTransfer(test.messages[sender]).received;
        const auto share = static_cast<double>(now - received[sender]);
        sum += share;
        squares += share * share;
    }
    outcome.jain = sum * sum / (kSenders * squares);
    outcome.utilisation =
        static_cast<double>(last.GetCountersNow().wireBytes - earlyBytes) * 8 /
        (static_cast<double>(duration - 10 * kMillisecond) * 1e-12 * kDcqcnFairnessRate);
    outcome.medianQueue = histogram.GetMedian();
    outcome.pausesLater = test.Sum(&PortCounters::pauses) - earlyPauses;
    outcome.drops = test.Sum(&PortCounters::drops);
    outcome.longestQueue = last.GetCountersNow().queueMaxBytes;
    return outcome;
}

template <typename T>
Ptr<T>
MakePaper()
{
    Ptr<T> dcqcn = CreateObject<T>();
    dcqcn->SetPreset(DcqcnCongestionControl::PAPER);
    return dcqcn;
}

TEST(DcqcnFairness, EightFlowsShareALinkEvenlyAndKeepItsQueueShort)
{
    RAILS_LONG_CASE();
    const DcqcnFairnessOutcome outcome =
        Measure(MakePaper<DcqcnCongestionControl>(), 200 * kMillisecond);
    EXPECT_GE(outcome.jain, 0.95);
    EXPECT_GE(outcome.utilisation, 0.95);
    EXPECT_LE(outcome.utilisation, 1.0001);
    EXPECT_GE(outcome.medianQueue, kKmin / 4);
    EXPECT_LE(outcome.medianQueue, kKmax);
    EXPECT_EQ(outcome.pausesLater, 0U);
    EXPECT_EQ(outcome.drops, 0U);
    EXPECT_TRUE(IsGood(outcome));
}

TEST(DcqcnFairness, ThePresetOfRecentNicsMeetsTheSameCriteria)
{
    RAILS_LONG_CASE();
    const DcqcnFairnessOutcome outcome =
        Measure(CreateObject<DcqcnCongestionControl>(), 200 * kMillisecond);
    EXPECT_TRUE(IsGood(outcome)) << outcome.jain << " " << outcome.utilisation << " "
                                 << outcome.medianQueue << " " << outcome.pausesLater;
}

TEST(DcqcnFairness, SendersThatIgnoreNotificationsFailTheCriteria)
{
    const DcqcnFairnessOutcome outcome =
        Measure(MakePaper<DeafCongestionControl>(), 40 * kMillisecond);
    EXPECT_FALSE(IsGood(outcome));
    EXPECT_GT(outcome.pausesLater, 0U);
    EXPECT_GT(outcome.medianQueue, kKmax);
}

TEST(DcqcnFairness, WithoutMarkingTheQueueGrowsUntilPfcPauses)
{
    const DcqcnFairnessOutcome outcome =
        Measure(MakeComponent<CongestionControl>("NoneCongestionControl"), 40 * kMillisecond);
    EXPECT_FALSE(IsGood(outcome));
    EXPECT_GT(outcome.pausesLater, 0U);
    EXPECT_GT(outcome.medianQueue, kKmax);
    // The dynamic threshold of 8 ingress ports and alpha 1 lets them hold 8/9 of 64 MiB.
    EXPECT_GT(outcome.longestQueue, uint64_t{55'000'000});
    EXPECT_EQ(outcome.drops, 0U);
}

} // namespace
