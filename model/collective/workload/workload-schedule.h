// SPDX-License-Identifier: GPL-2.0-only
#ifndef WORKLOAD_SCHEDULE_H
#define WORKLOAD_SCHEDULE_H

#include "rails-phase.h"

#include "ns3/collective-record.h"
#include "ns3/rail-queue.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// A part of the traffic of a phase.
struct TrafficStep
{
    std::shared_ptr<const TrafficMatrix> traffic; //!< what the step moves
    TimePs start{0};                              //!< of the step, from the phase's start
};

/// What bandwidths count of a collective, in bytes, as nccl-tests does.
struct CollectiveBytes
{
    double algorithm{0}; //!< of the algorithm bandwidth
    double bus{0};       //!< of the bus bandwidth
};

/// One phase of a run.
struct ScheduledPhase
{
    Phase phase;                                  //!< what the phase does
    uint32_t iteration{0};                        //!< iteration of the phase, from 0
    std::shared_ptr<const TrafficMatrix> traffic; //!< of all steps; null in compute and gap
    std::vector<TrafficStep> steps{};             //!< by start; empty: all at once
    /// True: a GPU posts its messages of a step when all bytes for it of the steps before have
    /// arrived, whatever other GPUs do, and the starts are all 0. False: only the starts count.
    bool isChained{false};
    /// Of a chained phase: into how many equal parts its steps are divided, each a chain by itself.
    uint32_t lanes{1};
    /// See GraphTransfer::GetRail(); none: a planner decides.
    std::function<RailQueue(uint32_t gpu, uint32_t step)> getRail{};

    /// \return the steps, or everything as the only one
    std::vector<TrafficStep> GetSteps() const;
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
    /// What bandwidths count, where the messages do not tell: rings and trees, deduplicated tokens.
    std::optional<CollectiveBytes> counted{};
    std::vector<CollectiveRecord> collectives{}; //!< where it is one of these, how it is done

    /// \return payload of all phases in bytes
    uint64_t GetTotalBytes() const;

    /**
     * What the busiest GPU sends to others or gets from others, the larger, over all phases. The
     * algorithm bandwidth counts a GPU's own part too, as nccl-tests does, where all pairs of
     * GPUs have equal bytes.
     * \return what bandwidths count; nothing where GPUs compute or wait in between
     */
    std::optional<CollectiveBytes> CountCollective() const;
};

/// \return the schedule that moves a matrix once
WorkloadSchedule MakeOneExchange(TrafficMatrix matrix);

} // namespace ns3::rails

#endif // WORKLOAD_SCHEDULE_H
