// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-server.h"

#include "roce-packet.h"

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(GpuServer);

TypeId
GpuServer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rails::GpuServer").SetParent<Object>().SetGroupName("Rails");
    return tid;
}

GpuServer::GpuServer(Ptr<Node> node,
                     uint32_t domain,
                     const Configuration& configuration,
                     ServerClient& client,
                     FramePool& pool)
    : m_domain(domain),
      m_gpus(configuration.gpusPerDomain),
      m_largestFrame(configuration.transport->GetLargestFrame()),
      m_nicRateBps(configuration.nicRateBps),
      m_client(client),
      // The tasks of the NVLink ports rank behind those of the NICs.
      m_nvlink(m_gpus,
               configuration.nvlinkRateBps,
               configuration.nvlinkLatency,
               configuration.nvlinkSegmentBytes,
               *this,
               m_agenda,
               4 * m_gpus)
{
    for (uint32_t rail = 0; rail < m_gpus; ++rail)
    {
        const RdmaNic::Place place{domain * m_gpus + rail,
                                   domain,
                                   rail,
                                   configuration.domains,
                                   m_gpus};
        m_nics.push_back(CreateObject<RdmaNic>(place,
                                               node->GetId(),
                                               configuration.nicRateBps,
                                               configuration.transport,
                                               configuration.path,
                                               configuration.nic,
                                               *this,
                                               m_agenda,
                                               pool));
        m_nics.back()->SetAddress(GetNicMacAddress(place.number));
        node->AddDevice(m_nics.back());
    }
    m_agenda.SetPunctual(true); // nothing is to come yet
}

void
GpuServer::DoDispose()
{
    m_nics.clear();
    Object::DoDispose();
}

void
GpuServer::Post(Message& message, GpuServer& destination)
{
    m_agenda.CatchUp();
    message.start = m_agenda.Now();
    const uint32_t from = message.source % m_gpus;
    if (&destination == this)
    {
        m_nvlink.Send(from, message.destination % m_gpus, message, message.bytes);
        return;
    }
    destination.Expect(message.bytes);
    message.staged = from == message.txRail ? message.bytes : 0;
    m_nics[message.txRail]->Post(message, destination.GetNic(message.rxRail));
    if (message.staged == 0)
    {
        m_nvlink.Send(from, message.txRail, message, message.bytes);
    }
}

void
GpuServer::Abandon(Message& message, GpuServer& destination)
{
    m_agenda.CatchUp();
    destination.m_agenda.CatchUp();
    m_nics[message.txRail]->TearDown(*message.queue);
    if (message.received == message.bytes)
    {
        return;
    }
    message.isAbandoned = true;
    destination.m_toCome -= message.bytes - message.received;
    destination.SetPunctual();
}

void
GpuServer::Expect(uint64_t bytes)
{
    const double late = static_cast<double>(m_agenda.GetSlack()) * 1e-12;
    const double rate = static_cast<double>(m_nicRateBps) / 8;
    m_comesAtOnce = m_gpus * (static_cast<uint64_t>(late * rate) + 2 * m_largestFrame);
    m_toCome += bytes;
    SetPunctual();
}

void
GpuServer::SetPunctual()
{
    m_agenda.SetPunctual(m_toCome <= m_comesAtOnce);
}

void
GpuServer::OnArrived(Message& message, uint32_t bytes)
{
    // The last delivery of all ends a phase, and everybody must know of it in that instant. It
    // cannot be here while more is to come than can come in the time that the node may be late.
    m_lastArrival = m_agenda.Now();
    m_toCome -= bytes;
    SetPunctual();
    const uint32_t to = message.destination % m_gpus;
    if (to == message.rxRail)
    {
        Deliver(message, bytes);
        return;
    }
    const uint64_t collected = message.received - message.forwarded;
    if (collected >= m_nvlink.GetSegmentBytes() || message.received == message.bytes)
    {
        message.forwarded += collected;
        m_nvlink.Send(message.rxRail, to, message, collected);
    }
}

void
GpuServer::OnCrossed(Message& message, uint64_t bytes)
{
    m_lastArrival = m_agenda.Now();
    const bool leaves = message.queue && message.source / m_gpus == m_domain;
    if (leaves)
    {
        message.staged += bytes;
        m_nics[message.txRail]->OnStaged(message, bytes);
        return;
    }
    Deliver(message, bytes);
}

void
GpuServer::Deliver(Message& message, uint64_t bytes)
{
    message.delivered += bytes;
    if (message.delivered != message.bytes)
    {
        return;
    }
    message.end = m_agenda.Now();
    m_client.OnDelivered(message);
    if (message.txRail == kNoRail)
    {
        OnAcknowledged(message);
    }
}

void
GpuServer::OnSent(Message& message)
{
    m_client.OnSent(message);
}

void
GpuServer::OnAcknowledged(Message& message)
{
    message.acknowledged = m_agenda.Now();
    m_client.OnAcknowledged(message);
}

void
GpuServer::OnTimeout(RdmaNic& nic, SendQueue& queue)
{
    m_client.OnTimeout(nic, queue);
}

TimePs
GpuServer::GetLastArrival() const
{
    return m_lastArrival;
}

uint32_t
GpuServer::GetDomain() const
{
    return m_domain;
}

RdmaNic&
GpuServer::GetNic(uint32_t rail) const
{
    return *m_nics[rail];
}

const NvlinkDomain&
GpuServer::GetNvlink() const
{
    return m_nvlink;
}

} // namespace ns3::rails
