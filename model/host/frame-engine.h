// SPDX-License-Identifier: GPL-2.0-only
#ifndef FRAME_ENGINE_H
#define FRAME_ENGINE_H

#include "frame-settings.h"
#include "gpu-server.h"

#include "ns3/optical-switch.h"
#include "ns3/rails-engine.h"
#include "ns3/rails-frame.h"
#include "ns3/rails-router.h"
#include "ns3/rails-switch.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Packet-level engine: moves messages frame by frame between servers and switches. It is made from
 * a wiring and its router, and follows their changes.
 */
class FrameEngine : public Engine,
                    public TimeoutClient,
                    public WiringListener,
                    public RouterListener
{
  public:
    static TypeId GetTypeId();

    /**
     * Makes the nodes and joins them.
     * \param wiring the cluster
     * \param router its routing
     * \param settings of its servers and switches
     * \throws ConfigurationError when the settings do not fit the wiring, with a path from the top
     * of the descriptor
     */
    FrameEngine(std::shared_ptr<Wiring> wiring,
                std::shared_ptr<Router> router,
                const FrameSettings& settings);
    ~FrameEngine() override;

    /// \return the wiring of the engine
    Wiring& GetWiring() const;
    /// \return the router of the engine
    Router& GetRouter() const;

    void BeforeChange() override;
    void OnCableUp(uint32_t cable, const CutRules& rules) override;
    void OnCableRate(uint32_t cable) override;
    void OnCircuit(uint32_t nic, const CutRules& rules) override;
    void OnConverged() override;

    /**
     * \param server number of a server
     * \param rail NIC of that server
     * \return the switch of the NIC, which must not be optical
     */
    Switch& GetEdge(uint32_t server, uint32_t rail) const;

    /**
     * Fixes the random streams of switches and links.
     * \param stream first stream to use
     * \return the number of streams used
     */
    int64_t AssignStreams(int64_t stream) override;

    /// Brings all nodes up to this instant; to be called before they are read.
    void CatchUp() override;
    /// Brings all nodes up to the end of a run, including this instant.
    void Finish() override;

    void SetClient(uint32_t server, MessageClient* client) override;
    TimePs GetClock(uint32_t server) const override;
    void SetAlarm(uint32_t server, TimePs at) override;

    TimePs GetLookahead() const override
    {
        return m_lateness;
    }

    void Post(Message& message) override;
    void CatchUpThroughNow() override;
    uint64_t GetUnsentBytes(uint32_t server, uint32_t rail) const override;
    uint64_t GetSentBytes(uint32_t nic) const override;
    void Abandon(Message& message) override;

    void OnTimeout(RdmaNic& nic, SendQueue& queue) override;

    /// \param callback returns true when two NICs, by number, are permanently cut off
    void SetCutOffCallback(std::function<bool(uint32_t, uint32_t)> callback) override;

    /// \param time longest time of an ACK over paths without queues
    void SetReplyTime(TimePs time);

    /// Makes all nodes run without lag; simulated results do not change.
    void SetPunctual() override;

    /// \return time of the last arrival of payload at any server or over NVLink; 0 before the first
    TimePs GetLastArrival() const override;

    const GpuServer::Configuration& GetConfiguration() const
    {
        return m_configuration;
    }

    const std::vector<Ptr<GpuServer>>& GetServers() const;
    /// \return the switches that are not optical
    const std::vector<Ptr<Switch>>& GetSwitches() const;
    const std::vector<Ptr<OpticalSwitch>>& GetOpticalSwitches() const;
    /// \return the name of a node in messages: "server3" or a switch's name
    std::string GetNodeName(uint32_t node) const;
    /// \return true for a port of a NIC, false for a port of a switch
    bool IsNicPort(const Port& port) const;
    /// \return the name of a port's owner in messages: "server3-nic2" or a switch's name
    std::string GetEndName(const Port& port) const;
    /// \return all ports, by node and number
    const std::vector<Ptr<Port>>& GetPorts() const;
    /// \return payload bytes that have reached the memory of their destination GPU's NIC
    uint64_t GetReceivedBytes() const;
    /// \return frames queued or in flight
    uint64_t GetFramesInUse() const;

  private:
    void DoDispose() override;
    void AddSwitches();
    void AddCables();
    Port& AddSwitchPort(uint32_t at, const std::string& portClass, const CableKind& kind);
    RdmaNic& GetNic(uint32_t number) const;
    const std::vector<Ptr<Port>>& GetPortsOf(uint32_t at) const;
    Port& GetLowerPort(const Cable& cable) const;
    void SetNicRate(uint32_t nic);
    void CutOrMend(Port& port, bool isUp, const CutRules& rules);
    uint32_t GetNodeIndex(uint32_t node) const;
    void Join(Port& a, Port& b, const CableKind& kind);

    std::shared_ptr<Wiring> m_wiring;
    std::shared_ptr<Router> m_router;
    FrameSettings m_settings;
    GpuServer::Configuration m_configuration;
    FramePool m_pool;
    std::vector<Ptr<GpuServer>> m_servers;
    std::vector<Ptr<Switch>> m_switches;
    std::vector<Ptr<OpticalSwitch>> m_opticalSwitches;
    std::vector<uint32_t> m_places;         // by switch: index in m_switches or m_opticalSwitches
    std::vector<uint32_t> m_regions;        // by number of the edge switch
    mutable std::vector<Ptr<Port>> m_ports; // filled on first use
    std::map<const Port*, double> m_losses; // loss probabilities above 0
    TimePs m_lateness{0};                   // largest lag of a node behind the simulator's time
    TimePs m_replyTime{0};
    std::function<bool(uint32_t, uint32_t)> m_isCutOff;
};

} // namespace ns3::rails

#endif // FRAME_ENGINE_H
