// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_TOPOLOGY_H
#define CLUSTER_TOPOLOGY_H

#include "ns3/gpu-cluster.h"
#include "ns3/object.h"
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
    uint32_t shortestLinks{0};  //!< cables between two NICs of different servers, at the least
    bool connectsRails{false};  //!< whether the fabric leads from one rail to another
    double oversubscription{1}; //!< largest ratio of rates below and above a switch
};

/**
 * How servers and switches are wired: the `topology` component. Set the attributes, then Build().
 */
class Topology : public Object
{
  public:
    static TypeId GetTypeId();

    virtual ClusterShape GetShape() const = 0;
    virtual TopologyTraits GetTraits() const = 0;

    /// \throws ConfigurationError when the attributes contradict each other
    virtual void Check() const = 0;

    /**
     * Makes the nodes and wires them.
     * \param profile what all switches share
     * \param selector prototype of their port selectors
     * \param transport what all queue pairs share
     * \param nic what all NICs share
     * \throws ConfigurationError when the parts do not fit each other, with a path from the top of
     * the descriptor
     */
    virtual Ptr<GpuCluster> Build(Ptr<const SwitchProfile> profile,
                                  Ptr<const PortSelector> selector,
                                  Ptr<const Transport> transport,
                                  Ptr<const NicProfile> nic) const = 0;
};

} // namespace ns3::rails

#endif // CLUSTER_TOPOLOGY_H
