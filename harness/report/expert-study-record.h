// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_STUDY_RECORD_H
#define EXPERT_STUDY_RECORD_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// What a policy of experts did with the tokens of a layer in a micro-batch: a row of plans.csv.
struct ExpertPlanRecord
{
    uint32_t iteration{0};
    uint32_t layer{0};
    uint32_t microbatch{0};
    double before{1}; //!< largest load of a GPU over the mean, without a policy
    double after{1};  //!< the same with it
    uint64_t copies{0};
    uint64_t mostCopies{0}; //!< copies that leave one GPU, at most
    uint64_t weightBytesInside{0};
    uint64_t weightBytesAcross{0};
    uint64_t gradientBytesInside{0};
    uint64_t gradientBytesAcross{0};
    uint64_t tokenBytesInside{0};
    uint64_t tokenBytesAcross{0};
    uint64_t localTokens{0};
    uint64_t droppedTokens{0};
    double planningSeconds{0}; //!< as declared
    double measuredSeconds{0}; //!< on the machine that ran it
};

/// What came out of a study of a policy of experts.
struct ExpertStudyRecord
{
    /// By keys of result.json, in their order.
    std::vector<std::pair<std::string, double>> figures;
    uint64_t tokens{0};        //!< pairs of a token and an expert, in all
    double measuredSeconds{0}; //!< planning of a layer on this machine, in the mean
    bool isOracle{false};      //!< the policy does what no real system can
    std::vector<ExpertPlanRecord> plans;
    /// Loads of GPUs over their mean without a policy and with it, in the mean: the largest of each
    /// layer and micro-batch, the second, and so on.
    std::vector<std::pair<double, double>> loads;
};

} // namespace ns3::rails

#endif // EXPERT_STUDY_RECORD_H
