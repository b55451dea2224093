// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_GROUPS_H
#define COLLECTIVE_GROUPS_H

#include "collective-schedule.h"

#include "ns3/cluster-rates.h"
#include "ns3/gpu-partition.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Groups that do the same collectives, each for itself: which NICs their members have.
class CollectiveGroups : public GpuPartition
{
  public:
    /**
     * \param groups at least one
     * \param rates what is known of the servers of the cluster
     */
    CollectiveGroups(GpuPartition groups, const ClusterRates& rates);

    /// \return what is known of its servers, or what is usual where nothing is
    const ClusterRates& GetRates() const
    {
        return m_rates;
    }

    /// \return the ways in which members are spread over servers and NICs, each of them once
    const std::vector<GroupSpread>& GetSpreads() const
    {
        return m_spreads;
    }

    /// \return which of these ways a GPU's group has
    std::size_t GetSpread(uint32_t gpu) const;

    /// \return whether no group is on several servers
    bool AreOnOneServer() const;

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
    ClusterRates m_rates;
    std::vector<GroupSpread> m_spreads;
    std::vector<std::size_t> m_spreadOf;        //!< by group
    std::vector<std::vector<uint16_t>> m_near;  //!< rails, by GPU of a server
    std::vector<std::vector<uint16_t>> m_rails; //!< different lists of them
    std::vector<std::size_t> m_railsOf;         //!< by GPU
};

} // namespace ns3::rails

#endif // COLLECTIVE_GROUPS_H
