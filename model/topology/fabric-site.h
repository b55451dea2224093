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

/// The part of a wiring in which one fabric is laid: which NICs of every server it joins, and what
/// the names of its switches begin with.
class FabricSite
{
  public:
    /**
     * \param wiring the cluster
     * \param rails those that the fabric joins
     * \param nic what attaches NICs to switches
     * \param prefix what the names of its switches begin with
     */
    FabricSite(Wiring& wiring, std::vector<uint32_t> rails, CableKind nic, std::string prefix)
        : m_wiring(wiring),
          m_rails(std::move(rails)),
          m_nic(std::move(nic)),
          m_prefix(std::move(prefix))
    {
    }

    /// \return the cluster as this fabric sees it: with the NICs that it joins
    ClusterShape GetShape() const
    {
        const ClusterShape& shape = m_wiring.GetShape();
        return {shape.servers, shape.gpusPerServer, static_cast<uint32_t>(m_rails.size())};
    }

    /**
     * Adds a switch. In a fabric those with NICs come first.
     * \param name its name in messages and descriptors, without the prefix
     * \return its number
     */
    uint32_t AddSwitch(const std::string& name)
    {
        return m_wiring.AddSwitch(m_prefix + name);
    }

    /**
     * Attaches a NIC to a switch.
     * \param nic its number in GetShape()
     * \param edge number of the switch
     * \param region the part of the fabric (pod) that the switch belongs to
     */
    void Attach(uint32_t nic, uint32_t edge, uint32_t region)
    {
        const ClusterShape& shape = m_wiring.GetShape();
        const auto nics = static_cast<uint32_t>(m_rails.size());
        m_wiring.Attach(shape.GetNic(nic / nics, m_rails[nic % nics]), edge, region, m_nic);
    }

    /// Makes a switch an optical one, see Wiring::MakeOptical().
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
