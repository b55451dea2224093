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

/// \return computing that takes as long on all GPUs of a stage that are not slow
/// \param draw a number of its own, of all that a stage computes for a micro-batch
Operation MakeComputing(const TrainingContext& context,
                        TrainingKind kind,
                        TimePs duration,
                        uint64_t draw);

/// \return what experts of a layer compute: as long as a GPU has tokens
/// \param draw as of MakeComputing()
/// \param part of the tokens alone: those that come with a part of an exchange, or, behind the last
/// of these, those that are there already
Operation MakeExpertComputing(const TrainingContext& context,
                              uint32_t layer,
                              Pass pass,
                              uint64_t draw,
                              const std::optional<uint32_t>& part = std::nullopt);

/// \return the activation of experts of a layer, by itself
/// \param draw as of MakeComputing()
Operation MakeActivation(const TrainingContext& context, uint32_t layer, uint64_t draw);

/// \return the host launches kernels for so long
Operation MakeLaunch(TimePs duration);

/// What a policy of experts plans.
enum class PlanningOf : uint8_t
{
    Now,  //!< a micro-batch of a layer
    Next, //!< the next iteration of a layer, at the end of this one
    Moves //!< all layers, at the beginning of an iteration
};

/// \return planning, on the CPU of a server
Operation MakePlanning(const TrainingContext& context, PlanningOf what, uint32_t layer);

} // namespace ns3::rails

#endif // TRAINING_COMPUTING_H
