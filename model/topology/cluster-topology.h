// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_TOPOLOGY_H
#define CLUSTER_TOPOLOGY_H

#include "cable-override.h"
#include "intra-topology.h"
#include "server-preset.h"

#include "ns3/cluster-shape.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"
#include "ns3/server-layout.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Wiring of servers and switches: the `topology` component. Set the attributes, then Lay(). This
 * class describes the servers, which are all alike; derived classes describe the fabric.
 */
class Topology : public Object
{
  public:
    static TypeId GetTypeId();

    Topology();

    virtual ClusterShape GetShape() const = 0;

    /// \throws ConfigurationError when the attributes contradict each other
    void Check() const;

    /**
     * Lays servers, switches and links.
     * \throws ConfigurationError when the attributes contradict each other; with a path from the
     * top of the descriptor when they name a missing switch or NIC
     */
    std::shared_ptr<Wiring> Lay() const;

    /// \return for messages, why the rails are not connected, and the remedy
    virtual std::string DescribeRailsApart() const;

    /// Sets GPUs, NICs and links of the servers to those of a preset.
    void SetServer(ServerName name);

    ServerName GetServer() const
    {
        return m_server;
    }

  protected:
    /// \throws ConfigurationError when the attributes of the derived class contradict each other
    virtual void CheckFabric() const = 0;

    /// Adds the switches, attaches all NICs, and joins the switches.
    virtual void LayFabric(Wiring& wiring) const = 0;

    /// \return the rates of a server's NICs, by rail
    virtual std::vector<uint64_t> GetNicRates() const = 0;

    /// Sets the rate of the NICs of a preset.
    virtual void SetNicRate(DataRate rate) = 0;

    // For attributes of the derived classes, whose defaults differ.
    void SetServerCount(uint32_t servers);

    uint32_t GetServerCount() const
    {
        return m_servers;
    }

    void SetGpusPerServer(uint32_t gpus);

    uint32_t GetGpusPerServer() const
    {
        return m_gpusPerServer;
    }

    /// \return NICs of a server
    uint32_t GetNicsPerServer() const;

    /// \return true when the attributes of this class are equal to those of another topology
    bool DescribesServersAs(const Topology& other) const;

  private:
    ServerLayout MakeLayout() const;

    ServerName m_server{NO_SERVER};
    uint32_t m_servers{0};
    uint32_t m_gpusPerServer{0};
    uint32_t m_nicsPerServer{0};
    CountList m_affinity;
    DataRate m_nvlinkRate;
    Time m_nvlinkLatency;
    ByteSize m_nvlinkSegment;
    Ptr<IntraTopology> m_intra;
    Time m_nicLatency;
    Time m_switchLatency;
    std::string m_routes;
    std::vector<Ptr<CableOverride>> m_cables;
};

} // namespace ns3::rails

#endif // CLUSTER_TOPOLOGY_H
