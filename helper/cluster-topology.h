// SPDX-License-Identifier: GPL-2.0-only
#ifndef CLUSTER_TOPOLOGY_H
#define CLUSTER_TOPOLOGY_H

#include "ns3/cluster-shape.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::rails
{

/**
 * How servers and switches are wired: the `topology` component. Set the attributes, then Lay().
 */
class Topology : public Object
{
  public:
    static TypeId GetTypeId();

    virtual ClusterShape GetShape() const = 0;

    /// \throws ConfigurationError when the attributes contradict each other
    void Check() const;

    /**
     * Lays servers, switches and cables.
     * \throws ConfigurationError when the attributes contradict each other, with a path from the
     * top of the descriptor when they name what does not exist
     */
    std::shared_ptr<Wiring> Lay() const;

  protected:
    /// \throws ConfigurationError when the attributes of the kind contradict each other
    virtual void CheckFabric() const = 0;

    /// Adds the switches, attaches all NICs, and joins the switches.
    virtual void LayFabric(Wiring& wiring) const = 0;

    /// \return cables between switches, of this topology's delay and loss
    CableKind MakeKind(const std::string& lowerClass,
                       const std::string& upperClass,
                       uint64_t rateBps,
                       uint32_t cost = 1) const;

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
