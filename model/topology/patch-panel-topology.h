// SPDX-License-Identifier: GPL-2.0-only
#ifndef PATCH_PANEL_TOPOLOGY_H
#define PATCH_PANEL_TOPOLOGY_H

#include "fabric-topology.h"

#include "ns3/value-list.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * A patch panel for all NICs: circuits join NICs in pairs, laid once for a job, and servers forward
 * messages of others. Every server is a relay of the wiring with its NICs attached by links without
 * delay, and a circuit is a link between two relays. So a server's messages take any of its
 * circuits, and forwarded messages take only circuits. (TopoOpt, arXiv 2202.00433, as compared with
 * in MixNet, arXiv 2501.03905, section 7.1)
 */
class PatchPanelTopology : public FabricTopology
{
  public:
    static TypeId GetTypeId();

    ClusterShape GetShape() const override;
    void CheckFor(const ClusterShape& shape) const override;
    void LayIn(FabricSite& site) const override;
    CableKind MakeNicKind() const override;

  private:
    /// Parallel circuits between two servers.
    struct Circuits
    {
        uint32_t lower; //!< number of a server
        uint32_t upper; //!< number of the other server, larger than `lower`
        uint32_t count;
    };

    /// \return number of consecutive servers in a circle of a stride: all servers, unless `spans`
    /// sets fewer
    uint32_t GetSpan(const ClusterShape& shape, std::size_t stride) const;

    void CheckRegions(const ClusterShape& shape) const;
    void CheckStrides(const ClusterShape& shape) const;
    static void CheckConnected(const ClusterShape& shape, const std::vector<Circuits>& circuits);
    std::vector<Circuits> MakeCircuits(const ClusterShape& shape) const;

    uint32_t m_region{0};
    uint32_t m_regionNics{0};
    CountList m_strides;
    CountList m_spans;
};

} // namespace ns3::rails

#endif // PATCH_PANEL_TOPOLOGY_H
