// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_STUDY_RECORD_H
#define EXPERT_STUDY_RECORD_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Effect of an expert placement policy on one layer of one micro-batch: a row of plans.csv.
struct ExpertPlanRecord
{
    uint32_t iteration{0};
    uint32_t layer{0};
    uint32_t microbatch{0};
    double before{1}; //!< max/mean load of the GPUs without a policy
    double after{1};  //!< max/mean load of the GPUs with the policy
    uint64_t copies{0};
    uint64_t mostCopies{0}; //!< largest number of replicas sent by one GPU
    uint64_t weightBytesInside{0};
    uint64_t weightBytesAcross{0};
    uint64_t gradientBytesInside{0};
    uint64_t gradientBytesAcross{0};
    uint64_t tokenBytesInside{0};
    uint64_t tokenBytesAcross{0};
    uint64_t localTokens{0};
    uint64_t droppedTokens{0};
    double planningSeconds{0}; //!< planning time as declared
    double measuredSeconds{0}; //!< planning time measured on this machine
};

/// Result of a study of an expert placement policy.
struct ExpertStudyRecord
{
    /// By keys of result.json, in their order.
    std::vector<std::pair<std::string, double>> figures;
    uint64_t tokens{0};        //!< (token, expert) pairs in total
    double measuredSeconds{0}; //!< mean planning time of a layer on this machine
    /// Mean planning time of one call of the policy on this machine, the time charged to it; empty
    /// without calls.
    std::optional<double> planningEach{};
    /// Conditions of `planningEach`, see PlanningRule: the policy, its experts, the GPUs planned
    /// together, and the machine with the date.
    std::string policy;
    uint32_t experts{0};
    uint32_t plannedGpus{0};
    std::string measuredOn;
    bool isOracle{false}; //!< the policy uses knowledge that no real system has
    std::vector<ExpertPlanRecord> plans;
    /// Loads of GPUs over the mean load, without and with the policy, sorted by load: entry i is
    /// the mean over layers and micro-batches of the i-th largest load.
    std::vector<std::pair<double, double>> loads;
};

} // namespace ns3::rails

#endif // EXPERT_STUDY_RECORD_H
