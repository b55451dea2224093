// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_WORKLOAD_H
#define TRAINING_WORKLOAD_H

#include "compute-model.h"
#include "moe-model.h"
#include "parallel-layout.h"
#include "token-load.h"
#include "training-batch.h"
#include "training-plan.h"

#include "ns3/program-workload.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// `training`: iterations of a Mixture-of-Experts model on the whole cluster.
class TrainingWorkload : public ProgramWorkload
{
  public:
    /// Order of micro-batches on a stage of the pipeline.
    enum Schedule
    {
        ONE_FORWARD_ONE_BACKWARD,
        INTERLEAVED
    };

    /// What is kept of a layer for the way back.
    enum Recompute
    {
        NOTHING, //!< all is kept
        FULL     //!< a layer's input alone: it goes forward again
    };

    /// What is sent of a token that goes to several experts.
    enum Exchange
    {
        PAIRS,       //!< a copy for each of them
        DEDUPLICATED //!< one to each server, and there one to each GPU
    };

    static TypeId GetTypeId();

    void Check(const ClusterShape& shape) const override;
    double EstimateBytes(const ClusterShape& shape) const override;
    int64_t AssignStreams(int64_t stream) override;
    std::vector<std::pair<std::string, double>> GetFigures(double seconds) const override;
    std::vector<std::string> GetNotes() const override;

  protected:
    void DoDispose() override;

  private:
    std::shared_ptr<const GraphProgram> MakeProgram(const ClusterShape& shape) override;
    uint32_t GetIterations() const override;

    void CheckSchedule(const TrainingPlan& plan) const;
    void CheckSize(const TrainingPlan& plan) const;
    TrainingPlan MakePlan(const ClusterShape& shape) const;

    Ptr<MoeModel> m_model;
    Ptr<ParallelLayout> m_parallel;
    Ptr<TrainingBatch> m_batch;
    Ptr<ComputeModel> m_compute;
    Ptr<TokenLoad> m_load;
    Schedule m_schedule;
    Recompute m_recompute;
    Exchange m_exchange;
    ByteSize m_bytesPerElement;
    ByteSize m_bytesPerGradient;
    uint32_t m_layers;
    uint32_t m_microbatches;
    uint32_t m_iterations;
    std::shared_ptr<const TrainingPlan> m_made; //!< of the latest MakeSchedule()
};

} // namespace ns3::rails

#endif // TRAINING_WORKLOAD_H
