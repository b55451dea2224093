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
 * Best rate at which bytes can leave GPUs of a server, or reach them: the maximum flow from these
 * GPUs to the other GPUs of the server, and to the network by any NIC. A link inside a server
 * carries payload only, a NIC at best full frames.
 *
 * Besides single GPUs, servers with PCIe have groups: the GPUs that share a PCIe link, the GPUs
 * connected by NVLink, and all GPUs of the server.
 */
class ServerCuts
{
  public:
    /// Payload in bit/s times the bytes of a full frame.
    using Rate = boost::multiprecision::uint128_t;

    /**
     * \param shape the cluster
     * \param speeds rates of its servers and NICs
     */
    ServerCuts(const ClusterShape& shape, const ClusterSpeeds& speeds);

    /// \return best rate out of a GPU (sends) or into it
    const Rate& GetGpuRate(uint32_t gpu, bool sends) const;

    /// \return number of groups, over all servers
    std::size_t CountGroups() const;

    /// \return server of a group
    uint32_t GetServer(std::size_t group) const;

    /// \return best rate out of a group (sends) or into it; 0 if the server's NICs are the only
    ///     limit
    const Rate& GetGroupRate(std::size_t group, bool sends) const;

    /// Calls a function for each group that traffic between two GPUs leaves or enters, with the
    /// group's number and whether traffic leaves it.
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
    std::vector<std::vector<bool>> m_groups; //!< membership by group and local GPU
    std::vector<std::vector<Rate>> m_rates;  //!< by kind: into and out of each GPU, each group
    std::vector<std::size_t> m_kinds;        //!< by server; servers of a kind have equal NIC rates
};

} // namespace ns3::rails

#endif // SERVER_CUTS_H
