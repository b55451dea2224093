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

/// A snapshot of the next hops of all switches, which stays the same when the router converges.
class NextHopTable
{
  public:
    /// Copies the present next hops of a router.
    void Read(const Router& router);

    /**
     * \param at number of a switch
     * \param edge number of an edge switch
     * \return the ports of the switch that lead to the edge switch; empty without a path. The
     * reference is valid until the next Read().
     */
    const NextHops& Get(uint32_t at, uint32_t edge) const
    {
        return m_groups[m_groupOf[std::size_t{at} * m_width + edge]];
    }

  private:
    uint32_t m_width{0};             // largest number of an edge switch + 1
    std::vector<uint32_t> m_groupOf; // by switch, then by edge switch
    std::vector<NextHops> m_groups;  // shared by destinations with equal next hops
};

} // namespace ns3::rails

#endif // NEXT_HOP_TABLE_H
