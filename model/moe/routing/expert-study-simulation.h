// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_STUDY_SIMULATION_H
#define EXPERT_STUDY_SIMULATION_H

#include "ns3/expert-copy.h"
#include "ns3/expert-policy.h"
#include "ns3/expert-setting.h"
#include "ns3/expert-study-record.h"
#include "ns3/run-iterations.h"
#include "ns3/token-load.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// Input of an expert study.
struct ExpertStudyPlan
{
    ExpertSetting setting;
    LoadShape shape; //!< shape of the loads of each layer and micro-batch
    /// Groups of GPUs that the policy plans together, of equal size; they partition all GPUs.
    std::vector<std::vector<uint32_t>> groups;
    ExpertSetting groupSetting;     //!< setting of one group, for the policy
    std::optional<uint64_t> budget; //!< memory of a GPU for experts, bytes
    uint32_t iterations{1};         //!< iterations that are recorded
    uint32_t warmUp{0};             //!< warm-up iterations before these

    /// \return the recorded iterations among all iterations of loads and policies
    RunIterations GetRun() const
    {
        return {warmUp, iterations};
    }
};

/// Result of an expert study.
struct ExpertStudyOutcome
{
    ExpertStudyRecord record;
    std::string fingerprint; //!< SHA-256 of all plans and moves
    std::string defect;      //!< defect of the first invalid plan, which ends the study
    uint32_t lookBack{0};    //!< longest history that the policy has asked for, in iterations
    double memory{0};        //!< bytes of experts on the fullest GPU
    double droppedTokens{0}; //!< token-expert pairs that no expert computes
};

/// Receives the token counts of replicas of a layer; called by iteration and layer, in their order.
using TakeCopies = std::function<void(uint32_t, uint32_t, const std::vector<ExpertCopy>&)>;

/**
 * Runs a policy over layers, micro-batches and iterations in time order. The policy gets token
 * counts no earlier than in a real system.
 * \param load already started; the policy is started here
 * \param takeCopies called for recorded iterations; may be empty
 */
ExpertStudyOutcome SimulateExpertStudy(const ExpertStudyPlan& plan,
                                       const Ptr<ExpertPolicy>& policy,
                                       const Ptr<TokenLoad>& load,
                                       const TakeCopies& takeCopies);

} // namespace ns3::rails

#endif // EXPERT_STUDY_SIMULATION_H
