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
 * How servers and switches are wired: the `topology` component. Set the attributes, then Lay().
 * What is declared here describes the servers, which are all alike.
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
     * Lays servers, switches and cables.
     * \throws ConfigurationError when the attributes contradict each other, with a path from the
     * top of the descriptor when they name what does not exist
     */
    std::shared_ptr<Wiring> Lay() const;

    /// \return what keeps its rails apart, when something does, and the remedy, for messages
    virtual std::string DescribeRailsApart() const;

    /// Sets all that describes the servers to what a server has that can be bought.
    void SetServer(ServerName name);
    ServerName GetServer() const;

  protected:
    /// \throws ConfigurationError when the attributes of the kind contradict each other
    virtual void CheckFabric() const = 0;

    /// Adds the switches, attaches all NICs, and joins the switches.
    virtual void LayFabric(Wiring& wiring) const = 0;

    /// \return the rates of a server's NICs, by rail
    virtual std::vector<uint64_t> GetNicRates() const = 0;

    /// Takes the rate of a NIC from a preset.
    virtual void SetNicRate(DataRate rate) = 0;

    // For the attributes of the kinds, whose defaults differ.
    void SetServerCount(uint32_t servers);
    uint32_t GetServerCount() const;
    void SetGpusPerServer(uint32_t gpus);
    uint32_t GetGpusPerServer() const;

    /// \return NICs of a server
    uint32_t GetNicsPerServer() const;

    /// \return true when all that is declared here is the same as in another topology
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
