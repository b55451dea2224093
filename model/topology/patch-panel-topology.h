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
 * A patch panel that all NICs lead to: circuits join them in pairs, laid once for a job, and
 * servers pass on what is for others. Every server is a relay of the wiring, which its own NICs
 * are attached to by cables without delay; a circuit is a cable between two relays. So a server's
 * messages take any of its circuits, and what it relays takes the circuits alone. (TopoOpt, arXiv
 * 2202.00433, as MixNet, arXiv 2501.03905, section 7.1, compares with it)
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
        uint32_t upper; //!< of another, a larger one
        uint32_t count;
    };

    /// A circle of servers that follow each other, for each stride: all of them, unless `spans`
    /// says less.
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
