// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHASE_PROGRAM_H
#define PHASE_PROGRAM_H

#include "graph-program.h"
#include "matrix-transfer.h"

#include "ns3/circuit-timing.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * A schedule as a program: on its only stream every GPU meets all others at a barrier without
 * delay before each phase and behind the last one, and computes or moves data between these, where
 * circuits are moved for it once they are there.
 */
class PhaseProgram : public GraphProgram
{
  public:
    /**
     * \param schedule what GPUs do
     * \param circuits that are moved for it: behind the barrier before a phase the GPUs of each
     *     region meet and announce what they will send. What goes back takes the circuits of what
     *     went there, unless circuits take turns.
     */
    explicit PhaseProgram(WorkloadSchedule schedule, const CircuitTiming& circuits = {});

    const ClusterShape& GetShape() const override;
    const std::vector<std::string>& GetKinds() const override;
    uint32_t GetStreams() const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    uint32_t GetIterations() const override;
    WorkloadSchedule GetSchedule() const override;
    TrafficMatrix GetTotal() const override;
    bool HasPhases() const override;
    std::vector<CollectiveRecord> GetCollectives() const override;

  private:
    /// What all GPUs do between two barriers.
    struct Part
    {
        std::shared_ptr<const MatrixTransfer> transfer; //!< null: they compute
        uint32_t firstStep;
        std::shared_ptr<const GraphBarrier> circuits; //!< null: they stay
    };

    /// What a GPU does at a node.
    enum class Action : uint8_t
    {
        Meet,     //!< all GPUs, before a phase
        Announce, //!< to its region, which moves circuits
        Do
    };

    struct Place
    {
        uint32_t phase;
        Action action;
    };

    WorkloadSchedule m_schedule;
    std::vector<std::string> m_kinds; //!< by phase
    std::vector<Part> m_parts;        //!< by phase
    std::vector<Place> m_places;      //!< by node
    std::shared_ptr<const GraphBarrier> m_barrier;
    CircuitTiming m_circuits;
};

} // namespace ns3::rails

#endif // PHASE_PROGRAM_H
