// SPDX-License-Identifier: GPL-2.0-only
#ifndef NIC_GROUPS_TOPOLOGY_H
#define NIC_GROUPS_TOPOLOGY_H

#include "cluster-topology.h"
#include "fabric-topology.h"
#include "nic-group.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Servers with NICs in several fabrics, each with its own topology, rates and delays, and without
 * links between fabrics. Names of switches begin with the name of their fabric: "backend-leaf0".
 */
class NicGroupsTopology : public Topology
{
  public:
    static TypeId GetTypeId();

    NicGroupsTopology();

    ClusterShape GetShape() const override;
    std::string DescribeRailsApart() const override;

  protected:
    void CheckFabric() const override;
    void LayFabric(Wiring& wiring) const override;
    std::vector<uint64_t> GetNicRates() const override;
    void SetNicRate(DataRate rate) override;

  private:
    /// A fabric and its NICs.
    struct Part
    {
        std::string name;
        const FabricTopology* fabric{nullptr};
        std::vector<uint32_t> rails;
    };

    /// \return the fabrics by name, with the NICs of all their groups
    std::vector<Part> MakeParts() const;

    std::vector<std::pair<std::string, Ptr<Topology>>> m_fabrics;
    std::vector<Ptr<NicGroup>> m_groups;
    Ptr<Topology> m_usual; //!< default fabric
};

} // namespace ns3::rails

#endif // NIC_GROUPS_TOPOLOGY_H
