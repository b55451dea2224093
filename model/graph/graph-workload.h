// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_WORKLOAD_H
#define GRAPH_WORKLOAD_H

#include "graph-stage.h"
#include "program-workload.h"
#include "stage-program.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// `graph`: stages that all GPUs go through, iteration after iteration.
class GraphWorkload : public ProgramWorkload
{
  public:
    static TypeId GetTypeId();

    void SetRates(const ClusterRates& rates) override;
    void Check(const ClusterShape& shape) const override;

    void CheckBarriers(TimePs longest) const override;
    double EstimateBytes(const ClusterShape& shape) const override;
    double EstimateMessages(const ClusterShape& shape) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    std::shared_ptr<const GraphProgram> MakeProgram(const ClusterShape& shape) override;
    uint32_t GetIterations() const override;
    double SumStages(const std::function<double(const GraphStage&)>& measure) const;

    std::vector<Ptr<GraphStage>> m_stages;
    uint32_t m_iterations;
};

} // namespace ns3::rails

#endif // GRAPH_WORKLOAD_H
