// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_HELPER_H
#define RDMA_HOST_HELPER_H

#include "component-maker.h"

#include "ns3/frame-engine.h"
#include "ns3/node-container.h"
#include "ns3/pointer.h"
#include "ns3/rails-engine.h"
#include "ns3/rails-run-settings.h"
#include "ns3/rails-wiring.h"
#include "ns3/trace-helper.h"

#include <memory>
#include <string>

namespace ns3::rails
{

/**
 * Configures servers with RDMA NICs, switches and the engine that simulates them. The default is
 * the packet-level engine with the default of every attribute. Types are names of classes, with or
 * without "ns3::rails::", each followed by names and values of attributes.
 */
class RdmaHostHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    RdmaHostHelper();

    /// \param type "FramesEngineChoice" or "FlowEngineChoice"
    template <typename... Attributes>
    void SetEngine(const std::string& type, const Attributes&... attributes)
    {
        m_engine = MakeComponent<EngineChoice>(type, attributes...);
    }

    /// \param name of an attribute of Transport, which all queue pairs share
    void SetTransportAttribute(const std::string& name, const AttributeValue& value);

    /// \param name of an attribute of NicProfile, which all NICs share
    void SetNicAttribute(const std::string& name, const AttributeValue& value);

    /// \param name of an attribute of SwitchProfile, which all switches share
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /// \param type such as "DcqcnCongestionControl"
    template <typename... Attributes>
    void SetCongestionControl(const std::string& type, const Attributes&... attributes)
    {
        SetTransportAttribute("CongestionControl",
                              PointerValue(MakeComponent<CongestionControl>(type, attributes...)));
    }

    /// \param type such as "SelectiveRepeatLossRecovery"
    template <typename... Attributes>
    void SetLossRecovery(const std::string& type, const Attributes&... attributes)
    {
        SetTransportAttribute("LossRecovery",
                              PointerValue(MakeComponent<LossRecovery>(type, attributes...)));
    }

    /// \param type spreads messages over paths at hosts, such as "SprayPathSelector"
    template <typename... Attributes>
    void SetPathSelector(const std::string& type, const Attributes&... attributes)
    {
        m_path = MakeComponent<PathSelector>(type, attributes...);
    }

    /// \param type chooses among ports at switches, such as "JsqPortSelector"
    template <typename... Attributes>
    void SetPortSelector(const std::string& type, const Attributes&... attributes)
    {
        m_port = MakeComponent<PortSelector>(type, attributes...);
    }

    /// \return the settings, with defaults for all unset ones
    RunSettings MakeSettings() const;

    /**
     * Creates an engine for programs that post messages directly; for workloads use
     * RailsApplicationHelper.
     * \param wiring of the cluster
     * \throws ConfigurationError when the settings do not fit the wiring
     */
    Ptr<Engine> Install(const std::shared_ptr<Wiring>& wiring) const;

    /// \return the servers of a cluster as ns-3 nodes, whose devices are the NICs
    static NodeContainer GetServers(const FrameEngine& cluster);

  private:
    /// What leaves and reaches a NIC, as RoCEv2; nothing of other devices.
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
    /// A line for each frame that leaves (-) or reaches (r) a NIC, with the time of its node.
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> device,
                             bool explicitFilename) override;

    Ptr<EngineChoice> m_engine;
    Ptr<Transport> m_transport{CreateObject<Transport>()};
    Ptr<NicProfile> m_nic{CreateObject<NicProfile>()};
    Ptr<SwitchProfile> m_profile{CreateObject<SwitchProfile>()};
    Ptr<PathSelector> m_path;
    Ptr<const PortSelector> m_port;
};

} // namespace ns3::rails

#endif // RDMA_HOST_HELPER_H
