// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATH_SELECTOR_FIXTURE_H
#define PATH_SELECTOR_FIXTURE_H

#include "../support/test-cluster.h"

#include "ns3/ecn-marker.h"
#include "ns3/path-selector.h"
#include "ns3/selective-repeat-loss-recovery.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

constexpr TimePs kMicrosecond = 1'000'000;

/// A selector as the descriptor makes it: its name without "PathSelector", and its attributes.
template <typename... Attributes>
Ptr<PathSelector>
MakePrototype(const std::string& name, Attributes&&... attributes)
{
    ObjectFactory factory("ns3::rails::" + name + "PathSelector");
    const std::vector<std::pair<std::string, std::string>> list{
        std::forward<Attributes>(attributes)...};
    for (const auto& [key, value] : list)
    {
        factory.Set(key, StringValue(value));
    }
    Ptr<PathSelector> prototype = factory.Create<PathSelector>();
    prototype->Check();
    return prototype;
}

using Key = std::pair<std::string, std::string>;

/// The sending end of a queue pair, without the queue pair: frames and what is heard of them.
class HostPath
{
  public:
    /**
     * \param prototype selector to fork
     * \param stream random stream
     * \param flow number of the queue pair
     */
    explicit HostPath(Ptr<PathSelector> prototype, int64_t stream = 1, uint32_t flow = 0)
        : selector(prototype->Fork())
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        PathContext context;
        context.flow = flow;
        context.random = CreateObject<UniformRandomVariable>();
        context.random->SetStream(stream);
        selector->Start(now, context);
        m_flow = flow;
    }

    /// \return the entropy of the next frame
    uint32_t Send()
    {
        Frame frame;
        frame.entropy = m_flow;
        frame.psn = psn++;
        selector->Choose(now, frame);
        return frame.entropy;
    }

    std::vector<uint32_t> Send(uint32_t frames)
    {
        std::vector<uint32_t> entropies;
        for (uint32_t i = 0; i < frames; ++i)
        {
            entropies.push_back(Send());
        }
        return entropies;
    }

    void Ack(uint32_t entropy, bool marked = false, TimePs roundTrip = 5 * kMicrosecond)
    {
        selector->OnFeedback(now, {PathFeedback::Kind::Ack, psn, entropy, marked, roundTrip});
    }

    void Lose(uint64_t lost)
    {
        selector->OnFeedback(now, {PathFeedback::Kind::Loss, lost});
    }

    void TimeOut(uint64_t first)
    {
        selector->OnFeedback(now, {PathFeedback::Kind::Timeout, first});
    }

    Ptr<PathSelector> selector;
    TimePs now{0};
    uint64_t psn{0};

  private:
    uint32_t m_flow{0};
};

/// What became of eight messages between two leaves that four spines join.
struct SprayRun
{
    std::map<uint32_t, std::vector<uint32_t>> entropies; //!< of the data frames, by NIC
    std::vector<uint64_t> uplinks;                       //!< data frames by port, of both leaves
    uint64_t marks{0};
    TimePs end{0};

    /// \return distinct entropies of all NICs together
    std::size_t CountEntropies() const
    {
        std::set<std::pair<uint32_t, uint32_t>> distinct;
        for (const auto& [nic, list] : entropies)
        {
            for (const uint32_t entropy : list)
            {
                distinct.emplace(nic, entropy);
            }
        }
        return distinct.size();
    }
};

/// Notes the entropies of the data frames that NICs send.
class EntropyListener
{
  public:
    explicit EntropyListener(SprayRun& run)
        : m_run(run)
    {
    }

    void OnTransmit(Time, const Frame& frame)
    {
        if (frame.kind == FrameKind::Data)
        {
            m_run.entropies[frame.sourceNic].push_back(frame.entropy);
        }
    }

  private:
    SprayRun& m_run;
};

/// Expects that everything was delivered, once, and that nothing is left.
inline void
ExpectEverythingDelivered(const TestCluster& test)
{
    uint64_t bytes = 0;
    for (const Message& message : test.messages)
    {
        bytes += message.bytes;
    }
    EXPECT_TRUE(test.IsEverythingDeliveredOnce());
    EXPECT_EQ(test.deliveries.size(), test.messages.size());
    EXPECT_EQ(test.Sum(&NicCounters::rxBytes), bytes);
    EXPECT_EQ(test.cluster->GetFramesInUse(), 0U);
    EXPECT_EQ(test.GetBuffered(), 0U);
}

/// Sends 1 MiB from each of eight servers to one on the other leaf.
inline SprayRun
RunSpray(Ptr<PathSelector> path, double loss = 0, uint64_t seed = 1)
{
    TestCluster test(8);
    test.topology->SetAttribute("LeafPorts", UintegerValue(4));
    test.topology->SetAttribute("RailSpines", UintegerValue(4));
    test.topology->SetAttribute("LinkLoss", DoubleValue(loss));
    test.transport->SetAttribute(
        "LossRecovery",
        StringValue("ns3::rails::SelectiveRepeatLossRecovery[LossThreshold=32]"));
    Ptr<EcnMarker> marker = CreateObject<EcnMarker>();
    marker->SetAttribute("Kmin", Bytes(40'000));
    marker->SetAttribute("Kmax", Bytes(40'000));
    test.profile->SetAttribute("Ecn", PointerValue(marker));
    test.path = path;
    test.Build(seed);
    SprayRun run;
    EntropyListener listener(run);
    for (uint32_t server = 0; server < 8; ++server)
    {
        test.GetNicPort(server).TraceConnectWithoutContext(
            "Transmit",
            MakeCallback(&EntropyListener::OnTransmit, &listener));
        test.Post(server, (server + 4) % 8, 1 << 20);
    }
    test.Run();
    ExpectEverythingDelivered(test);
    for (const char* leaf : {"rail0-leaf0", "rail0-leaf1"})
    {
        for (const Ptr<Port>& port : test.GetSwitch(leaf).GetPorts())
        {
            if (port->GetIdentity().portClass == "leaf_up")
            {
                run.uplinks.push_back(port->GetCountersNow().dataFrames);
            }
        }
    }
    run.marks = test.Sum(&PortCounters::marks);
    run.end = test.GetLastEnd();
    return run;
}

} // namespace ns3::rails::test

#endif // PATH_SELECTOR_FIXTURE_H
