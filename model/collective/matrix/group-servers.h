// SPDX-License-Identifier: GPL-2.0-only
#ifndef GROUP_SERVERS_H
#define GROUP_SERVERS_H

#include "ns3/cluster-shape.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * The servers that the members of a group are on, and who takes copies for others: what a member
 * has for another server goes to the member there with its own place among those of its server, so
 * that it stays on one rail.
 */
class GroupServers
{
  public:
    /**
     * \param shape the cluster
     * \param members GPUs of a group
     */
    GroupServers(const ClusterShape& shape, const std::vector<uint32_t>& members);

    /// \return how many servers there are
    uint32_t GetCount() const;

    /// \return number of a member's server, from 0 in the order of the members
    uint32_t GetServer(uint32_t member) const;

    /// \return who takes on a server what a member has for it
    uint32_t GetRelay(uint32_t member, uint32_t server) const;

    /// \return members of other servers for which a member takes what they have for its server
    const std::vector<uint32_t>& GetServed(uint32_t relay) const;

  private:
    std::vector<uint32_t> m_servers;              //!< by member
    std::vector<uint32_t> m_places;               //!< by member, on its server
    std::vector<std::vector<uint32_t>> m_members; //!< by server
    std::vector<std::vector<uint32_t>> m_served;  //!< by relay
};

} // namespace ns3::rails

#endif // GROUP_SERVERS_H
