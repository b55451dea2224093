// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_CUTS_H
#define SERVER_CUTS_H

#include "bound-speeds.h"

#include "ns3/cluster-shape.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * How fast bytes leave GPUs of a server, or reach them, at best: by the largest flow from these to
 * the other GPUs of the server, and to the network by any NIC. A link inside a server carries
 * payload alone, a NIC at best full frames.
 *
 * Besides single GPUs there are groups where a server has PCIe: the GPUs that share one of its
 * links, those that NVLink joins, and all of the server.
 */
class ServerCuts
{
  public:
    /// Payload in bit/s times the bytes of a full frame.
    using Rate = boost::multiprecision::uint128_t;

    /**
     * \param shape the cluster
     * \param speeds its servers and NICs
     */
    ServerCuts(const ClusterShape& shape, const ClusterSpeeds& speeds);

    /// \return what leaves a GPU (sends), or reaches it, at best
    const Rate& GetGpuRate(uint32_t gpu, bool sends) const;

    /// \return groups of GPUs, of all servers together
    std::size_t CountGroups() const;

    /// \return the server that a group is in
    uint32_t GetServer(std::size_t group) const;

    /// \return what leaves a group (sends), or reaches it, at best; 0 where nothing but the NICs of
    /// the server holds it back
    const Rate& GetGroupRate(std::size_t group, bool sends) const;

    /// Calls a function for each group that what one GPU has for another leaves or reaches: with
    /// its number, and whether it leaves.
    template <typename Function>
    void VisitGroups(uint32_t source, uint32_t destination, Function function) const
    {
        const std::size_t from = m_shape.GetServer(source);
        const std::size_t to = m_shape.GetServer(destination);
        for (std::size_t i = 0; i < m_groups.size(); ++i)
        {
            const bool hasSource = m_groups[i][m_shape.GetLocal(source)];
            const bool hasDestination = m_groups[i][m_shape.GetLocal(destination)];
            if (hasSource && (from != to || !hasDestination))
            {
                function(from * m_groups.size() + i, true);
            }
            if (hasDestination && (from != to || !hasSource))
            {
                function(to * m_groups.size() + i, false);
            }
        }
    }

  private:
    ClusterShape m_shape;
    std::vector<std::vector<bool>> m_groups; //!< of each, whether a GPU of a server is in it
    std::vector<std::vector<Rate>> m_rates;  //!< by kind: into and out of each GPU, each group
    std::vector<std::size_t> m_kinds;        //!< by server; NICs of a kind have the same rates
};

} // namespace ns3::rails

#endif // SERVER_CUTS_H
