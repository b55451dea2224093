// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_WORKLOAD_H
#define GRAPH_WORKLOAD_H

#include "graph-stage.h"
#include "rails-workload.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// `graph`: stages that all GPUs go through, iteration after iteration.
class GraphWorkload : public Workload
{
  public:
    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;

    void CheckBarriers(TimePs longest) const override;
    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    bool MovesOther() const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    double SumStages(const std::function<double(const GraphStage&)>& measure) const;

    std::vector<Ptr<GraphStage>> m_stages;
    uint32_t m_iterations;
};

} // namespace ns3::rails

#endif // GRAPH_WORKLOAD_H
