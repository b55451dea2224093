// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_BALANCING_H
#define FABRIC_BALANCING_H

#include "path-selector.h"

#include "ns3/object.h"
#include "ns3/port-selector.h"

namespace ns3::rails
{

/**
 * How messages spread over the paths of the fabric, at hosts and at switches: the keys
 * `balance.host` and `balance.switch`. It holds types with their attributes, configured objects
 * that nobody runs: every engine makes what it needs from them.
 */
class FabricBalancing : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the scheme of hosts
    Ptr<PathSelector> GetHost() const;

    /// \return the scheme of switches
    Ptr<PortSelector> GetSwitch() const;

  private:
    Ptr<PathSelector> m_host;
    Ptr<PortSelector> m_switch;
};

} // namespace ns3::rails

#endif // FABRIC_BALANCING_H
