// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_STUDY_H
#define EXPERT_STUDY_H

#include "ns3/data-rate.h"
#include "ns3/expert-policy.h"
#include "ns3/expert-setting.h"
#include "ns3/expert-study-simulation.h"
#include "ns3/gpu-partition.h"
#include "ns3/moe-model.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"
#include "ns3/token-load.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rails
{

/**
 * A study of an expert placement policy on token counts, without simulation of a network: the
 * section `experts` of a descriptor.
 */
class ExpertStudy : public Object
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError with the key of an invalid value
    void Check() const;

    ExpertStudyPlan MakePlan() const;

    const Ptr<ExpertPolicy>& GetPolicy() const;
    const Ptr<TokenLoad>& GetLoad() const;

    /// \return true when the run writes placement.csv
    bool WantsPlacement() const
    {
        return m_placement;
    }

    /// \return number of pairs of a token and an expert in the study
    double EstimateTokens() const;

  protected:
    void DoDispose() override;

  private:
    uint32_t GetParallel() const;
    GpuPartition MakeGroups() const;

    Ptr<ExpertPolicy> m_policy;
    Ptr<TokenLoad> m_load;
    Ptr<MoeModel> m_model;
    uint32_t m_gpus;
    std::optional<uint32_t> m_ep; //!< without a value see GetParallel()
    uint32_t m_gpusPerServer;
    uint32_t m_nicsPerServer;
    DataRate m_nvlinkRate;
    DataRate m_nicRate;
    double m_flops;
    uint32_t m_tokens;
    ByteSize m_bytesPerElement;
    ByteSize m_bytesPerGradient;
    ByteSize m_bytesPerState;
    uint32_t m_layers;
    uint32_t m_microbatches;
    uint32_t m_iterations;
    uint32_t m_warmUp;
    std::optional<Time> m_planning;
    std::optional<std::string> m_planningPath;
    std::optional<ByteSize> m_budget;
    bool m_placement;
};

} // namespace ns3::rails

#endif // EXPERT_STUDY_H
