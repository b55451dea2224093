// SPDX-License-Identifier: GPL-2.0-only
#ifndef RING_WORKLOAD_H
#define RING_WORKLOAD_H

#include "phase-workload.h"

#include "ns3/collective.h"
#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * A collective of all GPUs, by default on rings, one for each NIC of a server: `workload: {type:
 * ring}`. In every step of a ring each GPU sends one of n parts of a buffer to the next GPU: n - 1
 * steps for all-gather and reduce-scatter, and both in sequence for all-reduce. A GPU begins a step
 * as soon as it has received all data of the previous step; reducing takes no time.
 */
class RingWorkload : public PhaseWorkload
{
  public:
    /// The collective operation.
    enum Operation
    {
        ALL_REDUCE,
        ALL_GATHER,
        REDUCE_SCATTER
    };

    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) override;
    std::string WhyUnannounced() const override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    double EstimateOutside(const WorkloadSetting& setting) const override;

  private:
    std::shared_ptr<const Collective> MakeCollective(const WorkloadSetting& setting) const;

    Operation m_operation{ALL_REDUCE};
    ByteSize m_bytes;
    CollectiveAlgorithm m_algorithm;
    uint32_t m_rings;
};

} // namespace ns3::rails

#endif // RING_WORKLOAD_H
