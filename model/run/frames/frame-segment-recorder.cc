// SPDX-License-Identifier: GPL-2.0-only
#include "frame-segment-recorder.h"

#include "ns3/message-state.h"

namespace ns3::rails
{

FrameSegmentRecorder::FrameSegmentRecorder(Ptr<FrameEngine> cluster, const ClusterSpeeds& speeds)
    : PathSegmentRecorder(cluster->GetWiring(), speeds, cluster->GetPorts().size()),
      m_cluster(cluster)
{
    TakeFirstRates();
    for (const Ptr<Port>& port : cluster->GetPorts())
    {
        const auto number = static_cast<uint32_t>(m_probes.size());
        Probe& probe = m_probes.emplace_back();
        probe = {this, PeekPointer(port), number, cluster->IsNicPort(*port)};
        port->TraceConnectWithoutContext("Transmit", MakeCallback(&Probe::OnTransmit, &probe));
    }
}

FrameSegmentRecorder::~FrameSegmentRecorder()
{
    for (Probe& probe : m_probes)
    {
        probe.port->TraceDisconnectWithoutContext("Transmit",
                                                  MakeCallback(&Probe::OnTransmit, &probe));
    }
}

void
FrameSegmentRecorder::Probe::OnTransmit(Time now, const Frame& frame)
{
    if (frame.kind == FrameKind::Data && frame.transfer->message && port->GetLink().IsUp())
    {
        recorder->OnTransmit(*this, now.GetTimeStep(), frame);
    }
}

void
FrameSegmentRecorder::OnTransmit(const Probe& probe, TimePs now, const Frame& frame)
{
    using Place = StepLoads::Place;
    const MessageState& transfer = *frame.transfer;
    const Port& port = *probe.port;
    const uint32_t wire = frame.bytes + port.GetWireOverhead();
    const Place place = frame.isRepeat ? Place::CableRepeat : Place::Cable;
    StepLoads& loads = GetLoads(transfer.message->step);
    loads.Add(place, probe.number, wire, now, now + port.GetByteTime(wire));
    if (frame.psn + 1 == transfer.firstPsn + GetFrames().CountFrames(transfer.bytes))
    {
        std::vector<uint32_t>& way = m_ways[transfer.id];
        if (probe.isNic)
        {
            way.clear(); // the frame may be a retransmission
        }
        way.push_back(probe.number);
    }
}

bool
FrameSegmentRecorder::HasRepeats() const
{
    return true;
}

std::string
FrameSegmentRecorder::GetCableName(uint32_t cable) const
{
    const Port& port = *m_cluster->GetPorts()[cable];
    return m_cluster->GetEndName(port) + " to " + m_cluster->GetEndName(port.GetPeer());
}

uint64_t
FrameSegmentRecorder::GetRate(uint32_t cable) const
{
    const Port& port = *m_cluster->GetPorts()[cable];
    return port.GetLink().IsUp() ? port.GetRateBps() : 0;
}

void
FrameSegmentRecorder::AddToCables(const Message&, StepLoads&)
{
    // OnTransmit() has counted every frame.
}

std::vector<uint32_t>
FrameSegmentRecorder::FindCables(const Message& message)
{
    const auto found = m_ways.find(message.id);
    return found == m_ways.end() ? std::vector<uint32_t>() : found->second;
}

void
FrameSegmentRecorder::Forget(const Message& message)
{
    m_ways.erase(message.id);
}

} // namespace ns3::rails
