// SPDX-License-Identifier: GPL-2.0-only
#include "layer-work.h"

namespace ns3::rails
{

LayerFlops
GetLayerFlops(const TrainingPlan& plan)
{
    const ModelDimensions& model = plan.model;
    const double group = plan.GetGroupTokens();
    const double own = plan.GetTokens();
    return {2 * group * model.GetAttentionParameters() / plan.tp,
            group * plan.sequence * model.GetAttentionWidth() / plan.tp,
            2 * own * model.hidden * model.experts,
            2 * own * model.GetFfnParameters(model.hidden, model.sharedFfn),
            2 * group * model.GetFfnParameters(model.hidden, model.ffn) / plan.tp};
}

TimePs
GetExpertTime(const TrainingPlan& plan, double tokens, double times)
{
    Work work;
    work.part = Work::Part::Experts;
    work.tokens = tokens;
    work.flops = 2 * tokens * plan.model.GetExpertParameters();
    work.times = times;
    return plan.compute->GetTime(work);
}

TimePs
GetOtherTime(const TrainingPlan& plan, double times)
{
    const LayerFlops flops = GetLayerFlops(plan);
    Work attention;
    attention.flops = flops.projections + flops.core;
    attention.times = times;
    Work gate;
    gate.part = Work::Part::Gate;
    gate.flops = flops.gate;
    gate.times = times;
    return plan.compute->GetTime(attention) + plan.compute->GetTime(gate);
}

double
GetTokenFlops(const TrainingPlan& plan)
{
    return 2 * plan.model.GetActiveParameters() +
           plan.model.layers * static_cast<double>(plan.sequence) * plan.model.GetAttentionWidth();
}

} // namespace ns3::rails
