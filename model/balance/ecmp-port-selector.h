// SPDX-License-Identifier: GPL-2.0-only
#ifndef ECMP_PORT_SELECTOR_H
#define ECMP_PORT_SELECTOR_H

#include "ns3/ecmp-hash.h"
#include "ns3/port-selector.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Equal-cost multipath: a hash of the two NICs and the entropy of the queue pair chooses the port,
 * so all frames of a queue pair take one path; ports get shares by their weights. Each switch salts
 * the hash, so that two stages do not take the same decision (hash polarisation). (RFC 2992)
 */
class EcmpPortSelector : public Forkable<EcmpPortSelector, PortSelector>
{
  public:
    static TypeId GetTypeId();

    EcmpPortSelector()
    {
        m_traits.spread = PathSpread::OnePath;
    }

    uint16_t Select(const Switch& at, Frame& frame, const NextHops& hops) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    EcmpHash m_hash;
};

} // namespace ns3::rails

#endif // ECMP_PORT_SELECTOR_H
