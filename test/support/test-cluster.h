// SPDX-License-Identifier: GPL-2.0-only
#ifndef TEST_CLUSTER_H
#define TEST_CLUSTER_H

#include "bit-rates.h"
#include "message-hooks.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/ecmp-port-selector.h"
#include "ns3/flow-path-selector.h"
#include "ns3/frame-cluster.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rail-topology.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

namespace ns3::rails::test
{

inline DataRateValue
Rate(uint64_t bps)
{
    return DataRateValue(DataRate(bps));
}

inline ByteSizeValue
Bytes(uint64_t bytes)
{
    return ByteSizeValue(ByteSize(bytes));
}

inline TimeValue
Ps(TimePs time)
{
    return TimeValue(TimeStep(static_cast<uint64_t>(time)));
}

/**
 * A cluster without congestion control, rail-optimized by default, and its messages. Set attributes
 * of the parts, Build(), Post(), Run().
 */
class TestCluster
{
  public:
    /// \param servers number of servers, on one leaf for each rail
    /// \param rails GPUs and NICs of a server
    explicit TestCluster(uint32_t servers, uint32_t rails = 1)
        : TestCluster(CreateObject<RailTopology>())
    {
        topology->SetAttribute("Domains", UintegerValue(servers));
        topology->SetAttribute("GpusPerDomain", UintegerValue(rails));
    }

    /// \param topology of the cluster
    explicit TestCluster(Ptr<Topology> topology)
        : topology(topology)
    {
        transport->SetAttribute("CongestionControl",
                                StringValue("ns3::rails::NoneCongestionControl"));
    }

    ~TestCluster()
    {
        Simulator::Destroy();
    }

    TestCluster(const TestCluster&) = delete;
    TestCluster& operator=(const TestCluster&) = delete;

    FrameEngine& Build(uint64_t seed = 1, const std::string& scheduler = "ns3::MapScheduler")
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(seed);
        Simulator::SetScheduler(ObjectFactory(scheduler));
        cluster = BuildCluster(*topology, {profile, transport, nic, path, selector});
        cluster->AssignStreams(1000);
        hooks.delivered = [this](Message& message) { deliveries.push_back(message.id); };
        hooks.acknowledged = [this](Message&) { ++acknowledged; };
        for (uint32_t server = 0; server < topology->GetShape().servers; ++server)
        {
            cluster->SetClient(server, &hooks);
        }
        return *cluster;
    }

    /**
     * Posts a message now, or later when a time is given.
     * \param source GPU
     * \param destination GPU
     * \param bytes payload
     * \param txRail sending NIC; by default the source's local NIC
     * \param rxRail receiving NIC; by default the destination's local NIC
     * \param at time in ps
     * \param paceBps see Message::paceBps
     */
    Message& Post(uint32_t source,
                  uint32_t destination,
                  uint64_t bytes,
                  int txRail = -1,
                  int rxRail = -1,
                  TimePs at = 0,
                  uint64_t paceBps = 0)
    {
        const uint32_t rails = topology->GetShape().gpusPerServer;
        messages.emplace_back();
        Message& message = messages.back();
        message.id = static_cast<uint32_t>(messages.size() - 1);
        message.source = source;
        message.destination = destination;
        message.bytes = bytes;
        message.paceBps = paceBps;
        if (source / rails != destination / rails)
        {
            message.txRail = static_cast<uint16_t>(txRail < 0 ? source % rails : txRail);
            message.rxRail = static_cast<uint16_t>(rxRail < 0 ? destination % rails : rxRail);
        }
        if (at <= NowPs())
        {
            cluster->Post(message);
        }
        else
        {
            Simulator::Schedule(TimeStep(static_cast<uint64_t>(at - NowPs())),
                                [this, &message] { cluster->Post(message); });
        }
        return message;
    }

    /// Runs until no event remains.
    void Run()
    {
        Simulator::Run();
        cluster->Finish();
    }

    /// Runs up to a time.
    void RunUntil(TimePs at)
    {
        Simulator::Stop(TimeStep(static_cast<uint64_t>(at - NowPs())));
        Simulator::Run();
        cluster->CatchUp();
    }

    /// \return the time of the last delivery
    TimePs GetLastEnd() const
    {
        TimePs last = 0;
        for (const Message& message : messages)
        {
            last = std::max(last, message.end);
        }
        return last;
    }

    /// \return a counter summed over all ports
    template <typename T>
    T Sum(T PortCounters::*counter) const
    {
        T sum{};
        for (const Ptr<Port>& port : cluster->GetPorts())
        {
            sum += port->GetCountersNow().*counter;
        }
        return sum;
    }

    /// \return a counter summed over all NICs
    uint64_t Sum(uint64_t NicCounters::*counter) const
    {
        uint64_t sum = 0;
        for (const Ptr<GpuServer>& server : cluster->GetServers())
        {
            for (uint32_t rail = 0; rail < topology->GetShape().nicsPerServer; ++rail)
            {
                sum += server->GetNic(rail).GetCounters().*counter;
            }
        }
        return sum;
    }

    /// \return the state of a message in flight at its sender
    const MessageState& GetTransfer(const Message& message) const
    {
        const uint32_t server = message.source / topology->GetShape().gpusPerServer;
        const MessageState* transfer = cluster->GetServers()[server]->GetTransfers().Find(message);
        NS_ABORT_MSG_IF(!transfer, "message " << message.id << " is not on its way");
        return *transfer;
    }

    /// \return payload bytes that reached the memory of GPUs
    uint64_t GetDeliveredBytes() const
    {
        uint64_t bytes = 0;
        for (const Ptr<GpuServer>& server : cluster->GetServers())
        {
            bytes += server->GetDeliveredBytes();
        }
        return bytes;
    }

    /// \return whether all messages are delivered and acknowledged, and each byte arrived once
    bool IsEverythingDeliveredOnce() const
    {
        uint64_t bytes = 0;
        bool once = true;
        for (const Message& message : messages)
        {
            bytes += message.bytes;
            once = once && message.end < kNever && message.acknowledged < kNever;
        }
        for (const Ptr<GpuServer>& server : cluster->GetServers())
        {
            server->GetTransfers().Visit([&](const MessageState& transfer) {
                once = once && transfer.received <= transfer.bytes &&
                       transfer.delivered == transfer.bytes;
            });
        }
        return once && GetDeliveredBytes() == bytes;
    }

    uint64_t GetLosslessDrops() const
    {
        uint64_t drops = 0;
        for (const Ptr<Switch>& at : cluster->GetSwitches())
        {
            drops += at->GetLosslessDrops();
        }
        return drops;
    }

    /// \return frames that links lost
    uint64_t GetLosses() const
    {
        uint64_t losses = 0;
        for (const Ptr<Port>& port : cluster->GetPorts())
        {
            losses += port->GetLink().GetLosses();
        }
        return losses;
    }

    /// \return bytes that switches hold
    uint64_t GetBuffered() const
    {
        uint64_t bytes = 0;
        for (const Ptr<Switch>& at : cluster->GetSwitches())
        {
            bytes += at->GetBuffer().GetUsed();
        }
        return bytes;
    }

    bool AreBuffersConsistent() const
    {
        return std::all_of(cluster->GetSwitches().begin(),
                           cluster->GetSwitches().end(),
                           [](const Ptr<Switch>& at) { return at->GetBuffer().IsConsistent(); });
    }

    /// \return the ports of a switch towards another switch
    std::vector<Ptr<Port>> GetCables(const std::string& from, const std::string& to) const
    {
        std::vector<Ptr<Port>> cables;
        const uint32_t node = GetSwitch(to).GetPorts().front()->GetIdentity().node;
        for (const Ptr<Port>& port : GetSwitch(from).GetPorts())
        {
            if (port->GetPeer().GetIdentity().node == node)
            {
                cables.push_back(port);
            }
        }
        return cables;
    }

    /// \return the numbers of the links between two switches
    std::vector<uint32_t> FindCables(const std::string& one, const std::string& other) const
    {
        const Wiring& wiring = cluster->GetWiring();
        const std::vector<uint32_t> cables =
            wiring.FindCables(wiring.FindSwitch(one), wiring.FindSwitch(other));
        NS_ABORT_MSG_IF(cables.empty(), one << " is not joined to " << other);
        return cables;
    }

    /// Fails or restores the links between two switches without notifying the routing.
    void SetUp(const std::string& one, const std::string& other, bool up)
    {
        for (const uint32_t cable : FindCables(one, other))
        {
            cluster->GetWiring().SetUp(cable, up, {true, false});
        }
    }

    Switch& GetSwitch(const std::string& name) const
    {
        for (const Ptr<Switch>& at : cluster->GetSwitches())
        {
            if (at->GetName() == name)
            {
                return *at;
            }
        }
        NS_ABORT_MSG("no switch " << name);
    }

    Port& GetNicPort(uint32_t server, uint32_t rail = 0) const
    {
        return cluster->GetServers()[server]->GetNic(rail).GetPort();
    }

    Ptr<Topology> topology;
    Ptr<PathSelector> path{CreateObject<FlowPathSelector>()};
    Ptr<PortSelector> selector{CreateObject<EcmpPortSelector>()};
    Ptr<SwitchProfile> profile{CreateObject<SwitchProfile>()};
    Ptr<Transport> transport{CreateObject<Transport>()};
    Ptr<NicProfile> nic{CreateObject<NicProfile>()};
    Ptr<FrameEngine> cluster;
    MessageHooks hooks; //!< TestCluster sets the first two functions
    std::deque<Message> messages;
    std::vector<uint32_t> deliveries; //!< ids in the order of delivery
    uint64_t acknowledged{0};
};

} // namespace ns3::rails::test

#endif // TEST_CLUSTER_H
