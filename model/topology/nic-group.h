// SPDX-License-Identifier: GPL-2.0-only
#ifndef NIC_GROUP_H
#define NIC_GROUP_H

#include "ns3/object.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// NICs of every server in one fabric: an entry of `topology.nic_groups`.
class NicGroup : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the rails of the NICs
    const std::vector<uint32_t>& GetNics() const;

    /// \return the name of the fabric
    const std::string& GetFabric() const
    {
        return m_fabric;
    }

  private:
    CountList m_nics;
    std::string m_fabric;
};

} // namespace ns3::rails

#endif // NIC_GROUP_H
