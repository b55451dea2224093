// SPDX-License-Identifier: GPL-2.0-only
#ifndef CABLE_REACH_H
#define CABLE_REACH_H

#include "rails-wiring.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::rails
{

/**
 * Reachability of NICs over working links, up and then down or from relay to relay, independent of
 * routing. It keeps its own link states, so that callers can test states that the wiring is not in.
 */
class CableReach
{
  public:
    /// \param wiring the fabric; all its links work until SetUp()
    explicit CableReach(const Wiring& wiring);

    /// Sets the state of a link.
    void SetUp(uint32_t cable, bool up);

    /// \return true when the link works
    bool IsUp(uint32_t cable) const;

    /// \return true when working links lead from a NIC to another
    bool HasPath(uint32_t fromNic, uint32_t toNic) const;

  private:
    const std::vector<bool>& FindAbove(uint32_t edge) const;

    const Wiring& m_wiring;
    std::vector<bool> m_isUp;
    mutable std::map<uint32_t, std::vector<bool>> m_above; // by edge switch: switches above it
};

} // namespace ns3::rails

#endif // CABLE_REACH_H
