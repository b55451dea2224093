// SPDX-License-Identifier: GPL-2.0-only
#ifndef RING_WORKLOAD_H
#define RING_WORKLOAD_H

#include "rails-workload.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/**
 * A collective on a ring of all GPUs in the order of their numbers: `workload: {type: ring}`. In
 * every step each GPU sends one of n parts of a buffer to the next GPU: n - 1 steps for all-gather
 * and reduce-scatter, both after each other for all-reduce. A GPU begins a step in the instant in
 * which it has the part of the step before from the GPU behind it; reducing takes no time.
 */
class RingWorkload : public Workload
{
  public:
    /// What is done.
    enum Operation
    {
        ALL_REDUCE,
        ALL_GATHER,
        REDUCE_SCATTER
    };

    static TypeId GetTypeId();

    void Check(const ClusterShape& shape) const override;
    WorkloadSchedule MakeSchedule(const ClusterShape& shape) override;
    double EstimateBytes(const ClusterShape& shape) const override;

  private:
    uint32_t GetRounds() const;
    uint32_t GetSteps(uint32_t gpus) const;

    Operation m_operation{ALL_REDUCE};
    ByteSize m_bytes;
};

} // namespace ns3::rails

#endif // RING_WORKLOAD_H
