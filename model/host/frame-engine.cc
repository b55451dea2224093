// SPDX-License-Identifier: GPL-2.0-only
#include "frame-engine.h"

#include "ns3/fabric-traits.h"
#include "ns3/log.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsFrameEngine");

NS_OBJECT_ENSURE_REGISTERED(FrameEngine);

TypeId
FrameEngine::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::FrameEngine").SetParent<Engine>().SetGroupName("Rails");
    return tid;
}

FrameEngine::FrameEngine(std::shared_ptr<Wiring> wiring,
                         std::shared_ptr<Router> router,
                         const FrameSettings& settings)
    : m_wiring(std::move(wiring)),
      m_router(std::move(router)),
      m_settings(settings)
{
    m_settings.Check(*m_wiring);
    const ClusterShape& shape = m_wiring->GetShape();
    m_configuration.shape = shape;
    m_configuration.interior = m_wiring->GetInterior();
    m_configuration.transport = m_settings.transport;
    m_configuration.path = m_settings.path;
    m_configuration.nic = m_settings.nic;
    for (uint32_t server = 0; server < shape.servers; ++server)
    {
        Ptr<Node> node = CreateObject<Node>();
        std::vector<uint64_t> rates;
        for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
        {
            rates.push_back(m_wiring->GetNicKind(shape.GetNic(server, rail)).rateBps);
        }
        m_servers.push_back(
            CreateObject<GpuServer>(node, server, m_configuration, rates, *this, m_pool));
        node->AggregateObject(m_servers.back());
    }
    AddSwitches();
    AddCables();
    OnConverged();
    const Ptr<CongestionControl> control = m_settings.transport->GetCongestionControl();
    if (control->WantsIdleRoundTrip())
    {
        control->SetIdleRoundTrip(
            m_settings.FindIdleRoundTrip(*m_wiring, FindTraits(*m_wiring).longestLinks));
    }
    m_wiring->AddListener(*this);
    m_router->AddListener(*this);
    NS_LOG_INFO("made " << m_servers.size() << " servers and " << m_switches.size()
                        << " switches; largest delay of a cable " << m_lateness << " ps");
}

FrameEngine::~FrameEngine()
{
    m_router->RemoveListener(*this);
    m_wiring->RemoveListener(*this);
}

void
FrameEngine::DoDispose()
{
    m_ports.clear();
    Engine::DoDispose();
}

void
FrameEngine::AddSwitches()
{
    for (const WiredSwitch& wired : m_wiring->GetSwitches())
    {
        Ptr<Node> node = CreateObject<Node>();
        const auto number = static_cast<uint32_t>(m_places.size());
        if (wired.isOptical)
        {
            m_places.push_back(static_cast<uint32_t>(m_opticalSwitches.size()));
            m_opticalSwitches.push_back(CreateObject<OpticalSwitch>(node, number, m_pool));
            node->AggregateObject(m_opticalSwitches.back());
            continue;
        }
        m_places.push_back(static_cast<uint32_t>(m_switches.size()));
        m_switches.push_back(CreateObject<Switch>(node,
                                                  number,
                                                  wired.name,
                                                  m_settings.profile,
                                                  m_settings.selector,
                                                  m_pool));
        node->AggregateObject(m_switches.back());
        if (wired.hasNics)
        {
            m_regions.resize(number + 1, 0);
            m_regions[number] = wired.region;
        }
    }
}

Port&
FrameEngine::AddSwitchPort(uint32_t at, const std::string& portClass, const CableKind& kind)
{
    if (m_wiring->GetSwitches()[at].isOptical)
    {
        return m_opticalSwitches[m_places[at]]->AddPort(portClass, kind.rateBps);
    }
    return m_switches[m_places[at]]->AddPort(portClass,
                                             kind.rateBps,
                                             kind.delay,
                                             m_settings.transport->GetLargestFrame());
}

void
FrameEngine::AddCables()
{
    for (const Cable& cable : m_wiring->GetCables())
    {
        const CableKind& kind = m_wiring->GetKind(cable);
        if (!cable.isNic)
        {
            Port& up = AddSwitchPort(cable.lower, kind.lowerClass, kind);
            Join(up, AddSwitchPort(cable.upper, kind.upperClass, kind), kind);
            continue;
        }
        RdmaNic& nic = GetNic(cable.lower);
        Port& down = AddSwitchPort(cable.upper, kind.upperClass, kind);
        Join(nic.GetPort(), down, kind);
        nic.GetPort().SetPauseResponse(down.GetPauseResponse());
        nic.SetNicAddress({cable.upper, down.GetIndex()}, *m_router);
    }
    const bool usesEcn = m_settings.transport->GetCongestionControl()->GetTraits().usesEcn ||
                         m_settings.path->GetTraits().usesEcn;
    for (const Ptr<Switch>& at : m_switches)
    {
        at->SetRegions(m_regions, m_wiring->GetSwitches()[at->GetNumber()].hasNics);
        if (usesEcn)
        {
            at->EnableEcn();
        }
    }
    for (uint32_t nic = 0; nic < m_configuration.shape.GetNics(); ++nic)
    {
        if (m_wiring->IsOptical(nic))
        {
            OnCircuit(nic, {false, true}); // messages posted before the first circuit wait for it
        }
    }
}

void
FrameEngine::Join(Port& a, Port& b, const CableKind& kind)
{
    a.Connect(b, kind.delay);
    b.Connect(a, kind.delay);
    m_lateness = std::max(m_lateness, kind.delay);
    if (kind.loss > 0)
    {
        m_losses[&a] = kind.loss;
        m_losses[&b] = kind.loss;
    }
    const auto overhead = static_cast<uint32_t>(m_settings.transport->GetWireOverhead());
    a.SetWireOverhead(overhead);
    b.SetWireOverhead(overhead);
}

RdmaNic&
FrameEngine::GetNic(uint32_t number) const
{
    const ClusterShape& shape = m_configuration.shape;
    return m_servers[shape.GetNicServer(number)]->GetNic(shape.GetRail(number));
}

const std::vector<Ptr<Port>>&
FrameEngine::GetPortsOf(uint32_t at) const
{
    const uint32_t place = m_places[at];
    return m_wiring->GetSwitches()[at].isOptical ? m_opticalSwitches[place]->GetPorts()
                                                 : m_switches[place]->GetPorts();
}

Port&
FrameEngine::GetLowerPort(const Cable& cable) const
{
    return cable.isNic ? GetNic(cable.lower).GetPort() : *GetPortsOf(cable.lower)[cable.lowerPort];
}

void
FrameEngine::BeforeChange()
{
    CatchUp();
}

void
FrameEngine::OnCableUp(uint32_t number, const CutRules& rules)
{
    const Cable& cable = m_wiring->GetCables()[number];
    Port& port = GetLowerPort(cable);
    Port& peer = port.GetPeer();
    port.GetAgenda().CatchUp();
    peer.GetAgenda().CatchUp();
    CutOrMend(port, m_wiring->IsCarrying(number), rules);
    CutOrMend(peer, cable.isUp, rules);
    if (cable.isUp)
    {
        port.RenewPauses();
        peer.RenewPauses();
    }
}

void
FrameEngine::CutOrMend(Port& port, bool isUp, const CutRules& rules)
{
    port.GetLink().SetUp(isUp, rules.losesFlying);
    if (isUp || rules.holdsQueued)
    {
        port.SetHeld(!isUp);
    }
}

// A NIC without a circuit is cut off. Its frames in flight still pass the optical switch, unless
// another circuit is laid before they arrive.
void
FrameEngine::OnCircuit(uint32_t nic, const CutRules& rules)
{
    const Cable& cable = m_wiring->GetCables()[nic];
    const uint32_t other = m_wiring->GetCircuits().GetPeer(nic);
    Port& port = GetLowerPort(cable);
    port.GetAgenda().CatchUp();
    port.GetPeer().GetAgenda().CatchUp();
    CutOrMend(port, m_wiring->IsCarrying(nic), rules);
    SetNicRate(nic);
    if (other != nic)
    {
        m_opticalSwitches[m_places[cable.upper]]->Lead(cable.upperPort,
                                                       m_wiring->GetCables()[other].upperPort);
    }
}

void
FrameEngine::OnCableRate(uint32_t number)
{
    const Cable& cable = m_wiring->GetCables()[number];
    Port& lower = GetLowerPort(cable);
    lower.GetPeer().GetAgenda().CatchUp();
    lower.GetPeer().SetRateBps(cable.rateBps);
    if (cable.isNic)
    {
        SetNicRate(number);
        SetNicRate(m_wiring->GetCircuits().GetSource(number));
        return;
    }
    lower.GetAgenda().CatchUp();
    lower.SetRateBps(cable.rateBps);
}

/// An optical switch has no buffer, so a NIC with a circuit sends at most at the rate of the NIC at
/// the far end.
void
FrameEngine::SetNicRate(uint32_t nic)
{
    Port& port = GetLowerPort(m_wiring->GetCables()[nic]);
    port.GetAgenda().CatchUp();
    port.SetRateBps(m_wiring->GetCircuitRate(nic, m_wiring->GetCircuits().GetPeer(nic)));
}

void
FrameEngine::OnConverged()
{
    for (const uint32_t edge : m_wiring->GetEdges())
    {
        for (const Ptr<Switch>& at : m_switches)
        {
            if (at->GetNumber() != edge)
            {
                at->SetNextHops(edge, m_router->GetNextHops(at->GetNumber(), edge));
            }
        }
    }
    for (const Ptr<Switch>& at : m_switches)
    {
        at->TellRoutesChanged();
    }
}

Wiring&
FrameEngine::GetWiring() const
{
    return *m_wiring;
}

Router&
FrameEngine::GetRouter() const
{
    return *m_router;
}

Switch&
FrameEngine::GetEdge(uint32_t server, uint32_t rail) const
{
    return *m_switches[m_places[m_wiring->GetEdge(m_configuration.shape.GetNic(server, rail))]];
}

int64_t
FrameEngine::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    for (const Ptr<Switch>& at : m_switches)
    {
        stream += at->AssignStreams(stream);
    }
    for (const Ptr<Port>& port : GetPorts())
    {
        const auto loss = m_losses.find(PeekPointer(port));
        if (loss != m_losses.end())
        {
            Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
            random->SetStream(stream++);
            port->GetLink().SetLoss(loss->second, random);
        }
    }
    for (const Ptr<GpuServer>& server : m_servers)
    {
        for (uint32_t rail = 0; rail < m_configuration.shape.nicsPerServer; ++rail)
        {
            stream += server->GetNic(rail).AssignStreams(stream);
        }
    }
    return stream - first;
}

void
FrameEngine::CatchUp()
{
    for (const Ptr<Port>& port : GetPorts())
    {
        port->GetAgenda().CatchUp();
    }
}

void
FrameEngine::Finish()
{
    CatchUp(); // so that frames arriving at this instant are in flight
    for (const Ptr<Port>& port : GetPorts())
    {
        port->GetAgenda().Finish();
    }
}

void
FrameEngine::SetClient(uint32_t server, MessageClient* client)
{
    m_servers[server]->SetClient(client);
}

TimePs
FrameEngine::GetClock(uint32_t server) const
{
    return m_servers[server]->GetClock();
}

void
FrameEngine::SetAlarm(uint32_t server, TimePs at)
{
    m_servers[server]->SetAlarm(at);
}

void
FrameEngine::Post(Message& message)
{
    const uint32_t gpus = m_configuration.shape.gpusPerServer;
    m_servers[message.source / gpus]->Post(message, *m_servers[message.destination / gpus]);
}

void
FrameEngine::CatchUpThroughNow()
{
    CatchUp();
    for (const Ptr<GpuServer>& server : m_servers)
    {
        server->GetNic(0).GetPort().GetAgenda().CatchUpThroughNow();
    }
}

uint64_t
FrameEngine::GetUnsentBytes(uint32_t server, uint32_t rail) const
{
    return m_servers[server]->GetNic(rail).GetCounters().unsentBytes;
}

uint64_t
FrameEngine::GetSentBytes(uint32_t nic) const
{
    const ClusterShape& shape = m_configuration.shape;
    const GpuServer& server = *m_servers[shape.GetNicServer(nic)];
    return server.GetNic(shape.GetRail(nic)).GetCounters().txBytes;
}

void
FrameEngine::Abandon(Message& message)
{
    const uint32_t gpus = m_configuration.shape.gpusPerServer;
    m_servers[message.source / gpus]->Abandon(message, *m_servers[message.destination / gpus]);
}

// A sender that is permanently cut off, or has torn down its queue pair, waits for ACKs that cannot
// come. Its messages count as acknowledged when their delivery is longer ago than the time of an
// ACK plus the largest lag of a node.
void
FrameEngine::OnTimeout(RdmaNic& nic, SendQueue& queue)
{
    const TimePs patience =
        std::max(queue.GetLossRecovery().GetTimeout(), m_replyTime + m_lateness);
    const TimePs now = nic.GetPort().GetAgenda().Now();
    if ((queue.IsTornDown() ||
         (m_isCutOff && m_isCutOff(nic.GetPlace().number, queue.GetPeer().nic))) &&
        queue.WasDeliveredBy(now - patience))
    {
        nic.AcknowledgeAll(queue);
    }
}

void
FrameEngine::SetCutOffCallback(std::function<bool(uint32_t, uint32_t)> callback)
{
    m_isCutOff = std::move(callback);
}

void
FrameEngine::SetReplyTime(TimePs time)
{
    m_replyTime = time;
}

void
FrameEngine::SetPunctual()
{
    for (const Ptr<Port>& port : GetPorts())
    {
        port->GetAgenda().LimitSlack(0);
    }
}

TimePs
FrameEngine::GetLastArrival() const
{
    TimePs last = 0;
    for (const Ptr<GpuServer>& server : m_servers)
    {
        last = std::max(last, server->GetLastArrival());
    }
    return last;
}

const std::vector<Ptr<GpuServer>>&
FrameEngine::GetServers() const
{
    return m_servers;
}

const std::vector<Ptr<Switch>>&
FrameEngine::GetSwitches() const
{
    return m_switches;
}

const std::vector<Ptr<OpticalSwitch>>&
FrameEngine::GetOpticalSwitches() const
{
    return m_opticalSwitches;
}

// Nodes are created without gaps in their numbers, servers first, then switches.
uint32_t
FrameEngine::GetNodeIndex(uint32_t node) const
{
    return node - m_servers.front()->GetObject<Node>()->GetId();
}

std::string
FrameEngine::GetNodeName(uint32_t node) const
{
    const uint32_t index = GetNodeIndex(node);
    return index < m_servers.size() ? "server" + std::to_string(index)
                                    : m_wiring->GetSwitches()[index - m_servers.size()].name;
}

bool
FrameEngine::IsNicPort(const Port& port) const
{
    return GetNodeIndex(port.GetIdentity().node) < m_servers.size();
}

std::string
FrameEngine::GetEndName(const Port& port) const
{
    const Port::Identity& identity = port.GetIdentity();
    return IsNicPort(port)
               ? m_wiring->GetNicName(
                     m_configuration.shape.GetNic(GetNodeIndex(identity.node), identity.index))
               : GetNodeName(identity.node);
}

const std::vector<Ptr<Port>>&
FrameEngine::GetPorts() const
{
    if (m_ports.empty())
    {
        for (const Ptr<GpuServer>& server : m_servers)
        {
            for (uint32_t rail = 0; rail < m_configuration.shape.nicsPerServer; ++rail)
            {
                m_ports.push_back(&server->GetNic(rail).GetPort());
            }
        }
        for (uint32_t at = 0; at < m_places.size(); ++at)
        {
            const std::vector<Ptr<Port>>& ports = GetPortsOf(at);
            m_ports.insert(m_ports.end(), ports.begin(), ports.end());
        }
    }
    return m_ports;
}

uint64_t
FrameEngine::GetReceivedBytes() const
{
    uint64_t bytes = 0;
    for (const Ptr<GpuServer>& server : m_servers)
    {
        for (uint32_t rail = 0; rail < m_configuration.shape.nicsPerServer; ++rail)
        {
            bytes += server->GetNic(rail).GetCounters().rxBytes;
        }
    }
    return bytes;
}

uint64_t
FrameEngine::GetFramesInUse() const
{
    return m_pool.GetInUse();
}

} // namespace ns3::rails
