// SPDX-License-Identifier: GPL-2.0-only
#include "rails-pcap.h"

#include "ns3/roce-packet.h"
#include "ns3/trace-helper.h"

namespace ns3::rails
{

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
PcapRecorder::Capture::OnFrame(Time now, const Frame& frame)
{
    file->Write(now, CreateRocePacket(DescribeForCapture(frame, mtu)));
}

} // namespace ns3::rails
