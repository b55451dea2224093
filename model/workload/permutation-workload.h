// SPDX-License-Identifier: GPL-2.0-only
#ifndef PERMUTATION_WORKLOAD_H
#define PERMUTATION_WORKLOAD_H

#include "phase-workload.h"

#include "ns3/rails-units.h"
#include "ns3/random-variable-stream.h"

namespace ns3::rails
{

/**
 * A random permutation: every GPU sends one message and receives one; no GPU sends to itself, and
 * all other pairs may come up, also inside a server or a pod: `workload: {type: permutation}`
 * (arXiv 2507.21372). What is drawn depends on the seed and the number of GPUs alone.
 */
class PermutationWorkload : public PhaseWorkload
{
  public:
    static TypeId GetTypeId();
    PermutationWorkload();

    void Check(const WorkloadSetting& setting) const override;
    WorkloadSchedule MakeSchedule(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    ByteSize m_bytes;
    Ptr<UniformRandomVariable> m_random;
};

} // namespace ns3::rails

#endif // PERMUTATION_WORKLOAD_H
