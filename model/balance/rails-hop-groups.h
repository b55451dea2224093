// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_HOP_GROUPS_H
#define RAILS_HOP_GROUPS_H

#include "ns3/port-selector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * Numbers the destinations of a switch by the set of ports that lead to them: destinations behind
 * the same ports are a group, whatever the weights. Groups are made as they are met, and a set of
 * ports keeps its number.
 */
class HopGroups
{
  public:
    /**
     * \param edge edge switch that a frame goes to
     * \param hops the ports that lead there
     * \return number of the group, counted from 0
     */
    uint32_t Find(uint32_t edge, const NextHops& hops)
    {
        return edge < m_groupOfEdge.size() && m_groupOfEdge[edge] != kUnknown ? m_groupOfEdge[edge]
                                                                              : Meet(edge, hops);
    }

    /// The ports that lead to any edge switch may have changed.
    void OnRoutesChanged();

  private:
    static constexpr uint32_t kUnknown = std::numeric_limits<uint32_t>::max();

    uint32_t Meet(uint32_t edge, const NextHops& hops);

    std::vector<uint32_t> m_groupOfEdge;
    std::vector<std::vector<uint16_t>> m_groups; // their ports
};

} // namespace ns3::rails

#endif // RAILS_HOP_GROUPS_H
