// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_STUDY_H
#define EXPERT_STUDY_H

#include "ns3/data-rate.h"
#include "ns3/expert-groups.h"
#include "ns3/expert-policy.h"
#include "ns3/expert-setting.h"
#include "ns3/moe-model.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"
#include "ns3/token-load.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// What is asked of a study, in numbers.
struct ExpertStudyPlan
{
    ExpertSetting setting;
    LoadShape shape; //!< of what is drawn for each layer and micro-batch
    /// GPUs that the policy plans together, of equal numbers; they have every GPU once.
    std::vector<std::vector<uint32_t>> groups;
    ExpertSetting groupSetting;     //!< what the policy is told of such a group
    std::optional<uint64_t> budget; //!< bytes of experts on a GPU
    uint32_t iterations{1};         //!< that count
    uint32_t warmUp{0};             //!< iterations before these
};

/**
 * What a policy of experts does with token counts, without any simulation of a network: the section
 * `experts` of a descriptor.
 */
class ExpertStudy : public Object
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError with the key when it cannot work
    void Check() const;

    ExpertStudyPlan MakePlan() const;

    const Ptr<ExpertPolicy>& GetPolicy() const;
    const Ptr<TokenLoad>& GetLoad() const;

    /// \return true when placement.csv is wanted
    bool WantsPlacement() const;

    /// \return pairs of a token and an expert that it goes through
    double EstimateTokens() const;

  protected:
    void DoDispose() override;

  private:
    uint32_t GetParallel() const;
    ExpertGroups MakeGroups() const;

    Ptr<ExpertPolicy> m_policy;
    Ptr<TokenLoad> m_load;
    Ptr<MoeModel> m_model;
    uint32_t m_gpus;
    std::optional<uint32_t> m_ep; //!< unless it is given, see GetParallel()
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
    std::optional<ByteSize> m_budget;
    bool m_placement;
};

} // namespace ns3::rails

#endif // EXPERT_STUDY_H
