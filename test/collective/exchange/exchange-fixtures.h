// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXCHANGE_FIXTURES_H
#define EXCHANGE_FIXTURES_H

#include "ns3/exchange-messages.h"
#include "ns3/message-service.h"
#include "ns3/plan-maker.h"
#include "ns3/rail-topology.h"
#include "ns3/rails-router.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::rails
{

constexpr TimePs kFlight = 1'000;    //!< from sent to delivered
constexpr TimePs kAckFlight = 3'000; //!< from delivered to acknowledged

/// All servers are at the simulator's time.
class TestService : public MessageService
{
  public:
    explicit TestService(const ClusterShape& shape)
        : m_shape(shape)
    {
    }

    void SetClient(uint32_t server, MessageClient* client) override
    {
        m_clients[server] = client;
    }

    TimePs GetClock(uint32_t) const override
    {
        return NowPs();
    }

    void SetAlarm(uint32_t server, TimePs at) override
    {
        Simulator::Schedule(TimeStep(at - NowPs()), [this, server] {
            if (m_clients.at(server))
            {
                m_clients[server]->OnAlarm(server);
            }
        });
    }

    void CatchUpThroughNow() override
    {
        ++catchUps;
    }

    int catchUps{0}; //!< calls of CatchUpThroughNow()

  protected:
    MessageClient& GetClient(uint32_t gpu)
    {
        return *m_clients.at(m_shape.GetServer(gpu));
    }

    ClusterShape m_shape;

  private:
    std::map<uint32_t, MessageClient*> m_clients; // by server
};

/// Sends the messages of a NIC one after the other, a byte per picosecond.
class MockService : public TestService
{
  public:
    using TestService::TestService;

    void Post(Message& message) override
    {
        message.start = NowPs();
        order.push_back(message.id);
        if (message.txRail == kNoRail)
        {
            Simulator::Schedule(TimeStep(kFlight), &MockService::Deliver, this, &message);
            return;
        }
        Nic& nic = GetNic(m_shape.GetServer(message.source), message.txRail);
        nic.waiting.push_back(&message);
        ++nic.unsent;
        nic.mostUnsent = std::max(nic.mostUnsent, nic.unsent);
        if (nic.waiting.size() == 1)
        {
            Begin(nic);
        }
    }

    void Abandon(Message& message) override
    {
        FAIL() << "message " << message.id << " was given up, and nothing has failed";
    }

    uint64_t GetUnsentBytes(uint32_t server, uint32_t rail) const override
    {
        uint64_t bytes = 0;
        const auto found = m_nics.find({server, rail});
        if (found != m_nics.end())
        {
            const auto& waiting = found->second.waiting;
            for (size_t i = 1; i < waiting.size(); ++i) // the first is being sent
            {
                bytes += waiting[i]->bytes;
            }
        }
        return bytes;
    }

    struct Nic
    {
        std::deque<Message*> waiting;
        uint32_t unsent{0};
        uint32_t mostUnsent{0};
        uint64_t slowness{1};
    };

    Nic& GetNic(uint32_t server, uint32_t rail)
    {
        return m_nics[{server, rail}];
    }

    std::vector<uint32_t> order; //!< ids as posted

  private:
    void Begin(Nic& nic)
    {
        Simulator::Schedule(TimeStep(nic.waiting.front()->bytes * nic.slowness),
                            &MockService::End,
                            this,
                            &nic);
    }

    void End(Nic* nic)
    {
        Message* message = nic->waiting.front();
        nic->waiting.pop_front();
        --nic->unsent;
        if (!nic->waiting.empty())
        {
            Begin(*nic);
        }
        Simulator::Schedule(TimeStep(kFlight), &MockService::Deliver, this, message);
        GetClient(message->source).OnSent(*message);
    }

    void Deliver(Message* message)
    {
        message->end = NowPs();
        GetClient(message->destination).OnDelivered(*message);
        if (message->txRail == kNoRail)
        {
            Acknowledge(message);
            return;
        }
        Simulator::Schedule(TimeStep(kAckFlight), &MockService::Acknowledge, this, message);
    }

    void Acknowledge(Message* message)
    {
        message->acknowledged = NowPs();
        GetClient(message->source).OnAcknowledged(*message);
    }

    std::map<std::pair<uint32_t, uint32_t>, Nic> m_nics;
};

/// Keeps what is posted where it is: tests say what becomes of it.
class StillService : public TestService
{
  public:
    using TestService::TestService;

    /// Tells that a message has arrived.
    void Deliver(Message& message)
    {
        message.end = NowPs();
        GetClient(message.destination).OnDelivered(message);
    }

    void Post(Message& message) override
    {
        message.start = NowPs();
        order.push_back(message.id);
        if (message.txRail != kNoRail)
        {
            unsent[{m_shape.GetServer(message.source), message.txRail}] += message.bytes;
        }
        if (posted)
        {
            posted(message);
        }
    }

    void Abandon(Message& message) override
    {
        abandoned.push_back(message.id);
        message.isAbandoned = message.end == kNever;
    }

    uint64_t GetUnsentBytes(uint32_t server, uint32_t rail) const override
    {
        const auto found = unsent.find({server, rail});
        return found == unsent.end() ? 0 : found->second;
    }

    std::vector<uint32_t> order;                              //!< ids as posted
    std::vector<uint32_t> abandoned;                          //!< ids as given up
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> unsent; //!< bytes, by server and rail
    std::function<void(Message&)> posted;                     //!< called within Post()
};

/// A rail cluster whose NIC cables can be cut, and its routing.
struct CutCluster
{
    /// \param spines switches that join the rails; without them messages keep their rail
    explicit CutCluster(ClusterShape shape, uint32_t spines = 0)
    {
        const Ptr<RailTopology> topology = CreateObject<RailTopology>();
        topology->SetAttribute("Domains", UintegerValue(shape.servers));
        topology->SetAttribute("GpusPerDomain", UintegerValue(shape.gpusPerServer));
        topology->SetAttribute("Spines", UintegerValue(spines));
        wiring = topology->Lay();
        router = std::make_shared<Router>(*wiring);
    }

    /// Cuts the cables of NICs or mends them, and lets the routing converge.
    void SetUp(const std::vector<uint32_t>& nics, bool up)
    {
        for (const uint32_t nic : nics)
        {
            wiring->SetUp(nic, up, {true, false});
        }
        router->Converge();
    }

    std::shared_ptr<Wiring> wiring;
    std::shared_ptr<Router> router;
};

/// \return the plan of a server that gives each of its demands a piece of its own on one rail
inline ServerPlan
MakePlan(ServerView view, uint16_t rail)
{
    ServerPlan plan{std::move(view), {}};
    for (uint32_t demand = 0; demand < plan.view.demands.size(); ++demand)
    {
        plan.pieces.push_back({demand, plan.view.demands[demand].bytes, rail, rail});
    }
    return plan;
}

} // namespace ns3::rails

#endif // EXCHANGE_FIXTURES_H
