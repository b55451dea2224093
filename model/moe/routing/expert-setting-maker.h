// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_SETTING_MAKER_H
#define EXPERT_SETTING_MAKER_H

#include "ns3/element-bytes.h"
#include "ns3/expert-setting.h"
#include "ns3/model-dimensions.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/// Bytes per element of the data that expert policies move.
struct ExpertElementBytes
{
    double token{0};     //!< of a token, mean of dispatch and combine
    double weight{0};    //!< of a parameter
    double gradient{0};  //!< of the gradient of a parameter
    double optimizer{0}; //!< optimizer states of a parameter, all GPUs together
};

/// Rates in bit/s, per direction, of a GPU's NVLink and of a NIC.
struct ExpertLinkRates
{
    uint64_t nvlinkBps{0};
    uint64_t nicBps{0};
};

/**
 * \param cluster the GPUs that are planned together, without rates
 * \param expertParallel GPUs of an expert-parallel group
 * \param tokens of each GPU in a micro-batch
 * \return the setting of policies for a model on these GPUs; iterations, computing, planning and
 *     slots keep their defaults
 */
inline ExpertSetting
MakeExpertSetting(const ModelDimensions& model,
                  const ExpertElementBytes& bytes,
                  const ClusterView& cluster,
                  const ExpertLinkRates& rates,
                  uint32_t expertParallel,
                  uint32_t tokens)
{
    const double parameters = model.GetExpertParameters();
    const auto getBytes = [&](double each) { return static_cast<uint64_t>(parameters * each); };
    ExpertSetting setting;
    setting.cluster = cluster;
    setting.cluster.nvlinkRate = static_cast<double>(rates.nvlinkBps) / kBitsPerByte;
    setting.cluster.nicRate = static_cast<double>(rates.nicBps) / kBitsPerByte;
    setting.expertParallel = expertParallel;
    setting.experts = model.experts;
    setting.topK = model.topK;
    setting.expertGroups = model.expertGroups;
    setting.tokens = tokens;
    setting.hidden = model.hidden;
    setting.tokenBytes = RoundBytes(model.GetExpertHidden() * bytes.token);
    setting.weightBytes = getBytes(bytes.weight);
    setting.gradientBytes = getBytes(bytes.gradient);
    setting.stateBytes = getBytes(bytes.optimizer);
    setting.tokenFlops = 2 * parameters;
    return setting;
}

} // namespace ns3::rails

#endif // EXPERT_SETTING_MAKER_H
