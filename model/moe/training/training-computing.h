// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_COMPUTING_H
#define TRAINING_COMPUTING_H

#include "ns3/operation.h"
#include "ns3/rails-units.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <optional>

namespace ns3::rails
{

/// \return computing of equal duration on all GPUs of a stage, before slowdown and jitter
/// \param draw number that is unique among computing of a stage and micro-batch; seeds the jitter
Operation MakeComputing(const TrainingContext& context,
                        TrainingKind kind,
                        TimePs duration,
                        uint64_t draw);

/// \return computing of experts of a layer; its duration depends on the tokens of the GPU
/// \param draw as for MakeComputing()
/// \param part computes only the tokens of one part of an exchange; CountExchangeParts(): only
///     local tokens
Operation MakeExpertComputing(const TrainingContext& context,
                              uint32_t layer,
                              Pass pass,
                              uint64_t draw,
                              const std::optional<uint32_t>& part = std::nullopt);

/// \return recomputation of the activation of experts of a layer
/// \param draw as for MakeComputing()
Operation MakeActivation(const TrainingContext& context, uint32_t layer, uint64_t draw);

/// \return kernel launches of the host
Operation MakeLaunch(TimePs duration);

/// Scope of a planning step.
enum class PlanningOf : uint8_t
{
    Now,  //!< a micro-batch of a layer
    Next, //!< the next iteration of a layer, at the end of this one
    Moves //!< all layers, at the beginning of an iteration
};

/// \return planning on the CPU of a server
Operation MakePlanning(const TrainingContext& context, PlanningOf what, uint32_t layer);

} // namespace ns3::rails

#endif // TRAINING_COMPUTING_H
