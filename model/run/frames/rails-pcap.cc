// SPDX-License-Identifier: GPL-2.0-only
#include "rails-pcap.h"

#include "ns3/message-state.h"
#include "ns3/roce-packet.h"
#include "ns3/trace-helper.h"

namespace ns3::rails
{

namespace
{

// Queue pairs 0 and 1 are for management (InfiniBand specification, section 3.5.3).
constexpr uint32_t kFirstQueuePair = 2;

} // namespace

PcapRecorder::PcapRecorder(const FrameEngine& cluster, const std::string& folder)
{
    PcapHelper helper;
    for (const Ptr<GpuServer>& server : cluster.GetServers())
    {
        for (uint32_t rail = 0; rail < cluster.GetConfiguration().shape.nicsPerServer; ++rail)
        {
            const std::string name = folder + "/server" + std::to_string(server->GetServer()) +
                                     "-nic" + std::to_string(rail) + ".pcap";
            Port& port = server->GetNic(rail).GetPort();
            m_captures.push_back({&port,
                                  cluster.GetConfiguration().transport->GetMtu(),
                                  helper.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB)});
            Capture* capture = &m_captures.back();
            port.TraceConnectWithoutContext("Transmit", MakeCallback(&Capture::OnFrame, capture));
            port.TraceConnectWithoutContext("Arrive", MakeCallback(&Capture::OnFrame, capture));
        }
    }
}

PcapRecorder::~PcapRecorder()
{
    for (Capture& capture : m_captures)
    {
        capture.port->TraceDisconnectWithoutContext("Transmit",
                                                    MakeCallback(&Capture::OnFrame, &capture));
        capture.port->TraceDisconnectWithoutContext("Arrive",
                                                    MakeCallback(&Capture::OnFrame, &capture));
    }
}

void
PcapRecorder::Capture::OnFrame(const Frame& frame)
{
    RoceFrameInfo info;
    info.kind = frame.kind;
    info.bytes = frame.bytes;
    info.sourceNic = frame.sourceNic;
    info.destinationNic = frame.destinationNic;
    info.queuePair = frame.queuePair + kFirstQueuePair;
    info.entropy = frame.entropy;
    info.marked = frame.marked;
    info.payload = frame.payload;
    info.psn = frame.psn;
    if (frame.kind == FrameKind::Data)
    {
        const uint64_t offset = (frame.psn - frame.transfer->firstPsn) * mtu;
        info.first = offset == 0;
        info.last = offset + frame.payload == frame.transfer->bytes;
    }
    else if (frame.kind == FrameKind::Ack)
    {
        // An ACK names the last PSN that it covers.
        info.psn = frame.cumulative - 1;
    }
    else if (frame.kind == FrameKind::Nak)
    {
        info.psn = frame.cumulative;
    }
    else if (frame.kind == FrameKind::Pause)
    {
        info.pausedClass = frame.trafficClass;
        info.quanta = static_cast<uint16_t>(frame.quanta);
    }
    file->Write(TimeStep(port->GetAgenda().Now()), CreateRocePacket(info));
}

} // namespace ns3::rails
