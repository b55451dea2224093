// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_CONTEXT_H
#define TRAINING_CONTEXT_H

#include "plan-sample.h"
#include "planned-dispatch.h"
#include "token-dispatch.h"

#include "ns3/comm-op.h"
#include "ns3/gpu-partition.h"
#include "ns3/slot-place.h"
#include "ns3/training-kinds.h"
#include "ns3/training-spec.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Direction of an exchange: dispatch to experts, or combine; gradients likewise.
enum class TokenWay : uint8_t
{
    There,
    Back
};

/// Groups of GPUs of a training, and the dispatch of their tokens: shared input of all transfers.
class TrainingContext
{
  public:
    /// \param spec must outlive this object
    explicit TrainingContext(const TrainingSpec& spec);

    TrainingContext(const TrainingContext&) = delete;
    TrainingContext& operator=(const TrainingContext&) = delete;

    /**
     * Plans all iterations with the training's expert policy; to be called before GetRouting().
     * \throws ConfigurationError with the key when the policy does not support the training
     */
    void Prepare();

    /// Plans only the first micro-batch of the first iteration, in place of Prepare(). GetRouting()
    /// then supports only this micro-batch.
    void Outline();

    /// Plans a few layers for GetSample(), in place of Prepare().
    void Sample();

    /// \return estimated traffic of the policy; null: unknown
    const PlanSample* GetSample() const
    {
        return m_sample ? &*m_sample : nullptr;
    }

    const TrainingSpec& GetSpec() const
    {
        return m_spec;
    }

    /// \return groups of GPUs that exchange tokens and are planned together
    const GpuPartition& GetExperts() const
    {
        return m_expertGroups;
    }

    /// \return expert-tensor groups: GPUs that share each expert
    const GpuPartition& GetExpertTensor() const
    {
        return m_expertTensor;
    }

    /// \return expert-data groups: GPUs that hold the same experts by default
    const GpuPartition& GetExpertData() const
    {
        return m_expertData;
    }

    /// \return parties of GetExperts() by GPU, see FindParties()
    const std::vector<uint32_t>& GetExpertParties() const
    {
        return m_expertParties;
    }

    /// \return parties of GetExpertTensor() by GPU
    const std::vector<uint32_t>& GetTensorParties() const
    {
        return m_tensorParties;
    }

    /// \return pipeline stage of a GPU
    uint32_t GetStage(uint32_t gpu) const
    {
        return m_stages[gpu];
    }

    /// \return GPUs of a stage, ascending
    std::vector<uint32_t> ListGpus(uint32_t stage) const;

    /// \return number of GPUs of a stage
    double CountGpus() const
    {
        return double{1} * m_spec.shape.GetGpus() / m_spec.pp;
    }

    /// \return the GPU of another stage at the same place in it
    uint32_t FindPeer(uint32_t gpu, uint32_t stage) const;

    /**
     * \param kind of the transfer
     * \param isExchange see CommOpTraits
     * \param isApart the transfer gets separate queue pairs in any case, so that other traffic does
     *     not wait for it
     * \return traits of a transfer of one step
     */
    CommOpTraits MakeTraits(TrainingKind kind, bool isExchange, bool isApart = false) const;

    /// \return true when optical circuits are reconfigured; they carry only tokens
    bool MovesCircuits() const
    {
        return m_spec.circuits.servers > 0;
    }

    /// \return bytes of a token's vector in dispatch or combine
    uint64_t GetTokenBytes(TokenWay way) const
    {
        const ElementBytes& bytes = m_spec.bytes;
        return RoundBytes(m_spec.model.GetExpertHidden() *
                          (way == TokenWay::There ? bytes.dispatch : bytes.combine));
    }

    /// \return the dispatch of a GPU's group
    std::shared_ptr<const ExpertRouting> GetRouting(uint32_t gpu, const LoadPlace& place) const;

    const TokenDispatch& GetDispatch() const
    {
        return *m_dispatch;
    }

    /// \return whether a policy has planned
    bool HasPlanned() const
    {
        return m_planned != nullptr;
    }

    /// \return the dispatch of a training with a policy, after Prepare()
    const PlannedDispatch& GetPlanned() const
    {
        return *m_planned;
    }

    /**
     * \return first dispatch of a layer in the next iteration, if `place` is in the last
     *     micro-batch, otherwise null. In the last iteration, that iteration itself stands in for
     *     the next one.
     */
    const ExpertRouting* FindNext(uint32_t gpu, const LoadPlace& place) const;

    /// \return mean number of tokens of a GPU that go to one of so many equal parts of the experts
    double EstimateCopies(double parts) const;

  private:
    const TrainingSpec& m_spec;
    TrainingSpec m_outlined; //!< training of Outline()
    GpuPartition m_expertGroups;
    GpuPartition m_expertTensor;
    GpuPartition m_expertData;
    std::vector<uint32_t> m_expertParties; //!< by GPU
    std::vector<uint32_t> m_tensorParties; //!< by GPU
    std::vector<uint32_t> m_stages;        //!< by GPU
    uint32_t m_stageStride; //!< difference between numbers of peers in consecutive stages
    std::unique_ptr<const TokenDispatch> m_dispatch;
    std::optional<PlanSample> m_sample;
    const PlannedDispatch* m_planned{nullptr}; //!< m_dispatch, if a policy plans
    mutable std::map<double, double> m_copies; //!< estimates, by number of parts
};

} // namespace ns3::rails

#endif // TRAINING_CONTEXT_H
