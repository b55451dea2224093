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
 * A schedule of phases as a program with one stream. A barrier of all GPUs without delay precedes
 * each phase and follows the last one. In a phase all GPUs compute, or transfer data, after a
 * reconfiguration of circuits where that is configured.
 */
class PhaseProgram : public GraphProgram
{
  public:
    /**
     * \param schedule the phases
     * \param circuits reconfiguration: behind the barrier before a phase, the GPUs of each region
     *     meet and announce their demands. A phase that returns what another one sent uses the
     * circuits of that one, unless circuits are time-slotted.
     */
    explicit PhaseProgram(WorkloadSchedule schedule, const CircuitTiming& circuits = {});

    const ClusterShape& GetShape() const override;

    const std::vector<std::string>& GetKinds() const override
    {
        return m_kinds;
    }

    uint32_t GetStreams() const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    uint32_t GetIterations() const override;

    WorkloadSchedule GetSchedule() const override
    {
        return m_schedule;
    }

    TrafficMatrix GetTotal() const override;
    bool HasPhases() const override;
    std::vector<CollectiveRecord> GetCollectives() const override;

  private:
    /// A phase between two barriers.
    struct Part
    {
        std::shared_ptr<const CommOp> transfer; //!< null: a compute phase
        uint32_t firstStep;
        std::shared_ptr<const GraphBarrier> circuits; //!< null: no reconfiguration
    };

    /// Action of a node.
    enum class Action : uint8_t
    {
        Meet,     //!< barrier of all GPUs before a phase
        Announce, //!< barrier of a region, which reconfigures its circuits
        Do        //!< the phase itself
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
