// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_WORKLOAD_H
#define TRAINING_WORKLOAD_H

#include "training-program.h"

#include "ns3/collective-options.h"
#include "ns3/compute-model.h"
#include "ns3/exchange-scheme.h"
#include "ns3/expert-policy.h"
#include "ns3/moe-model.h"
#include "ns3/parallel-layout.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/rails-units.h"
#include "ns3/rails-workload.h"
#include "ns3/token-load.h"
#include "ns3/training-batch.h"
#include "ns3/training-plan.h"
#include "ns3/value-list.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// `training`: iterations of a Mixture-of-Experts model on the whole cluster.
class TrainingWorkload : public Workload
{
  public:
    /// Which traffic has queue pairs of its own.
    enum Communicators
    {
        SEPARATE, //!< each kind
        SHARED    //!< copies of experts alone
    };

    /// When parameters and gradients of copies of experts travel.
    enum Transfers
    {
        PUBLISHED, //!< as the policy's source has it
        BLOCKING,
        OVERLAPPED,
        INTERLEAVED,
        SCHEDULED
    };

    /// Which iterations experts that move for good are charged to.
    enum Moves
    {
        MEAN,         //!< all alike, over whole periods of the policy
        AS_THEY_COME, //!< the one before which they move
    };

    static TypeId GetTypeId();

    void Check(const WorkloadSetting& setting) const override;
    std::shared_ptr<const GraphProgram> MakeProgram(const WorkloadSetting& setting) override;
    std::shared_ptr<const GraphProgram> MakeOutline(const WorkloadSetting& setting) const override;
    double EstimateBytes(const WorkloadSetting& setting) const override;
    double EstimateMessages(const WorkloadSetting& setting) const override;
    double EstimateCost(const WorkloadSetting& setting) const override;
    double EstimateConnections(const WorkloadSetting& setting, uint32_t ways) const override;
    int64_t AssignStreams(int64_t stream) override;
    std::string WhyUnannounced() const override;
    bool MovesOther() const override;
    bool PlacesExperts() const override;

  protected:
    void DoDispose() override;

  private:
    static void CheckLayers(const TrainingPlan& plan);
    void CheckCircuits(const TrainingPlan& plan) const;
    void CheckExperts(const TrainingPlan& plan) const;
    static void CheckReplicas(const TrainingPlan& plan);
    static void CheckCollectives(const TrainingPlan& plan);
    void CheckMemory(const TrainingProgram& program) const;
    void CheckSize(const TrainingPlan& plan) const;
    TrainingPlan MakePlan(const WorkloadSetting& setting) const;

    Ptr<MoeModel> m_model;
    Ptr<ParallelLayout> m_parallel;
    Ptr<TrainingBatch> m_batch;
    Ptr<ComputeModel> m_compute;
    Ptr<TokenLoad> m_load;
    Ptr<ExpertPolicy> m_experts;
    uint32_t m_mergedGroups;
    Transfers m_transfers;
    Moves m_moves;
    std::optional<Time> m_planning;
    std::optional<ByteSize> m_budget;
    std::optional<uint32_t> m_copyPieces;
    uint32_t m_partGpus;
    uint32_t m_warmUp;
    std::optional<ByteSize> m_memory;
    Ptr<PipelineSchedule> m_schedule;
    Ptr<DataParallelism> m_data;
    NameList m_recompute;
    Ptr<ExchangeScheme> m_exchange;
    Precision m_precision;
    Ptr<TrainingBytes> m_bytes;
    ByteSize m_bytesPerElement;
    ByteSize m_bytesPerGradient;
    uint32_t m_layers;
    uint32_t m_microbatches;
    bool m_fastForward;
    uint32_t m_ringSteps;
    Ptr<CollectiveOptions> m_collectives;
    Communicators m_communicators;
    uint32_t m_iterations;
};

} // namespace ns3::rails

#endif // TRAINING_WORKLOAD_H
