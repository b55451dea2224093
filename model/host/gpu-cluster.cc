// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-cluster.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(GpuCluster);

TypeId
GpuCluster::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::GpuCluster").SetParent<MessageService>().SetGroupName("Rails");
    return tid;
}

GpuCluster::GpuCluster(const GpuServer::Configuration& configuration)
    : m_configuration(configuration),
      m_edges(configuration.domains * configuration.gpusPerDomain, nullptr)
{
    for (uint32_t domain = 0; domain < configuration.domains; ++domain)
    {
        Ptr<Node> node = CreateObject<Node>();
        m_servers.push_back(CreateObject<GpuServer>(node, domain, m_configuration, *this, m_pool));
        node->AggregateObject(m_servers.back());
    }
}

GpuCluster::~GpuCluster() = default;

void
GpuCluster::DoDispose()
{
    m_ports.clear();
    m_switchCables.clear();
    MessageService::DoDispose();
}

Switch&
GpuCluster::AddSwitch(const std::string& name,
                      Ptr<const SwitchProfile> profile,
                      Ptr<const PortSelector> selector)
{
    Ptr<Node> node = CreateObject<Node>();
    const auto number = static_cast<uint32_t>(m_switches.size());
    m_switches.push_back(CreateObject<Switch>(node, number, name, profile, selector, m_pool));
    node->AggregateObject(m_switches.back());
    return *m_switches.back();
}

void
GpuCluster::Cable(Port& a, Port& b, TimePs delay)
{
    a.Connect(b, delay);
    b.Connect(a, delay);
    m_lateness = std::max(m_lateness, delay);
    const auto overhead = static_cast<uint32_t>(m_configuration.transport->m_wireOverhead.Get());
    a.SetWireOverhead(overhead);
    b.SetWireOverhead(overhead);
}

void
GpuCluster::Attach(uint32_t domain, uint32_t rail, Switch& edge, uint32_t region, TimePs delay)
{
    RdmaNic& nic = m_servers[domain]->GetNic(rail);
    Port& down = edge.AddPort("leaf_down",
                              m_configuration.nicRateBps,
                              delay,
                              m_configuration.transport->GetLargestFrame());
    Cable(nic.GetPort(), down, delay);
    nic.GetPort().SetPauseResponse(down.GetPauseResponse());
    m_edges[nic.GetPlace().number] = &edge;
    nic.SetNicAddress({edge.GetNumber(), down.GetIndex()}, m_router);
    if (down.GetIndex() == 0)
    {
        m_router.AddEdge(edge, region);
    }
}

std::pair<uint16_t, uint16_t>
GpuCluster::Join(Switch& lower,
                 const std::string& lowerClass,
                 Switch& upper,
                 const std::string& upperClass,
                 uint64_t rateBps,
                 TimePs delay,
                 uint32_t cost)
{
    const uint32_t largestFrame = m_configuration.transport->GetLargestFrame();
    Port& up = lower.AddPort(lowerClass, rateBps, delay, largestFrame);
    Port& down = upper.AddPort(upperClass, rateBps, delay, largestFrame);
    Cable(up, down, delay);
    m_switchCables.push_back({&lower, &upper, &up, &down});
    m_router.AddCable(lower,
                      static_cast<uint16_t>(up.GetIndex()),
                      upper,
                      static_cast<uint16_t>(down.GetIndex()),
                      cost);
    return {static_cast<uint16_t>(up.GetIndex()), static_cast<uint16_t>(down.GetIndex())};
}

void
GpuCluster::SetCableUp(Port& port, bool up, bool losesFlying)
{
    m_isImpaired = true;
    Port& peer = port.GetPeer();
    port.GetAgenda().CatchUp();
    peer.GetAgenda().CatchUp();
    port.GetLink().SetUp(up, losesFlying);
    peer.GetLink().SetUp(up, losesFlying);
    if (up)
    {
        port.RenewPauses();
        peer.RenewPauses();
    }
}

void
GpuCluster::Converge()
{
    CatchUp();
    m_router.Converge();
    const uint32_t rails = m_configuration.gpusPerDomain;
    m_knownDown.resize(m_edges.size());
    for (uint32_t nic = 0; nic < m_edges.size(); ++nic)
    {
        m_knownDown[nic] = !m_servers[nic / rails]->GetNic(nic % rails).GetPort().GetLink().IsUp();
    }
}

const std::vector<GpuCluster::SwitchCable>&
GpuCluster::GetSwitchCables() const
{
    return m_switchCables;
}

Switch&
GpuCluster::GetEdge(uint32_t domain, uint32_t rail) const
{
    return *m_edges[domain * m_configuration.gpusPerDomain + rail];
}

void
GpuCluster::SetLinkLoss(double probability)
{
    m_linkLoss = probability;
}

int64_t
GpuCluster::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    for (const Ptr<Switch>& at : m_switches)
    {
        stream += at->AssignStreams(stream);
    }
    if (m_linkLoss > 0)
    {
        for (const Ptr<Port>& port : GetPorts())
        {
            Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
            random->SetStream(stream++);
            port->GetLink().SetLoss(m_linkLoss, random);
        }
    }
    for (const Ptr<GpuServer>& server : m_servers)
    {
        for (uint32_t rail = 0; rail < m_configuration.gpusPerDomain; ++rail)
        {
            stream += server->GetNic(rail).AssignStreams(stream);
        }
    }
    return stream - first;
}

void
GpuCluster::CatchUp()
{
    for (const Ptr<Port>& port : GetPorts())
    {
        port->GetAgenda().CatchUp();
    }
}

void
GpuCluster::Finish()
{
    CatchUp(); // so that what arrives at this instant is on its way
    for (const Ptr<Port>& port : GetPorts())
    {
        port->GetAgenda().Finish();
    }
}

void
GpuCluster::Post(Message& message)
{
    const uint32_t gpus = m_configuration.gpusPerDomain;
    m_servers[message.source / gpus]->Post(message, *m_servers[message.destination / gpus]);
}

void
GpuCluster::CatchUpThroughNow()
{
    CatchUp();
    for (const Ptr<GpuServer>& server : m_servers)
    {
        server->GetNic(0).GetPort().GetAgenda().CatchUpThroughNow();
    }
}

uint64_t
GpuCluster::GetUnsentBytes(uint32_t domain, uint32_t rail) const
{
    return m_servers[domain]->GetNic(rail).GetCounters().unsentBytes;
}

uint32_t
GpuCluster::GetSubflows() const
{
    return m_configuration.path->GetSubflows();
}

bool
GpuCluster::Reaches(uint32_t from, uint32_t txRail, uint32_t to, uint32_t rxRail) const
{
    const uint32_t rails = m_configuration.gpusPerDomain;
    const bool othersUp = m_knownDown.empty() || !m_knownDown[to * rails + rxRail];
    return othersUp && m_servers[from]->GetNic(txRail).GetPort().GetLink().IsUp() &&
           m_router.IsConnected(GetEdge(from, txRail).GetNumber(), GetEdge(to, rxRail).GetNumber());
}

bool
GpuCluster::IsImpaired() const
{
    return m_isImpaired;
}

void
GpuCluster::Abandon(Message& message)
{
    const uint32_t gpus = m_configuration.gpusPerDomain;
    m_servers[message.source / gpus]->Abandon(message, *m_servers[message.destination / gpus]);
}

Router&
GpuCluster::GetRouter()
{
    return m_router;
}

void
GpuCluster::OnDelivered(Message& message)
{
    if (!m_delivered.IsNull())
    {
        m_delivered(message);
    }
}

void
GpuCluster::OnAcknowledged(Message& message)
{
    if (!m_acknowledged.IsNull())
    {
        m_acknowledged(message);
    }
}

void
GpuCluster::OnSent(Message& message)
{
    if (!m_sent.IsNull())
    {
        m_sent(message);
    }
}

// A sender that is cut off for good, or has torn its queue pair down, waits for ACKs that cannot
// come. Its messages count as acknowledged when their delivery is longer ago than an ACK takes, and
// than any node may lag behind.
void
GpuCluster::OnTimeout(RdmaNic& nic, SendQueue& queue)
{
    const TimePs patience =
        std::max(queue.GetLossRecovery().GetTimeout(), m_replyTime + m_lateness);
    const TimePs now = nic.GetPort().GetAgenda().Now();
    if ((queue.IsTornDown() || (m_isCutOff && m_isCutOff(nic, queue.GetPeer().nic))) &&
        queue.WasDeliveredBy(now - patience))
    {
        nic.AcknowledgeAll(queue);
    }
}

void
GpuCluster::SetCutOffCallback(std::function<bool(const RdmaNic&, uint32_t)> callback)
{
    m_isCutOff = std::move(callback);
}

void
GpuCluster::SetReplyTime(TimePs time)
{
    m_replyTime = time;
}

void
GpuCluster::SetPunctual()
{
    for (const Ptr<Port>& port : GetPorts())
    {
        port->GetAgenda().LimitSlack(0);
    }
}

TimePs
GpuCluster::GetLastArrival() const
{
    TimePs last = 0;
    for (const Ptr<GpuServer>& server : m_servers)
    {
        last = std::max(last, server->GetLastArrival());
    }
    return last;
}

const GpuServer::Configuration&
GpuCluster::GetConfiguration() const
{
    return m_configuration;
}

const std::vector<Ptr<GpuServer>>&
GpuCluster::GetServers() const
{
    return m_servers;
}

const std::vector<Ptr<Switch>>&
GpuCluster::GetSwitches() const
{
    return m_switches;
}

std::string
GpuCluster::GetNodeName(uint32_t node) const
{
    // Nodes are made servers first, then switches, in one go.
    const uint32_t first = m_servers.front()->GetObject<Node>()->GetId();
    const uint32_t index = node - first;
    return index < m_servers.size() ? "server" + std::to_string(index)
                                    : m_switches[index - m_servers.size()]->GetName();
}

std::string
GpuCluster::GetEndName(const Port& port) const
{
    const Port::Identity& identity = port.GetIdentity();
    const bool isNic = identity.portClass == "nic_tx";
    return GetNodeName(identity.node) + (isNic ? "-nic" + std::to_string(identity.index) : "");
}

const std::vector<Ptr<Port>>&
GpuCluster::GetPorts() const
{
    if (m_ports.empty())
    {
        for (const Ptr<GpuServer>& server : m_servers)
        {
            for (uint32_t rail = 0; rail < m_configuration.gpusPerDomain; ++rail)
            {
                m_ports.push_back(&server->GetNic(rail).GetPort());
            }
        }
        for (const Ptr<Switch>& at : m_switches)
        {
            m_ports.insert(m_ports.end(), at->GetPorts().begin(), at->GetPorts().end());
        }
    }
    return m_ports;
}

uint64_t
GpuCluster::GetReceivedBytes() const
{
    uint64_t bytes = 0;
    for (const Ptr<GpuServer>& server : m_servers)
    {
        for (uint32_t rail = 0; rail < m_configuration.gpusPerDomain; ++rail)
        {
            bytes += server->GetNic(rail).GetCounters().rxBytes;
        }
    }
    return bytes;
}

uint64_t
GpuCluster::GetFramesInUse() const
{
    return m_pool.GetInUse();
}

} // namespace ns3::rails
