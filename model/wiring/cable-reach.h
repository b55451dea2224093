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
 * Which NICs are joined, up and then down or from relay to relay, by cables that work, whatever
 * the routing knows. It keeps a note of its own of which cables work, so that states can be tried
 * that the wiring is not in.
 */
class CableReach
{
  public:
    /// \param wiring the fabric; all of its cables work, until SetUp() says otherwise
    explicit CableReach(const Wiring& wiring);

    /// Notes that a cable works or does not.
    void SetUp(uint32_t cable, bool up);

    /// \return true when a cable is noted as working
    bool IsUp(uint32_t cable) const;

    /// \return true when cables that work lead from a NIC to another
    bool HasPath(uint32_t fromNic, uint32_t toNic) const;

  private:
    const std::vector<bool>& FindAbove(uint32_t edge) const;

    const Wiring& m_wiring;
    std::vector<bool> m_isUp;
    mutable std::map<uint32_t, std::vector<bool>> m_above; // of edge switches: what they reach
};

} // namespace ns3::rails

#endif // CABLE_REACH_H
