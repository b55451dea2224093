// SPDX-License-Identifier: GPL-2.0-only
#ifndef NIC_PROFILE_H
#define NIC_PROFILE_H

#include "ns3/object.h"
#include "ns3/rails-units.h"

namespace ns3::rails
{

/// Common settings of all NICs of a run besides the transport: the `nic` section.
class NicProfile : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return shortest time between two messages that a NIC begins
    TimePs GetMessageGap() const
    {
        return m_messageGap.GetPicoSeconds();
    }

    /// \return largest number of outstanding read requests of a NIC to GPUs
    uint32_t GetReads() const
    {
        return m_reads;
    }

  private:
    Time m_messageGap;
    uint32_t m_reads;
};

} // namespace ns3::rails

#endif // NIC_PROFILE_H
