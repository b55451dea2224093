// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_TOPOLOGY_H
#define CLUSTER_TOPOLOGY_H

#include "fabric-builder.h"

#include "ns3/data-rate.h"
#include "ns3/ecmp-port-selector.h"
#include "ns3/flow-path-selector.h"
#include "ns3/gpu-cluster.h"
#include "ns3/object.h"
#include "ns3/path-selector.h"
#include "ns3/rails-switch.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <string>

namespace ns3::rails
{

/// What a scheme or a bound has to know of a topology.
struct TopologyTraits
{
    uint64_t nicRateBps{0};
    uint64_t nvlinkRateBps{0};
    TimePs nvlinkLatency{0};
    TimePs linkDelay{0};
    uint32_t shortestLinks{2};  //!< cables between two NICs of different servers, at the least
    uint32_t longestLinks{2};   //!< the same between the two that are farthest from each other
    bool connectsRails{false};  //!< whether the fabric leads from one rail to another
    bool forksInRail{false};    //!< whether several shortest ways lead from one NIC to another
                                //!< within a rail
    bool forksAcross{false};    //!< the same from rail to rail
    double oversubscription{1}; //!< largest ratio of rates below and above a switch
    FabricTraits fabric;        //!< what a port selector has to know
};

/**
 * How servers and switches are wired: the `topology` component. Set the attributes, then Build().
 */
class Topology : public Object
{
  public:
    static TypeId GetTypeId();

    virtual ClusterShape GetShape() const = 0;
    TopologyTraits GetTraits() const;

    /// \throws ConfigurationError when the attributes contradict each other
    void Check() const;

    /**
     * Makes the nodes and wires them.
     * \param profile what all switches share
     * \param transport what all queue pairs share
     * \param nic what all NICs share
     * \param path prototype of the queue pairs' path selectors
     * \param selector prototype of the switches' port selectors
     * \throws ConfigurationError when the parts do not fit each other, with a path from the top of
     * the descriptor
     */
    Ptr<GpuCluster> Build(
        Ptr<const SwitchProfile> profile,
        Ptr<const Transport> transport,
        Ptr<const NicProfile> nic,
        Ptr<PathSelector> path = CreateObject<FlowPathSelector>(),
        Ptr<const PortSelector> selector = CreateObject<EcmpPortSelector>()) const;

  protected:
    /// Adds to the traits what depends on the kind of topology.
    virtual void DescribeFabric(TopologyTraits& traits) const = 0;

    /// \throws ConfigurationError when the attributes of the kind contradict each other
    virtual void CheckFabric() const = 0;

    /// Adds the switches, attaches all NICs, and joins the switches.
    virtual void Wire(FabricBuilder& builder) const = 0;

    uint64_t GetNicRateBps() const;

  private:
    DataRate m_nicRate;
    Time m_linkDelay;
    DataRate m_nvlinkRate;
    Time m_nvlinkLatency;
    ByteSize m_nvlinkSegment;
    double m_linkLoss{0};
    std::string m_routes;
};

} // namespace ns3::rails

#endif // CLUSTER_TOPOLOGY_H
