// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_SITE_H
#define FABRIC_SITE_H

#include "ns3/cluster-shape.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// The part of a wiring for one fabric: its NICs of every server, and the prefix of the names of
/// its switches.
class FabricSite
{
  public:
    /**
     * \param wiring the cluster
     * \param rails of the fabric
     * \param nic kind of the links between NICs and switches
     * \param prefix of the names of its switches
     */
    FabricSite(Wiring& wiring, std::vector<uint32_t> rails, CableKind nic, std::string prefix)
        : m_wiring(wiring),
          m_rails(std::move(rails)),
          m_nic(std::move(nic)),
          m_prefix(std::move(prefix))
    {
    }

    /// \return the cluster with only the NICs of the fabric
    ClusterShape GetShape() const
    {
        const ClusterShape& shape = m_wiring.GetShape();
        return {shape.servers, shape.gpusPerServer, static_cast<uint32_t>(m_rails.size())};
    }

    /**
     * Adds a switch. Switches with NICs must come first in a fabric.
     * \param name in messages and descriptors, without the prefix
     * \return number of the switch
     */
    uint32_t AddSwitch(const std::string& name)
    {
        return m_wiring.AddSwitch(m_prefix + name);
    }

    /**
     * Attaches a NIC to a switch.
     * \param nic number of the NIC in GetShape()
     * \param edge number of the switch
     * \param region the part of the fabric (pod) of the switch
     */
    void Attach(uint32_t nic, uint32_t edge, uint32_t region)
    {
        const ClusterShape& shape = m_wiring.GetShape();
        const auto nics = static_cast<uint32_t>(m_rails.size());
        m_wiring.Attach(shape.GetNic(nic / nics, m_rails[nic % nics]), edge, region, m_nic);
    }

    /// Makes a switch optical, see Wiring::MakeOptical().
    void MakeOptical(uint32_t at)
    {
        m_wiring.MakeOptical(at);
    }

    /// Makes a switch a relay, see Wiring::MakeRelay().
    void MakeRelay(uint32_t at)
    {
        m_wiring.MakeRelay(at);
    }

    /// Joins two switches, see Wiring::Join().
    void Join(uint32_t lower, uint32_t upper, const CableKind& kind, uint32_t parallel = 1)
    {
        m_wiring.Join(lower, upper, kind, parallel);
    }

  private:
    Wiring& m_wiring;
    std::vector<uint32_t> m_rails;
    CableKind m_nic;
    std::string m_prefix;
};

} // namespace ns3::rails

#endif // FABRIC_SITE_H
