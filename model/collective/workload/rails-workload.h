// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_WORKLOAD_H
#define RAILS_WORKLOAD_H

#include "workload-schedule.h"

#include "ns3/cluster-rates.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::rails
{

/// What the GPUs of a cluster have to do: the `workload` component.
class Workload : public Object
{
  public:
    static TypeId GetTypeId();

    /// Says how quickly the cluster sends, before all else: for workloads that plan with it.
    virtual void SetRates(const ClusterRates& rates);

    /**
     * \param shape the cluster
     * \throws ConfigurationError when the workload does not fit it
     */
    virtual void Check(const ClusterShape& shape) const = 0;

    /**
     * Draws what is random and lays out the phases.
     * \param shape the cluster, which passes Check()
     */
    virtual WorkloadSchedule MakeSchedule(const ClusterShape& shape) = 0;

    /**
     * Tells how much there will be to send without drawing anything, so that thousands of points of
     * a sweep are planned in seconds.
     * \param shape the cluster, which passes Check()
     * \return payload of all phases in bytes, the mean over all draws where it is random
     */
    virtual double EstimateBytes(const ClusterShape& shape) const = 0;

    /**
     * Tells likewise of messages from GPU to GPU; of rings every fourth, as these keep step.
     * \param shape the cluster, which passes Check()
     * \return about how many; by default one of each GPU
     */
    virtual double EstimateMessages(const ClusterShape& shape) const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace ns3::rails

#endif // RAILS_WORKLOAD_H
