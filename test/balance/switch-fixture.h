// SPDX-License-Identifier: GPL-2.0-only
#ifndef SWITCH_FIXTURE_H
#define SWITCH_FIXTURE_H

#include "../support/port-pair.h"
#include "../support/test-cluster.h"

#include "ns3/boolean.h"
#include "ns3/port-selector.h"
#include "ns3/rails-switch.h"
#include "ns3/switch-profile.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

namespace ns3::rails::test
{

/// \return chi-square of counts that are expected to be equal
inline double
ChiSquare(const std::vector<uint32_t>& counts)
{
    const double expected =
        std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size());
    double sum = 0;
    for (const uint32_t count : counts)
    {
        sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
}

/**
 * A switch of number 0 with ports whose queues a test fills, and a port selector for it.
 *
 * Its first ports lead down, the others up, so the number of a port is not its rank among the
 * candidates. All uplinks lead to the NICs of the other edge switches, 1 to `edges`. By default
 * ports are so slow that queues stand still for any time that a test lets pass.
 */
class SwitchFixture
{
  public:
    /// Ports that lead down.
    static constexpr uint16_t kDownPorts = 2;
    /// Propagation delay of the cables.
    static constexpr TimePs kCable = 1000;

    /// What a fixture looks like.
    struct Options
    {
        uint32_t uplinks{4};
        uint32_t edges{8};             //!< other edge switches
        bool hasNics{true};            //!< whether the switch is an edge switch
        uint64_t rateBps{1000};        //!< bit/s of every port; 1000 B take 8 s
        std::vector<uint32_t> regions; //!< by edge switch from 0 on; by default pods of two
        uint64_t seed{1};
    };

    /// \param prototype is forked, once for `selector` and once for the switch itself
    explicit SwitchFixture(Ptr<const PortSelector> prototype)
        : SwitchFixture(prototype, Options{})
    {
    }

    SwitchFixture(Ptr<const PortSelector> prototype, const Options& options)
        : m_regions(options.regions)
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(options.seed);
        Ptr<SwitchProfile> profile = CreateObject<SwitchProfile>();
        profile->SetAttribute("Pfc", BooleanValue(false));
        profile->SetAttribute("PortBuffer", Bytes(800'000));
        at = CreateObject<Switch>(CreateObject<Node>(), 0, "switch", profile, prototype, pool);
        for (uint32_t port = 0; port < kDownPorts + options.uplinks; ++port)
        {
            AddPort(port < kDownPorts ? "down" : "up", options.rateBps);
        }
        if (m_regions.empty())
        {
            for (uint32_t edge = 0; edge <= options.edges; ++edge)
            {
                m_regions.push_back(edge / 2);
            }
        }
        at->SetRegions(m_regions, options.hasNics);
        for (uint32_t edge = 1; edge <= options.edges; ++edge)
        {
            at->SetNextHops(edge, MakeHops(GetUplinks()));
        }
        selector = prototype->Fork();
        selector->AssignStreams(1000);
        at->AssignStreams(2000);
        at->TellRoutesChanged();
        selector->OnRoutesChanged(*at);
    }

    ~SwitchFixture()
    {
        at->Dispose();
        Simulator::Destroy();
    }

    SwitchFixture(const SwitchFixture&) = delete;
    SwitchFixture& operator=(const SwitchFixture&) = delete;

    /// \return next hops with a weight each; by default all 1
    static NextHops MakeHops(const std::vector<uint16_t>& ports, std::vector<uint32_t> weights = {})
    {
        weights.resize(ports.size(), 1);
        NextHops hops{ports, weights};
        hops.CountWeights();
        return hops;
    }

    /// \return the ports that lead up
    std::vector<uint16_t> GetUplinks() const
    {
        std::vector<uint16_t> uplinks(at->GetPorts().size() - kDownPorts);
        std::iota(uplinks.begin(), uplinks.end(), kDownPorts);
        return uplinks;
    }

    /// Changes the next hops to an edge switch. Call TellRoutesChanged() after the last one.
    void SetHops(uint32_t edge,
                 const std::vector<uint16_t>& ports,
                 const std::vector<uint32_t>& weights = {})
    {
        at->SetNextHops(edge, MakeHops(ports, weights));
    }

    /// Tells the selectors.
    void TellRoutesChanged()
    {
        at->TellRoutesChanged();
        selector->OnRoutesChanged(*at);
    }

    /// \return a frame of its own, not of the pool, between two NICs
    static Frame MakeFrame(uint32_t edge,
                           uint32_t sourceNic = 0,
                           uint32_t destinationNic = 100,
                           uint32_t entropy = 0,
                           FrameKind kind = FrameKind::Data)
    {
        Frame frame;
        frame.kind = kind;
        frame.bytes = kind == FrameKind::Data ? 4158 : 64;
        frame.payload = kind == FrameKind::Data ? 4096 : 0;
        frame.destination = {edge, 0};
        frame.sourceNic = sourceNic;
        frame.destinationNic = destinationNic;
        frame.entropy = entropy;
        frame.queuePair = entropy;
        return frame;
    }

    /// \return the port chosen for a frame by `selector`
    uint16_t Select(Frame frame)
    {
        return selector->Select(*at, frame, at->GetNextHops(frame.destination.edge));
    }

    /// \return the port chosen for a data frame to the NICs of an edge switch
    uint16_t Select(uint32_t edge = 1)
    {
        return Select(MakeFrame(edge));
    }

    /// \return how often each uplink was chosen, of `choices` times
    std::vector<uint32_t> Count(uint32_t choices, uint32_t edge = 1)
    {
        std::vector<uint32_t> counts(at->GetPorts().size() - kDownPorts);
        for (uint32_t i = 0; i < choices; ++i)
        {
            ++counts[Select(edge) - kDownPorts];
        }
        return counts;
    }

    /// Puts a frame into the queue of a port.
    void Enqueue(uint16_t port, uint32_t bytes, FrameKind kind = FrameKind::Data)
    {
        Frame* frame = pool.Allocate();
        frame->kind = kind;
        frame->trafficClass = kDataClass;
        frame->bytes = bytes;
        at->GetPorts()[port]->Enqueue(frame);
    }

    /// Lengthens the queue of a port to a number of bytes.
    void Fill(uint16_t port, uint64_t bytes)
    {
        Enqueue(port, static_cast<uint32_t>(bytes - at->GetPort(port).GetQueueBytes()));
    }

    /// Lengthens the queues of the uplinks, first to last.
    void Fill(const std::vector<uint64_t>& bytes)
    {
        for (uint16_t i = 0; i < bytes.size(); ++i)
        {
            if (bytes[i] > 0)
            {
                Fill(kDownPorts + i, bytes[i]);
            }
        }
    }

    /// Lets time pass.
    void Advance(TimePs time)
    {
        Simulator::Stop(TimeStep(static_cast<uint64_t>(time)));
        Simulator::Run();
        at->GetPorts().front()->GetAgenda().CatchUp();
    }

    FramePool pool;
    Ptr<Switch> at;
    Ptr<PortSelector> selector; //!< what Select() asks: not the one of the switch

  private:
    struct Peer
    {
        explicit Peer(FramePool& pool)
            : owner(pool)
        {
        }

        FakeOwner owner;
        Agenda agenda;
        Ptr<Port> port;
    };

    void AddPort(const std::string& portClass, uint64_t rateBps)
    {
        Port& port = at->AddPort(portClass, rateBps, kCable, 4158);
        m_peers.push_back(std::make_unique<Peer>(pool));
        Peer& peer = *m_peers.back();
        peer.port = CreateObject<Port>(Port::Identity{100 + port.GetIndex(), 0, "peer", rateBps},
                                       peer.owner,
                                       peer.agenda,
                                       pool);
        peer.port->Connect(port, kCable);
        port.Connect(*peer.port, kCable);
    }

    std::vector<uint32_t> m_regions;
    std::vector<std::unique_ptr<Peer>> m_peers;
};

} // namespace ns3::rails::test

#endif // SWITCH_FIXTURE_H
