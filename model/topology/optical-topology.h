// SPDX-License-Identifier: GPL-2.0-only
#ifndef OPTICAL_TOPOLOGY_H
#define OPTICAL_TOPOLOGY_H

#include "fabric-topology.h"

#include <cstdint>
#include <string>

namespace ns3::rails
{

/**
 * Optical circuit switches: servers that follow each other are a region, whose NICs are attached to
 * a switch that joins them by circuits and by nothing else. A circuit is a cable with the usual
 * delay. (MixNet, arXiv 2501.03905, section 4.2)
 */
class OpticalTopology : public FabricTopology
{
  public:
    static TypeId GetTypeId();

    ClusterShape GetShape() const override;
    void CheckFor(const ClusterShape& shape) const override;
    void LayIn(FabricSite& site) const override;
    CableKind MakeNicKind() const override;

  protected:
    void CheckFabric() const override;

  private:
    void LayRegion(FabricSite& site,
                   const std::string& name,
                   uint32_t region,
                   uint32_t first,
                   uint32_t servers) const;

    uint32_t m_region{0};
    uint32_t m_spares{0};
};

} // namespace ns3::rails

#endif // OPTICAL_TOPOLOGY_H
