// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROUTING_SCHEME_H
#define ROUTING_SCHEME_H

#include "ns3/object.h"

namespace ns3::rails
{

/**
 * How messages spread over the paths of the fabric, at hosts and at switches: the keys
 * `balance.host` and `balance.switch`. It holds types with their attributes, configured objects
 * that nobody runs: every engine makes what it needs from them.
 */
class RoutingScheme : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return a path selector, the scheme of hosts
    Ptr<Object> GetHost() const;

    /// \return a port selector, the scheme of switches
    Ptr<Object> GetSwitch() const;

  private:
    Ptr<Object> m_host;
    Ptr<Object> m_switch;
};

} // namespace ns3::rails

#endif // ROUTING_SCHEME_H
