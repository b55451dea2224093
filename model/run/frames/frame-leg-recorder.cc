// SPDX-License-Identifier: GPL-2.0-only
#include "frame-leg-recorder.h"

#include "ns3/rails-transfer.h"

namespace ns3::rails
{

FrameLegRecorder::FrameLegRecorder(Ptr<FrameEngine> cluster, const ClusterSpeeds& speeds)
    : LegRecorder(cluster->GetWiring(), speeds, cluster->GetPorts().size()),
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

FrameLegRecorder::~FrameLegRecorder()
{
    for (Probe& probe : m_probes)
    {
        probe.port->TraceDisconnectWithoutContext("Transmit",
                                                  MakeCallback(&Probe::OnTransmit, &probe));
    }
}

void
FrameLegRecorder::Probe::OnTransmit(const Frame& frame)
{
    if (frame.kind == FrameKind::Data && frame.transfer->message && port->GetLink().IsUp())
    {
        recorder->OnTransmit(*this, frame);
    }
}

void
FrameLegRecorder::OnTransmit(const Probe& probe, const Frame& frame)
{
    using Place = StepLoads::Place;
    const Transfer& transfer = *frame.transfer;
    const Port& port = *probe.port;
    const TimePs now = port.GetAgenda().Now();
    const uint32_t wire = frame.bytes + port.GetWireOverhead();
    const Place place = frame.isRepeat ? Place::CableRepeat : Place::Cable;
    StepLoads& loads = GetLoads(transfer.message->step);
    loads.Add(place, probe.number, wire, now, now + port.GetByteTime(wire));
    if (frame.psn + 1 == transfer.firstPsn + GetFrames().CountFrames(transfer.bytes))
    {
        std::vector<uint32_t>& way = m_ways[transfer.id];
        if (probe.isNic)
        {
            way.clear(); // it may have been sent before
        }
        way.push_back(probe.number);
    }
}

bool
FrameLegRecorder::HasRepeats() const
{
    return true;
}

std::string
FrameLegRecorder::GetCableName(uint32_t cable) const
{
    const Port& port = *m_cluster->GetPorts()[cable];
    return m_cluster->GetEndName(port) + " to " + m_cluster->GetEndName(port.GetPeer());
}

uint64_t
FrameLegRecorder::GetRate(uint32_t cable) const
{
    const Port& port = *m_cluster->GetPorts()[cable];
    return port.GetLink().IsUp() ? port.GetRateBps() : 0;
}

void
FrameLegRecorder::AddToCables(const Message&, StepLoads&)
{
    // Every frame was counted on its way.
}

std::vector<uint32_t>
FrameLegRecorder::FindCables(const Message& message)
{
    const auto found = m_ways.find(message.id);
    return found == m_ways.end() ? std::vector<uint32_t>() : found->second;
}

void
FrameLegRecorder::Forget(const Message& message)
{
    m_ways.erase(message.id);
}

} // namespace ns3::rails
