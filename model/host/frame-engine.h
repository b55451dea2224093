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
 * Servers and switches joined by cables: moves messages frame by frame. It is made from a wiring
 * and its routing, and follows what changes in them.
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
     * \param settings how its servers and switches work
     * \throws ConfigurationError when the settings do not fit the wiring, with a path from the top
     * of the descriptor
     */
    FrameEngine(std::shared_ptr<Wiring> wiring,
                std::shared_ptr<Router> router,
                const FrameSettings& settings);
    ~FrameEngine() override;

    /// \return what it was made from
    Wiring& GetWiring() const;
    /// \return its routing
    Router& GetRouter() const;

    void BeforeChange() override;
    void OnCableUp(uint32_t cable, const CutRules& rules) override;
    void OnCableRate(uint32_t cable) override;
    void OnCircuit(uint32_t nic, const CutRules& rules) override;
    void OnConverged() override;

    /**
     * \param server its number
     * \param rail NIC of that server
     * \return the switch that it is attached to, not an optical one
     */
    Switch& GetEdge(uint32_t server, uint32_t rail) const;

    /**
     * Fixes the random streams of switches and links.
     * \param stream first stream to use
     * \return how many streams were used
     */
    int64_t AssignStreams(int64_t stream) override;

    /// Brings all nodes up to this instant, before somebody looks at them.
    void CatchUp() override;
    /// The same at the end of a run, this instant included.
    void Finish() override;

    void SetClient(uint32_t server, MessageClient* client) override;
    TimePs GetClock(uint32_t server) const override;
    void SetAlarm(uint32_t server, TimePs at) override;
    TimePs GetLookahead() const override;
    void Post(Message& message) override;
    void CatchUpThroughNow() override;
    uint64_t GetUnsentBytes(uint32_t server, uint32_t rail) const override;
    uint64_t GetSentBytes(uint32_t nic) const override;
    void Abandon(Message& message) override;

    void OnTimeout(RdmaNic& nic, SendQueue& queue) override;

    /// \param callback tells whether two NICs, by their numbers, are cut off from each other for
    /// good
    void SetCutOffCallback(std::function<bool(uint32_t, uint32_t)> callback) override;

    /// \param time that an ACK takes at most over paths without queues
    void SetReplyTime(TimePs time);

    /// Makes every node do everything at its very time. Nothing that is simulated depends on that.
    void SetPunctual() override;

    /// \return when payload last came in somewhere, from a server or over NVLink; 0 before
    TimePs GetLastArrival() const override;

    const GpuServer::Configuration& GetConfiguration() const;
    const std::vector<Ptr<GpuServer>>& GetServers() const;
    /// \return those that are not optical
    const std::vector<Ptr<Switch>>& GetSwitches() const;
    const std::vector<Ptr<OpticalSwitch>>& GetOpticalSwitches() const;
    /// \return the name of a node in messages: "server3" or a switch's name
    std::string GetNodeName(uint32_t node) const;
    /// \return true when a port is a NIC's, false when it is a switch's
    bool IsNicPort(const Port& port) const;
    /// \return the name of a port's owner in messages: "server3-nic2" or a switch's name
    std::string GetEndName(const Port& port) const;
    /// \return all ports, by node and number
    const std::vector<Ptr<Port>>& GetPorts() const;
    /// \return payload bytes that have reached the memory of their destination GPU's NIC
    uint64_t GetReceivedBytes() const;
    /// \return frames that wait or travel: none when everything has arrived
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
    std::vector<uint32_t> m_places;         // by number of the switch: among its kind
    std::vector<uint32_t> m_regions;        // by number of the edge switch
    mutable std::vector<Ptr<Port>> m_ports; // filled on first use
    std::map<const Port*, double> m_losses; // probabilities, where there are some
    TimePs m_lateness{0}; // the most that a node may ever be behind the simulator's time
    TimePs m_replyTime{0};
    std::function<bool(uint32_t, uint32_t)> m_isCutOff;
};

} // namespace ns3::rails

#endif // FRAME_ENGINE_H
