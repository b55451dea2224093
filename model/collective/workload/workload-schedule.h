// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_SCHEDULE_H
#define WORKLOAD_SCHEDULE_H

#include "rails-phase.h"

#include "ns3/collective-record.h"
#include "ns3/collective.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// A step of a phase.
struct TrafficStep
{
    std::shared_ptr<const TrafficMatrix> traffic; //!< traffic of the step
    TimePs start{0};                              //!< start of the step, relative to the phase
};

/// Bytes for the bandwidths of a collective, as in nccl-tests.
struct CollectiveBytes
{
    double algorithm{0}; //!< for the algorithm bandwidth
    double bus{0};       //!< for the bus bandwidth
};

/// One phase of a run.
struct ScheduledPhase
{
    Phase phase;                                  //!< kind and duration
    uint32_t iteration{0};                        //!< iteration of the phase, from 0
    std::shared_ptr<const TrafficMatrix> traffic; //!< sum of all steps; null in compute and gap
    std::vector<TrafficStep> steps{};             //!< sorted by start; empty: all traffic at once
    /// True: a GPU posts its messages of a step once it has received all bytes of the earlier
    /// steps, independent of other GPUs, and all starts are 0. False: only the starts count.
    bool isChained{false};
    /// Number of equal parts of a chained phase's steps; each part is a separate chain.
    uint32_t lanes{1};
    /// What a chained phase does instead of the steps, in as many lanes.
    std::shared_ptr<const Collective> collective{};

    /// \return the steps, or all traffic as a single step
    std::vector<TrafficStep> GetSteps() const;

    /// \return how many steps there are; 0: everything at once
    uint32_t CountSteps() const;

    /// \return what a GPU sends in one of them
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const;
};

/**
 * Phases of a run in order, with all iterations expanded. It is independent of rails, so all
 * schemes of a comparison get the same schedule.
 */
struct WorkloadSchedule
{
    ClusterShape shape;                          //!< the cluster
    std::shared_ptr<const TrafficMatrix> matrix; //!< the drawn or read matrix (the dispatch)
    uint32_t iterations{1};                      //!< repetitions of the phases
    std::vector<ScheduledPhase> phases;          //!< of all iterations
    /// Bytes for bandwidths, where messages do not determine them: rings, trees and deduplicated
    /// tokens.
    std::optional<CollectiveBytes> counted{};
    std::vector<CollectiveRecord> collectives{}; //!< algorithms, if the workload is a collective

    /// \return payload of all phases in bytes
    uint64_t GetTotalBytes() const;

    /**
     * Bytes for bandwidths by the busiest GPU: the larger of its sent and received bytes, over all
     * phases. If all GPU pairs have equal bytes, the algorithm bandwidth includes a GPU's local
     * part, as nccl-tests does.
     * \return bytes for bandwidths; nothing if GPUs compute or wait between phases
     */
    std::optional<CollectiveBytes> CountCollective() const;
};

/// \return the schedule that sends a matrix once
WorkloadSchedule MakeOneExchange(TrafficMatrix matrix);

} // namespace ns3::rails

#endif // WORKLOAD_SCHEDULE_H
