// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_CONTEXT_H
#define TRAINING_CONTEXT_H

#include "exchange-parties.h"
#include "expert-groups.h"
#include "expert-router.h"
#include "plan-sample.h"
#include "planned-router.h"

#include "ns3/gpu-group-table.h"
#include "ns3/graph-transfer.h"
#include "ns3/slot-place.h"
#include "ns3/training-kinds.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Which way tokens go: to their experts, or back; gradients likewise.
enum class TokenWay : uint8_t
{
    There,
    Back
};

/// Who is in which group of a training, and where its tokens go: what its transfers are told by.
class TrainingContext
{
  public:
    /// \param plan has to live as long
    explicit TrainingContext(const TrainingPlan& plan);

    TrainingContext(const TrainingContext&) = delete;
    TrainingContext& operator=(const TrainingContext&) = delete;

    /**
     * Lets a policy of experts plan where tokens go; before that is asked for.
     * \throws ConfigurationError with the key when a policy cannot do that
     */
    void Prepare();

    /// Plans the first iteration's first micro-batch alone, in place of Prepare(): GetRouting() is
    /// for that one.
    void Outline();

    /// Lets the policy plan a few layers, so that GetSample() says what it does, in place of
    /// Prepare().
    void Sample();

    /// \return what the policy does, about; null: unknown
    const PlanSample* GetSample() const
    {
        return m_sample ? &*m_sample : nullptr;
    }

    const TrainingPlan& GetPlan() const
    {
        return m_plan;
    }

    /// \return GPUs whose experts are planned together
    const ExpertGroups& GetExpertGroups() const
    {
        return m_expertGroups;
    }

    /// \return GPUs that exchange tokens for each other's experts
    const GpuGroupTable& GetExperts() const
    {
        return m_expertGroups.GetTable();
    }

    /// \return GPUs that share experts
    const GpuGroupTable& GetExpertTensor() const
    {
        return m_expertTensor;
    }

    /// \return GPUs that hold the same experts without a policy
    const GpuGroupTable& GetExpertData() const
    {
        return m_expertData;
    }

    /// \return parties of GetExperts()
    const ExchangeParties& GetExpertParties() const
    {
        return m_expertParties;
    }

    /// \return parties of GetExpertTensor()
    const ExchangeParties& GetTensorParties() const
    {
        return m_tensorParties;
    }

    /// \return the stage of the pipeline that a GPU is in
    uint32_t GetStage(uint32_t gpu) const
    {
        return m_stages[gpu];
    }

    /// \return GPUs of a stage, ascending
    std::vector<uint32_t> ListGpus(uint32_t stage) const;

    /// \return how many GPUs a stage has
    double CountGpus() const
    {
        return double{1} * m_plan.shape.GetGpus() / m_plan.pp;
    }

    /// \return the GPU of another stage that holds what a GPU holds of its own
    uint32_t FindPeer(uint32_t gpu, uint32_t stage) const;

    /**
     * \param kind what a transfer counts as
     * \param isExchange see TransferTraits
     * \param isApart it has queue pairs of its own, whatever other traffic has: others do not wait
     *     for it
     * \return traits of such a transfer of one step
     */
    TransferTraits MakeTraits(TrainingKind kind, bool isExchange, bool isApart = false) const;

    /// \return true when circuits are moved, which is for tokens alone
    bool MovesCircuits() const
    {
        return m_plan.circuits.servers > 0;
    }

    /// \return bytes of a token's vector on its way to experts, or back
    uint64_t GetTokenBytes(TokenWay way) const
    {
        const ElementBytes& bytes = m_plan.bytes;
        return RoundBytes(m_plan.model.GetExpertHidden() *
                          (way == TokenWay::There ? bytes.dispatch : bytes.combine));
    }

    /// \return where the tokens of a GPU's group go
    std::shared_ptr<const ExpertRouting> GetRouting(uint32_t gpu, const LoadPlace& place) const;

    const ExpertRouter& GetRouter() const
    {
        return *m_router;
    }

    /// \return whether a policy has planned
    bool HasPlanned() const
    {
        return m_planned != nullptr;
    }

    /// \return what a policy has planned, of a training that has one
    const PlannedRouter& GetPlanned() const
    {
        return *m_planned;
    }

    /**
     * \return the first plan of a layer in the next iteration, at the last micro-batch; behind the
     * last iteration, which others would follow, that of this one; before the last micro-batch null
     */
    const ExpertRouting* FindNext(uint32_t gpu, const LoadPlace& place) const;

    /// \return copies that a GPU makes of its tokens for one of so many parts of equal experts, in
    /// the mean
    double EstimateCopies(double parts) const;

  private:
    const TrainingPlan& m_plan;
    TrainingPlan m_outlined; //!< where it is
    ExpertGroups m_expertGroups;
    GpuGroupTable m_expertTensor;
    GpuGroupTable m_expertData;
    ExchangeParties m_expertParties;
    ExchangeParties m_tensorParties;
    std::vector<uint32_t> m_stages; //!< by GPU
    uint32_t m_stageStride;         //!< from a GPU to its peer of the next stage
    std::unique_ptr<const ExpertRouter> m_router;
    std::optional<PlanSample> m_sample;
    const PlannedRouter* m_planned{nullptr};   //!< the router, where a policy plans
    mutable std::map<double, double> m_copies; //!< estimates, by number of parts
};

} // namespace ns3::rails

#endif // TRAINING_CONTEXT_H
