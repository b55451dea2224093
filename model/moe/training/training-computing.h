// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_COMPUTING_H
#define TRAINING_COMPUTING_H

#include "ns3/operation.h"
#include "ns3/rails-units.h"
#include "ns3/training-context.h"

#include <cstdint>

namespace ns3::rails
{

/// \return computing that takes as long on all GPUs of a stage that are not slow
Operation MakeComputing(const TrainingContext& context, TrainingKind kind, TimePs duration);

/// \return what experts of a layer compute: as long as a GPU has tokens
Operation MakeExpertComputing(const TrainingContext& context, uint32_t layer, Pass pass);

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
