// SPDX-License-Identifier: GPL-2.0-only
#ifndef PHASE_PROGRAM_H
#define PHASE_PROGRAM_H

#include "graph-program.h"

#include "ns3/workload-schedule.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * A schedule as a program: on its only stream every GPU meets all others at a barrier without
 * delay before each phase and behind the last one, and computes or moves data between these.
 */
class PhaseProgram : public GraphProgram
{
  public:
    explicit PhaseProgram(const WorkloadSchedule& schedule);

    const ClusterShape& GetShape() const override;
    const std::vector<std::string>& GetKinds() const override;
    uint32_t GetStreams() const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;
    uint16_t GetRail(uint32_t gpu, uint32_t step) const override;
    TimePs GetStart(uint32_t step) const override;
    std::vector<uint32_t> GetMembers(uint32_t server, uint32_t step) const override;
    uint32_t CountMembers(uint32_t barrier) const override;
    TimePs GetComputeTime() const override;
    TrafficMatrix GetTotal() const override;
    bool HasPhases() const override;

  private:
    /// What GPUs get, those that get nothing left out: there may be thousands of small steps.
    using Columns = std::vector<Demand>;

    /// A step of a phase.
    struct Step
    {
        TrafficStep traffic;
        bool isTimed;
        std::shared_ptr<const Columns> received;
    };

    static std::shared_ptr<const Columns> SumColumns(const TrafficMatrix& matrix);

    ClusterShape m_shape;
    std::vector<ScheduledPhase> m_phases;
    std::vector<std::string> m_kinds;   //!< by phase
    std::vector<uint32_t> m_firstSteps; //!< by phase
    std::vector<Step> m_steps;
};

} // namespace ns3::rails

#endif // PHASE_PROGRAM_H
