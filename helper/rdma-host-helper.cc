// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-host-helper.h"

#include "ns3/fabric-traits.h"
#include "ns3/frames-engine-choice.h"
#include "ns3/rails-error.h"
#include "ns3/rails-router.h"
#include "ns3/rails-run-check.h"
#include "ns3/rdma-nic.h"
#include "ns3/roce-packet.h"

#include <array>
#include <iomanip>
#include <ostream>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Writes a frame to a capture.
void
Capture(Ptr<PcapFileWrapper> file, uint64_t mtu, Time now, const Frame& frame)
{
    file->Write(now, CreateRocePacket(DescribeForCapture(frame, mtu)));
}

/// Writes a line on a frame.
/// \param sign of what happened to it
/// \param path of the trace source; may be empty
void
Print(Ptr<OutputStreamWrapper> stream,
      std::string sign,
      std::string path,
      Time now,
      const Frame& frame)
{
    static constexpr std::array<const char*, 5> kKinds{"data", "ACK", "NAK", "CNP", "pause"};
    *stream->GetStream() << sign << ' ' << std::fixed << std::setprecision(12) << now.GetSeconds()
                         << ' ' << path << (path.empty() ? "" : " ")
                         << kKinds.at(static_cast<std::size_t>(frame.kind)) << " NIC "
                         << frame.sourceNic << " to NIC " << frame.destinationNic << " queue pair "
                         << frame.queuePair << " PSN " << frame.psn << " " << frame.bytes << " B"
                         << (frame.marked ? " marked" : "") << '\n';
}

} // namespace

RdmaHostHelper::RdmaHostHelper()
    : m_engine(CreateObject<FramesEngineChoice>()),
      m_path(MakeFrameSettings().path),
      m_port(MakeFrameSettings().selector)
{
}

void
RdmaHostHelper::SetTransportAttribute(const std::string& name, const AttributeValue& value)
{
    SetComponentAttribute(*m_transport, name, value);
}

void
RdmaHostHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    SetComponentAttribute(*m_nic, name, value);
}

void
RdmaHostHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    SetComponentAttribute(*m_profile, name, value);
}

RunSettings
RdmaHostHelper::MakeSettings() const
{
    RunSettings settings = MakeRunSettings();
    settings.engine = m_engine;
    settings.parts = {m_profile, m_transport, m_nic, m_path, m_port};
    return settings;
}

Ptr<Engine>
RdmaHostHelper::Install(const std::shared_ptr<Wiring>& wiring) const
{
    if (!wiring)
    {
        throw ConfigurationError(
            "",
            "no wiring: give Install() what a topology helper's Lay() returns");
    }
    const RunSettings settings = MakeSettings();
    const FabricTraits traits = FindTraits(*wiring);
    CheckRun(*wiring, traits, settings);
    const auto router = std::make_shared<Router>(*wiring);
    return m_engine->Make({settings, wiring, traits, router})->GetEngine();
}

void
RdmaHostHelper::EnablePcapInternal(std::string prefix,
                                   Ptr<NetDevice> device,
                                   bool /* promiscuous: a NIC gets its own frames only */,
                                   bool explicitFilename)
{
    const Ptr<RdmaNic> nic = DynamicCast<RdmaNic>(device);
    if (!nic)
    {
        return;
    }
    PcapHelper helper;
    const std::string name =
        explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device);
    const auto sink =
        MakeBoundCallback(&Capture,
                          helper.CreateFile(name, std::ios::out, PcapHelper::DLT_EN10MB),
                          nic->GetTransport().GetMtu());
    nic->GetPort().TraceConnectWithoutContext("Transmit", sink);
    nic->GetPort().TraceConnectWithoutContext("Arrive", sink);
}

void
RdmaHostHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                    std::string prefix,
                                    Ptr<NetDevice> device,
                                    bool explicitFilename)
{
    const Ptr<RdmaNic> nic = DynamicCast<RdmaNic>(device);
    if (!nic)
    {
        return;
    }
    AsciiTraceHelper helper;
    std::string path;
    if (stream)
    {
        path = "/NodeList/" + std::to_string(device->GetNode()->GetId()) + "/DeviceList/" +
               std::to_string(device->GetIfIndex()) + "/$ns3::rails::RdmaNic/Port/";
    }
    else
    {
        stream = helper.CreateFileStream(
            explicitFilename ? prefix : helper.GetFilenameFromDevice(prefix, device));
    }
    for (const auto& [source, sign] : {std::pair("Transmit", '-'), std::pair("Arrive", 'r')})
    {
        nic->GetPort().TraceConnectWithoutContext(
            source,
            MakeBoundCallback(&Print,
                              stream,
                              std::string(1, sign),
                              path.empty() ? path : path + source));
    }
}

NodeContainer
RdmaHostHelper::GetServers(const FrameEngine& cluster)
{
    NodeContainer servers;
    for (const Ptr<GpuServer>& server : cluster.GetServers())
    {
        servers.Add(server->GetObject<Node>());
    }
    return servers;
}

} // namespace ns3::rails
