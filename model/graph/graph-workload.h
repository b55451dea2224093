// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_WORKLOAD_H
#define GRAPH_WORKLOAD_H

#include "graph-stage.h"
#include "stage-program.h"

#include "ns3/rails-workload.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// A workload whose GPUs wait for each other where one needs what another sends, and nowhere else.
class GraphWorkload : public Workload
{
  public:
    static TypeId GetTypeId();

    void Check(const ClusterShape& shape) const override;

    /**
     * \param longest propagation of a cable of the cluster
     * \throws ConfigurationError when servers learn of each other at a barrier in less time
     */
    void CheckBarriers(TimePs longest) const;

    /// Everything that is moved, as one phase.
    WorkloadSchedule MakeSchedule(const ClusterShape& shape) override;

    double EstimateBytes(const ClusterShape& shape) const override;
    int64_t AssignStreams(int64_t stream) override;

    /// \return what GPUs do, as drawn by MakeSchedule()
    std::shared_ptr<const StageProgram> GetProgram() const;

  protected:
    void DoDispose() override;

  private:
    std::vector<Ptr<GraphStage>> m_stages;
    uint32_t m_iterations;
    std::shared_ptr<const StageProgram> m_program;
};

} // namespace ns3::rails

#endif // GRAPH_WORKLOAD_H
