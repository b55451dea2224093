// SPDX-License-Identifier: GPL-2.0-only
#ifndef LAYER_WORK_H
#define LAYER_WORK_H

#include "training-plan.h"

#include "ns3/rails-units.h"

namespace ns3::rails
{

/// Floating-point operations forward of a layer of a GPU with a micro-batch.
struct LayerFlops
{
    double projections; //!< of attention
    double core;        //!< of attention: each token with those before it
    double gate;
    double shared;
    double dense;
};

LayerFlops GetLayerFlops(const TrainingPlan& plan);

/// \return how long experts compute. \param tokens pairs of a token and an expert
/// \param times how often as long as forward
TimePs GetExpertTime(const TrainingPlan& plan, double tokens, double times);

/// \return how long a GPU computes in a layer with experts besides these and shared ones
/// \param times how often as long as forward
TimePs GetOtherTime(const TrainingPlan& plan, double times);

/// \return forward operations of a token in all layers and the head, in floating-point numbers
double GetTokenFlops(const TrainingPlan& plan);

} // namespace ns3::rails

#endif // LAYER_WORK_H
