// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_CLUSTER_H
#define GPU_CLUSTER_H

#include "gpu-server.h"

#include "ns3/message-service.h"
#include "ns3/rails-frame.h"
#include "ns3/rails-router.h"
#include "ns3/rails-switch.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Servers and switches joined by cables: moves messages frame by frame. Topologies build it.
 */
class GpuCluster : public MessageService, public ServerClient
{
  public:
    static TypeId GetTypeId();

    /// Makes the servers, not yet attached to anything.
    explicit GpuCluster(const GpuServer::Configuration& configuration);
    ~GpuCluster() override;

    /**
     * Adds a switch.
     * \param name its name in messages
     * \param profile what all switches share
     * \param selector prototype of its port selector
     */
    Switch& AddSwitch(const std::string& name,
                      Ptr<const SwitchProfile> profile,
                      Ptr<const PortSelector> selector);

    /**
     * Attaches a NIC to a switch, by a new port of class "leaf_down"; the NIC obeys pauses as fast
     * as the switch does.
     * \param domain server
     * \param rail NIC of that server
     * \param edge the switch
     * \param region the part of the fabric (pod) that the switch belongs to
     * \param delay propagation delay
     */
    void Attach(uint32_t domain, uint32_t rail, Switch& edge, uint32_t region, TimePs delay);

    /**
     * Joins two switches.
     * \param lower the switch nearer to the hosts
     * \param lowerClass class of its new port
     * \param upper the other
     * \param upperClass class of its new port
     * \param cost what the cable counts on a path, at least 1
     * \return numbers of the new ports, lower first
     */
    std::pair<uint16_t, uint16_t> Join(Switch& lower,
                                       const std::string& lowerClass,
                                       Switch& upper,
                                       const std::string& upperClass,
                                       uint64_t rateBps,
                                       TimePs delay,
                                       uint32_t cost = 1);

    /// \return finds next hops: Converge() when all cables are there
    Router& GetRouter();

    /**
     * Cuts a cable or mends it, both directions, after bringing both nodes up to this instant. The
     * routing does not hear of it before Converge().
     * \param port port at one end
     * \param up whether frames get through
     * \param losesFlying when cut, whether what is on its way is lost too
     */
    void SetCableUp(Port& port, bool up, bool losesFlying);

    /// Brings all nodes up to this instant; then everybody hears which cables work.
    void Converge();

    /// A cable between switches, by the ports at its ends.
    struct SwitchCable
    {
        Switch* lower;
        Switch* upper;
        Ptr<Port> lowerPort;
        Ptr<Port> upperPort;
    };

    /// \return the cables between switches, in the order in which they were laid
    const std::vector<SwitchCable>& GetSwitchCables() const;

    /**
     * \param domain server
     * \param rail NIC of that server
     * \return the switch that it is attached to
     */
    Switch& GetEdge(uint32_t domain, uint32_t rail) const;

    /**
     * Fixes the random streams of switches and links.
     * \param stream first stream to use
     * \return how many streams were used
     */
    int64_t AssignStreams(int64_t stream);

    /// Loses frames at random on all links, with streams from AssignStreams().
    void SetLinkLoss(double probability);

    /// Brings all nodes up to this instant, before somebody looks at them.
    void CatchUp();
    /// The same at the end of a run, this instant included.
    void Finish();

    void Post(Message& message) override;
    void CatchUpThroughNow() override;
    uint64_t GetUnsentBytes(uint32_t domain, uint32_t rail) const override;
    uint32_t GetSubflows() const override;
    bool Reaches(uint32_t from, uint32_t txRail, uint32_t to, uint32_t rxRail) const override;
    bool IsImpaired() const override;
    void Abandon(Message& message) override;

    void OnDelivered(Message& message) override;
    void OnAcknowledged(Message& message) override;
    void OnSent(Message& message) override;
    void OnTimeout(RdmaNic& nic, SendQueue& queue) override;

    /// \param callback tells whether a NIC and the one of a number are cut off from each other for
    /// good
    void SetCutOffCallback(std::function<bool(const RdmaNic&, uint32_t)> callback);

    /// \param time that an ACK takes at most over paths without queues
    void SetReplyTime(TimePs time);

    /// Makes every node do everything at its very time. Nothing that is simulated depends on that.
    void SetPunctual();

    /// \return when payload last came in somewhere, from a server or over NVLink; 0 before
    TimePs GetLastArrival() const;

    const GpuServer::Configuration& GetConfiguration() const;
    const std::vector<Ptr<GpuServer>>& GetServers() const;
    const std::vector<Ptr<Switch>>& GetSwitches() const;
    /// \return the name of a node in messages: "server3" or a switch's name
    std::string GetNodeName(uint32_t node) const;
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
    void Cable(Port& a, Port& b, TimePs delay);

    GpuServer::Configuration m_configuration;
    FramePool m_pool;
    std::vector<Ptr<GpuServer>> m_servers;
    std::vector<Ptr<Switch>> m_switches;
    std::vector<SwitchCable> m_switchCables;
    std::vector<Switch*> m_edges;  // by number of the NIC
    std::vector<bool> m_knownDown; // by number of the NIC, as of the last convergence
    bool m_isImpaired{false};      // some cable was cut once
    Router m_router;
    mutable std::vector<Ptr<Port>> m_ports; // filled on first use
    double m_linkLoss{0};
    TimePs m_lateness{0}; // the most that a node may ever be behind the simulator's time
    TimePs m_replyTime{0};
    std::function<bool(const RdmaNic&, uint32_t)> m_isCutOff;
};

} // namespace ns3::rails

#endif // GPU_CLUSTER_H
