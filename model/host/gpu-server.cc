// SPDX-License-Identifier: GPL-2.0-only
#include "gpu-server.h"

#include "roce-packet.h"

#include "ns3/lazy-traces.h"
#include "ns3/object-vector.h"

#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3::rails
{

NS_OBJECT_ENSURE_REGISTERED(GpuServer);

TypeId
GpuServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rails::GpuServer")
            .SetParent<Object>()
            .SetGroupName("Rails")
            .AddAttribute("Nics",
                          "NICs by rail.",
                          TypeId::ATTR_GET,
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&GpuServer::m_nics),
                          MakeObjectVectorChecker<RdmaNic>())
            .AddTraceSource("MessageBegin",
                            "A message of one of the server's GPUs is posted.",
                            MakeLazyTraceAccessor(&GpuServer::m_sources, &Sources::messageBegin),
                            "ns3::rails::GpuServer::MessageCallback")
            .AddTraceSource("MessageEnd",
                            "The last byte of a message is in the memory of one of the server's "
                            "GPUs.",
                            MakeLazyTraceAccessor(&GpuServer::m_sources, &Sources::messageEnd),
                            "ns3::rails::GpuServer::MessageCallback");
    return tid;
}

GpuServer::GpuServer(Ptr<Node> node,
                     uint32_t server,
                     const Configuration& configuration,
                     const std::vector<uint64_t>& nicRatesBps,
                     TimeoutClient& timeouts,
                     FramePool& pool)
    : m_server(server),
      m_gpus(configuration.shape.gpusPerServer),
      m_largestFrame(configuration.transport->GetLargestFrame()),
      m_nicsBps(std::accumulate(nicRatesBps.begin(), nicRatesBps.end(), 0.0)),
      m_timeouts(timeouts),
      // The tasks of NVLink and PCIe rank behind the tasks of the NICs.
      m_interior(configuration.interior, *this, m_agenda, 4 * configuration.shape.nicsPerServer),
      // Alarms rank behind all other timers.
      m_alarm(*this, TaskPhase::Timer, 0xffffff),
      m_asking(*this, TaskPhase::Decision, 0xffffff)
{
    const ClusterShape& shape = configuration.shape;
    for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
    {
        const RdmaNic::Place place{shape.GetNic(server, rail),
                                   server,
                                   rail,
                                   shape.servers,
                                   shape.nicsPerServer,
                                   m_gpus};
        m_nics.push_back(CreateObject<RdmaNic>(place,
                                               node->GetId(),
                                               nicRatesBps[rail],
                                               configuration.transport,
                                               configuration.path,
                                               configuration.nic,
                                               *this,
                                               m_agenda,
                                               pool));
        m_nics.back()->SetAddress(GetNicMacAddress(place.number));
        node->AddDevice(m_nics.back());
    }
    const ServerInterior& interior = m_interior.GetInterior();
    for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
    {
        const uint32_t nic = interior.GetNicEnd(rail);
        m_readers.emplace_back(configuration.nic->GetReads(),
                               interior.GetSegmentBytes(),
                               [this, nic](uint32_t end, MessageState& transfer, uint64_t bytes) {
                                   m_interior.Send(end, nic, transfer, bytes);
                               });
    }
    m_agenda.SetPunctual(true); // no bytes are to come yet
}

void
GpuServer::DoDispose()
{
    m_nics.clear();
    Object::DoDispose();
}

void
GpuServer::SetClient(MessageClient* client)
{
    m_client = client;
}

TimePs
GpuServer::GetClock() const
{
    return m_agenda.Now();
}

void
GpuServer::SetAlarm(TimePs at)
{
    if (at < m_agenda.Now())
    {
        throw std::logic_error("an alarm at " + std::to_string(at) + " ps, where it is " +
                               std::to_string(m_agenda.Now()) + " ps already");
    }
    m_agenda.Schedule(at, m_alarm);
}

void
GpuServer::Alarm()
{
    if (m_client)
    {
        m_client->OnAlarm(m_server);
    }
}

void
GpuServer::Post(Message& message, GpuServer& destination)
{
    m_agenda.CatchUp();
    message.start = m_agenda.Now();
    FireTrace(m_sources, &Sources::messageBegin, m_agenda, message);
    MessageState& transfer = m_transfers.Allocate(message);
    transfer.from = static_cast<uint16_t>(message.source % m_gpus);
    transfer.to = static_cast<uint16_t>(message.destination % m_gpus);
    transfer.txRail = message.txRail;
    transfer.rxRail = message.rxRail;
    constexpr uint32_t kChannelBits = 20; // above the largest number of a server
    transfer.lane =
        destination.m_server - m_server - 1 + (uint32_t{message.channel} << kChannelBits);
    if (&destination == this)
    {
        m_interior.Send(transfer.from, transfer.to, transfer, transfer.bytes);
        return;
    }
    const uint32_t nic = m_interior.GetInterior().GetNicEnd(transfer.txRail);
    const uint32_t farNic = m_interior.GetInterior().GetNicEnd(transfer.rxRail);
    transfer.way = m_interior.HasHop(farNic, transfer.to) ? MessageState::Way::Relayed
                                                          : MessageState::Way::Direct;
    destination.AddToCome(transfer.bytes);
    const bool crosses = m_interior.HasHop(transfer.from, nic);
    transfer.staged = crosses ? 0 : transfer.bytes;
    m_nics[transfer.txRail]->Post(transfer, destination.GetNic(transfer.rxRail));
    if (crosses)
    {
        Cross(transfer.from, nic, transfer, transfer.bytes);
    }
}

void
GpuServer::AskForMore()
{
    for (NicReader& reader : m_readers)
    {
        reader.AskForMore();
    }
}

/// Bytes of a message cross the server, from the GPU or from an intermediate GPU.
void
GpuServer::Cross(uint32_t from, uint32_t to, MessageState& transfer, uint64_t bytes)
{
    if (m_interior.IsRead(from, to))
    {
        m_readers[transfer.txRail].Add(transfer.queue->GetNumber(), from, transfer, bytes);
        m_agenda.Decide(m_asking);
    }
    else
    {
        m_interior.Send(from, to, transfer, bytes);
    }
}

void
GpuServer::Abandon(Message& message, GpuServer& destination)
{
    m_agenda.CatchUp();
    destination.m_agenda.CatchUp();
    MessageState* transfer = m_transfers.Find(message);
    if (!transfer)
    {
        return; // the last ACK has arrived
    }
    m_nics[transfer->txRail]->TearDown(*transfer->queue);
    if (transfer->received == transfer->bytes)
    {
        return;
    }
    message.isAbandoned = true;
    transfer->isAbandoned = true;
    destination.m_toCome -= transfer->bytes - transfer->received;
    destination.SetPunctual();
    m_transfers.Retire(*transfer);
}

void
GpuServer::AddToCome(uint64_t bytes)
{
    const double late = static_cast<double>(m_agenda.GetSlack()) * 1e-12;
    m_comesAtOnce =
        static_cast<uint64_t>(late * m_nicsBps / 8) + 2 * m_largestFrame * m_nics.size();
    m_toCome += bytes;
    SetPunctual();
}

void
GpuServer::SetPunctual()
{
    m_agenda.SetPunctual(m_toCome <= m_comesAtOnce);
}

void
GpuServer::OnArrived(MessageState& transfer, uint32_t bytes)
{
    // The last delivery of all ends a phase, so the node must not lag then. While more bytes are to
    // come than can arrive within the largest lag, the last delivery cannot be among them.
    m_lastArrival = m_agenda.Now();
    m_toCome -= bytes;
    SetPunctual();
    if (transfer.way == MessageState::Way::Direct)
    {
        Deliver(transfer, bytes);
        return;
    }
    transfer.collected += bytes;
    const ServerInterior& interior = m_interior.GetInterior();
    if (transfer.collected >= interior.GetSegmentBytes() || transfer.received == transfer.bytes)
    {
        const uint32_t collected = transfer.collected;
        transfer.collected = 0;
        m_interior.Send(interior.GetNicEnd(transfer.rxRail), transfer.to, transfer, collected);
    }
}

void
GpuServer::OnCrossed(MessageState& transfer, uint32_t end, uint64_t bytes)
{
    m_lastArrival = m_agenda.Now();
    const bool leaves = transfer.way != MessageState::Way::Inside && transfer.pool == &m_transfers;
    const uint32_t last =
        leaves ? m_interior.GetInterior().GetNicEnd(transfer.txRail) : transfer.to;
    if (end != last && m_interior.HasHop(end, last))
    {
        Cross(end, last, transfer, bytes);
        return;
    }
    if (leaves)
    {
        transfer.staged += bytes;
        if (end == last) // read by the NIC, not only moved over NVLink
        {
            m_readers[transfer.txRail].OnRead();
            m_agenda.Decide(m_asking);
        }
        m_nics[transfer.txRail]->OnStaged(transfer, bytes);
        return;
    }
    Deliver(transfer, bytes);
}

void
GpuServer::Deliver(MessageState& transfer, uint64_t bytes)
{
    m_deliveredBytes += bytes;
    transfer.delivered += bytes;
    if (transfer.delivered != transfer.bytes)
    {
        return;
    }
    Message& message = *transfer.message;
    message.end = m_agenda.Now();
    FireTrace(m_sources, &Sources::messageEnd, m_agenda, message);
    const bool isInside = transfer.way == MessageState::Way::Inside;
    if (transfer.isAcknowledged)
    {
        // The NIC had acknowledged the last frame before the bytes crossed the server.
        transfer.pool->Retire(transfer);
    }
    if (m_client)
    {
        m_client->OnDelivered(message);
    }
    if (isInside)
    {
        OnAcknowledged(transfer);
    }
}

void
GpuServer::OnSent(MessageState& transfer)
{
    if (m_client)
    {
        m_client->OnSent(*transfer.message);
    }
}

void
GpuServer::OnAcknowledged(MessageState& transfer)
{
    Message& message = *transfer.message;
    message.acknowledged = m_agenda.Now();
    transfer.isAcknowledged = true;
    if (transfer.delivered == transfer.bytes)
    {
        m_transfers.Retire(transfer);
    }
    if (m_client)
    {
        m_client->OnAcknowledged(message);
    }
}

void
GpuServer::OnTimeout(RdmaNic& nic, SendQueue& queue)
{
    m_timeouts.OnTimeout(nic, queue);
}

RdmaNic&
GpuServer::GetNic(uint32_t rail) const
{
    return *m_nics[rail];
}

} // namespace ns3::rails
