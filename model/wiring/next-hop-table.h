// SPDX-License-Identifier: GPL-2.0-only
#ifndef NEXT_HOP_TABLE_H
#define NEXT_HOP_TABLE_H

#include "next-hops.h"
#include "rails-router.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// The next hops of all switches as the router had them at one moment: whoever follows paths stays
/// with them until they are read anew, whatever the router does meanwhile.
class NextHopTable
{
  public:
    /// \param router its present next hops are read
    void Read(const Router& router);

    /**
     * \param at number of a switch
     * \param edge number of an edge switch
     * \return the ports of the switch that lead to the edge switch; empty when none does. They stay
     * in place until the next Read().
     */
    const NextHops& Get(uint32_t at, uint32_t edge) const
    {
        return m_groups[m_groupOf[std::size_t{at} * m_width + edge]];
    }

  private:
    uint32_t m_width{0};             // numbers of edge switches are below it
    std::vector<uint32_t> m_groupOf; // by switch, then by edge switch
    std::vector<NextHops> m_groups;  // destinations behind the same ports share one
};

} // namespace ns3::rails

#endif // NEXT_HOP_TABLE_H
