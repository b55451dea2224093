// SPDX-License-Identifier: GPL-2.0-only
#ifndef NIC_PROFILE_H
#define NIC_PROFILE_H

#include "ns3/object.h"
#include "ns3/rails-units.h"

namespace ns3::rails
{

/// What all NICs of a run have in common besides their transport: the `nic` section.
class NicProfile : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return time between two messages that a NIC begins to post
    TimePs GetMessageGap() const
    {
        return m_messageGap.GetPicoSeconds();
    }

    /// \return requests by which a NIC reads from GPUs that are under way at the same time
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
