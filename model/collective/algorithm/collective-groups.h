// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_GROUPS_H
#define COLLECTIVE_GROUPS_H

#include "group-transfer.h"

#include "ns3/cluster-rates.h"
#include "ns3/cluster-shape.h"
#include "ns3/gpu-groups.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// GPUs of a cluster in groups that do the same collectives, each for itself: where their members
/// are, and which NICs these have.
class CollectiveGroups
{
  public:
    /**
     * \param shape the cluster
     * \param rates what is known of its servers
     * \param groups at least one, of equal size, none of which shares a GPU with another
     */
    CollectiveGroups(const ClusterShape& shape,
                     const ClusterRates& rates,
                     const std::vector<std::vector<uint32_t>>& groups);

    /// The same for groups of a grouping. \param rates what is known of its servers
    CollectiveGroups(const GpuGroups& groups, const ClusterRates& rates);

    /// \return the cluster
    const ClusterShape& GetShape() const;

    /// \return what is known of its servers, or what is usual where nothing is
    const ClusterRates& GetRates() const;

    /// \return all groups, each with its members in their order
    const std::vector<std::vector<uint32_t>>& GetGroups() const;

    /// \return GPUs of a group
    uint32_t GetSize() const;

    /// \return the members of a GPU's group, in their order
    const std::vector<uint32_t>& GetMembers(uint32_t gpu) const;

    /// \return which of the groups a GPU's is
    uint32_t GetNumber(uint32_t gpu) const;

    /// \return which of its group's members a GPU is
    uint32_t GetPlace(uint32_t gpu) const;

    /// \return the ways in which members are spread over servers and NICs, each of them once
    const std::vector<GroupSpread>& GetSpreads() const;

    /// \return which of these ways a GPU's group has
    std::size_t GetSpread(uint32_t gpu) const;

    /// \return whether no group is on several servers
    bool AreOnOneServer() const;

    /// \return members of each server, if they are as many on all, in all groups; otherwise 0
    uint32_t CountPerServer() const;

    /**
     * \return rails of the NICs near the GPUs of a GPU's group on its server, ascending; of packet
     * switches where there are others
     */
    const std::vector<uint16_t>& GetRails(uint32_t gpu) const;

    /// \return the same of the GPU alone
    const std::vector<uint16_t>& GetOwnRails(uint32_t gpu) const;

    /// \return whether there are such NICs for every group on each of its servers
    bool HaveRails() const;

    /// \return how many of these a group has on a server at most; at least 1
    uint32_t CountRails() const;

    /// \return how many of these a GPU has by itself at most; at least 1
    uint32_t CountOwnRails() const;

  private:
    ClusterShape m_shape;
    ClusterRates m_rates;
    std::vector<std::vector<uint32_t>> m_groups;
    std::vector<uint32_t> m_numbers; //!< of its group, by GPU
    std::vector<uint32_t> m_places;  //!< in its group, by GPU
    std::vector<GroupSpread> m_spreads;
    std::vector<std::size_t> m_spreadOf;        //!< by group
    std::vector<std::vector<uint16_t>> m_near;  //!< rails, by GPU of a server
    std::vector<std::vector<uint16_t>> m_rails; //!< different lists of them
    std::vector<std::size_t> m_railsOf;         //!< by GPU
};

} // namespace ns3::rails

#endif // COLLECTIVE_GROUPS_H
