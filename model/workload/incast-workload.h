// SPDX-License-Identifier: GPL-2.0-only
#ifndef INCAST_WORKLOAD_H
#define INCAST_WORKLOAD_H

#include "phase-workload.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * Many GPUs send to one at the same time: `workload: {type: incast}`. The senders are GPUs of other
 * servers, by their numbers from the receiver's server on, and round.
 */
class IncastWorkload : public PhaseWorkload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;

  private:
    uint32_t m_senders;
    uint32_t m_receiver;
    ByteSize m_bytes;
};

} // namespace ns3::rails

#endif // INCAST_WORKLOAD_H
