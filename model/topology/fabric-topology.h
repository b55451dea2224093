// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_TOPOLOGY_H
#define FABRIC_TOPOLOGY_H

#include "cluster-topology.h"
#include "fabric-site.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * A topology with one fabric, NICs of equal rate and links of equal delay. It can join all NICs of
 * the servers, or some of them beside other fabrics.
 */
class FabricTopology : public Topology
{
  public:
    static TypeId GetTypeId();

    /**
     * \param shape the cluster, with the NICs of the fabric
     * \throws ConfigurationError when the attributes contradict each other, or the shape
     */
    virtual void CheckFor(const ClusterShape& shape) const = 0;

    /// Adds the switches, attaches the NICs, and joins the switches.
    virtual void LayIn(FabricSite& site) const = 0;

    /// \return the kind of the link between a NIC and its switch
    virtual CableKind MakeNicKind() const;

    uint64_t GetNicRateBps() const;

    /**
     * Checks a fabric of some NICs of a larger cluster, whose topology describes the servers.
     * \param shape the cluster, with the NICs of the fabric
     * \throws ConfigurationError when a key that describes servers is set, or the fabric does not
     * fit the cluster
     */
    void CheckAsPart(const ClusterShape& shape) const;

  protected:
    void CheckFabric() const override;
    void LayFabric(Wiring& wiring) const override;
    std::vector<uint64_t> GetNicRates() const override;
    void SetNicRate(DataRate rate) override;

    /// \return a kind of links between switches, with this topology's delay and loss
    CableKind MakeKind(const std::string& lowerClass,
                       const std::string& upperClass,
                       uint64_t rateBps,
                       uint32_t cost = 1) const;

  private:
    void CheckNicRate() const;

    DataRate m_nicRate;
    Time m_linkDelay;
    double m_linkLoss{0};
};

} // namespace ns3::rails

#endif // FABRIC_TOPOLOGY_H
