// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_CLUSTER_H
#define CIRCUIT_CLUSTER_H

#include "../support/test-cluster.h"

#include "ns3/flow-engine.h"
#include "ns3/frame-engine.h"
#include "ns3/nvswitch-intra-topology.h"
#include "ns3/rails-router.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

constexpr uint64_t kRate = 400 * kGbps;
constexpr TimePs kWireByte = 20;         // at 400 Gbit/s
constexpr TimePs kHalf = 250'000;        // of the cable of a NIC, which is half of a circuit's
constexpr TimePs kFrame = 4178 * 20;     // 4096 B of payload, headers, preamble and gap
constexpr TimePs kAck = 84 * kWireByte;  // with preamble and gap
constexpr TimePs kRounding = 30;         // some divisions, each rounded to a picosecond
constexpr TimePs kTimeout = 200'000'000; // of loss recoveries
constexpr uint64_t kMtu = 4096;

/// \return what a message occupies a cable for
inline TimePs
GetSending(uint64_t bytes)
{
    return static_cast<TimePs>(FlowSettings{}.frames.GetMessageWire(bytes)) * kWireByte;
}

inline CableKind
MakeHalfCable()
{
    return {"nic_tx", "optical_down", kRate, kHalf};
}

/**
 * \param servers of one GPU
 * \param nics of each, which nothing joins yet
 * \param pcieBps what lies between them; 0: nothing
 */
inline std::shared_ptr<Wiring>
MakeServers(uint32_t servers, uint32_t nics, uint64_t pcieBps = 0)
{
    const Ptr<RailTopology> one = CreateObject<RailTopology>();
    if (pcieBps > 0)
    {
        const Ptr<NvswitchIntraTopology> intra = CreateObject<NvswitchIntraTopology>();
        intra->SetAttribute("PcieRate", DataRateValue(DataRate(pcieBps)));
        one->SetAttribute("Intra", PointerValue(intra));
    }
    one->SetAttribute("GpusPerDomain", UintegerValue(1));
    one->SetAttribute("NicsPerDomain", UintegerValue(nics));
    return std::make_shared<Wiring>(ClusterShape{servers, 1, nics}, one->Lay()->GetInterior());
}

/// \return servers in regions, with all of their NICs at the optical switch of their region
inline std::shared_ptr<Wiring>
MakeOptical(uint32_t servers, uint32_t nics, uint32_t regions = 1, uint64_t pcieBps = 0)
{
    const std::shared_ptr<Wiring> wiring = MakeServers(servers, nics, pcieBps);
    for (uint32_t region = 0; region < regions; ++region)
    {
        const uint32_t at = wiring->AddSwitch("region" + std::to_string(region));
        wiring->MakeOptical(at);
        const uint32_t all = servers / regions * nics;
        for (uint32_t nic = region * all; nic < (region + 1) * all; ++nic)
        {
            wiring->Attach(nic, at, region, MakeHalfCable());
        }
    }
    return wiring;
}

/// Messages over a wiring, moved frame by frame or as flows.
class CircuitCluster
{
  public:
    /**
     * \param movesFrames whether frames move them, not flows
     * \param wiring the cluster
     * \param recovery what frames do about losses
     */
    CircuitCluster(bool movesFrames,
                   const std::shared_ptr<Wiring>& wiring,
                   const std::string& recovery = "SelectiveRepeatLossRecovery")
        : wiring(wiring),
          m_router(std::make_shared<Router>(*wiring))
    {
        if (movesFrames)
        {
            ObjectFactory recoveries("ns3::rails::" + recovery);
            recoveries.Set("Timeout", Ps(kTimeout));
            const Ptr<Transport> transport = CreateObject<Transport>();
            transport->SetAttribute("CongestionControl",
                                    StringValue("ns3::rails::NoneCongestionControl"));
            transport->SetAttribute("LossRecovery", PointerValue(recoveries.Create()));
            FrameSettings settings = MakeFrameSettings();
            settings.transport = transport;
            m_frames = CreateObject<FrameEngine>(wiring, m_router, settings);
            engine = m_frames;
        }
        else
        {
            m_flows = CreateObject<FlowEngine>(wiring, m_router, FlowSettings{});
            engine = m_flows;
        }
        engine->AssignStreams(1000);
        hooks.delivered = [this](Message& message) { ++m_delivered[message.id]; };
        hooks.acknowledged = [this](Message&) {
            ++acknowledged;
            onAcknowledged ? onAcknowledged() : void();
        };
        for (uint32_t server = 0; server < wiring->GetShape().servers; ++server)
        {
            engine->SetClient(server, &hooks);
        }
    }

    ~CircuitCluster()
    {
        m_frames = nullptr;
        m_flows = nullptr;
        engine = nullptr;
        Simulator::Destroy();
    }

    CircuitCluster(const CircuitCluster&) = delete;
    CircuitCluster& operator=(const CircuitCluster&) = delete;

    /// Posts a message from one NIC to another.
    Message& Post(uint32_t fromNic, uint32_t toNic, uint64_t bytes, uint64_t paceBps = 0)
    {
        const ClusterShape& shape = wiring->GetShape();
        messages.emplace_back();
        m_delivered.push_back(0);
        Message& message = messages.back();
        message.id = static_cast<uint32_t>(messages.size() - 1);
        message.source = shape.GetNicServer(fromNic);
        message.destination = shape.GetNicServer(toNic);
        message.txRail = static_cast<uint16_t>(shape.GetRail(fromNic));
        message.rxRail = static_cast<uint16_t>(shape.GetRail(toNic));
        message.bytes = bytes;
        message.paceBps = paceBps;
        message.isAwaited = true;
        engine->Post(message);
        return message;
    }

    void At(TimePs at, const std::function<void()>& act)
    {
        Simulator::Schedule(TimeStep(static_cast<uint64_t>(at - NowPs())), act);
    }

    void Join(uint32_t nic, uint32_t other)
    {
        wiring->PrepareChange();
        wiring->GetCircuits().Join(nic, other);
    }

    void End(uint32_t nic, const CutRules& rules)
    {
        wiring->PrepareChange();
        wiring->GetCircuits().End(nic, rules);
    }

    void Run()
    {
        Simulator::Run();
        engine->Finish();
    }

    /// \return payload that a NIC has received up to now, flows that are under way in whole
    uint64_t GetReceived(uint32_t nic) const
    {
        const ClusterShape& shape = wiring->GetShape();
        if (m_flows)
        {
            return m_flows->GetNicCounters(nic).rxBytes;
        }
        engine->CatchUp();
        return m_frames->GetServers()[shape.GetNicServer(nic)]
            ->GetNic(shape.GetRail(nic))
            .GetCounters()
            .rxBytes;
    }

    /// \return what left a NIC up to now, in bytes on the wire
    double GetCarried(uint32_t nic) const
    {
        const ClusterShape& shape = wiring->GetShape();
        if (m_flows)
        {
            return m_flows->GetCarried()[GetUpDirection(nic)].data;
        }
        engine->CatchUp();
        return static_cast<double>(m_frames->GetServers()[shape.GetNicServer(nic)]
                                       ->GetNic(shape.GetRail(nic))
                                       .GetPort()
                                       .GetCountersNow()
                                       .wireBytes);
    }

    /// \return frames that optical switches and cables lost
    uint64_t GetLost() const
    {
        uint64_t lost = 0;
        if (m_frames)
        {
            for (const Ptr<OpticalSwitch>& at : m_frames->GetOpticalSwitches())
            {
                lost += at->GetLostFrames();
            }
            for (const Ptr<Port>& port : m_frames->GetPorts())
            {
                lost += port->GetLink().GetLosses();
            }
        }
        return lost;
    }

    /// Expects that each byte came to the NIC that it was for, once, and nothing to any other.
    void ExpectAllDeliveredOnce() const
    {
        std::vector<uint64_t> bytes(wiring->GetShape().GetNics());
        for (const Message& message : messages)
        {
            EXPECT_EQ(m_delivered[message.id], 1U) << "message " << message.id;
            EXPECT_LT(message.end, kNever) << "message " << message.id;
            EXPECT_LT(message.acknowledged, kNever) << "message " << message.id;
            bytes[wiring->GetShape().GetNic(message.destination, message.rxRail)] += message.bytes;
        }
        EXPECT_EQ(acknowledged, messages.size());
        for (uint32_t nic = 0; nic < bytes.size(); ++nic)
        {
            EXPECT_EQ(GetReceived(nic), bytes[nic]) << wiring->GetNicName(nic);
        }
        if (m_frames)
        {
            EXPECT_EQ(m_frames->GetFramesInUse(), 0U);
        }
    }

    std::shared_ptr<Wiring> wiring;
    Ptr<Engine> engine;
    std::deque<Message> messages;
    MessageHooks hooks;
    uint64_t acknowledged{0};
    std::function<void()> onAcknowledged;

  private:
    std::shared_ptr<Router> m_router;
    Ptr<FrameEngine> m_frames;
    Ptr<FlowEngine> m_flows;
    std::vector<uint32_t> m_delivered; // times that each message was, by id
};

} // namespace ns3::rails::test

#endif // CIRCUIT_CLUSTER_H
