// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_SCHEDULE_H
#define WORKLOAD_SCHEDULE_H

#include "phase-list.h"
#include "traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// One phase of a run.
struct ScheduledPhase
{
    Phase phase;                                  //!< what it does
    uint32_t iteration{0};                        //!< which iteration it belongs to, from 0
    std::shared_ptr<const TrafficMatrix> traffic; //!< what it moves; null in compute and gap
};

/**
 * What a workload does in a run, one phase after the other, with all iterations written out. It
 * says nothing about rails: every scheme of a comparison gets the same one.
 */
struct WorkloadSchedule
{
    ClusterShape shape;                          //!< the cluster
    std::shared_ptr<const TrafficMatrix> matrix; //!< as drawn or read (the dispatch)
    uint32_t iterations{1};                      //!< repetitions of the phases
    std::vector<ScheduledPhase> phases;          //!< of all iterations

    /// \return payload of all phases in bytes
    uint64_t GetTotalBytes() const;

    /**
     * \return bytes that the busiest GPU sends over all phases (S of the nccl-tests algorithm
     * bandwidth)
     */
    uint64_t GetBusiestSourceBytes() const;
};

/// \return the schedule that moves a matrix once
WorkloadSchedule MakeOneExchange(TrafficMatrix matrix);

} // namespace ns3::rails

#endif // WORKLOAD_SCHEDULE_H
