// SPDX-License-Identifier: GPL-2.0-only
#include "rdma-host-helper.h"

#include "ns3/fabric-traits.h"
#include "ns3/frames-engine-choice.h"
#include "ns3/rails-error.h"
#include "ns3/rails-router.h"
#include "ns3/rails-run-check.h"

namespace ns3::rails
{

RdmaHostHelper::RdmaHostHelper()
    : m_engine(CreateObject<FramesEngineChoice>()),
      m_path(MakeFrameSettings().path),
      m_port(MakeFrameSettings().selector)
{
}

void
RdmaHostHelper::SetTransportAttribute(const std::string& name, const AttributeValue& value)
{
    m_transport->SetAttribute(name, value);
}

void
RdmaHostHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    m_nic->SetAttribute(name, value);
}

void
RdmaHostHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_profile->SetAttribute(name, value);
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
