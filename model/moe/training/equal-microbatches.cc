// SPDX-License-Identifier: GPL-2.0-only
#include "equal-microbatches.h"

#include <algorithm>
#include <numeric>

namespace ns3::rails
{

namespace
{

bool
AreEqual(const PipelineSlot& one, const PipelineSlot& other)
{
    return one.part == other.part && one.microbatch == other.microbatch &&
           one.chunk == other.chunk && one.isMerged == other.isMerged;
}

/// \return all such slots of a stage
RepeatedSlots
FindAll(const TrainingPlan& plan, uint32_t stage)
{
    const uint32_t added = plan.schedule->GetCycle(plan.GetPipeline());
    PipelineShape longer = plan.GetPipeline();
    longer.microbatches += added;
    const std::vector<PipelineSlot> slots = plan.schedule->MakeSlots(plan.GetPipeline(), stage);
    const std::vector<PipelineSlot> more = plan.schedule->MakeSlots(longer, stage);
    std::size_t end = 0;
    // The way back of the last micro-batch has more to do.
    while (end < slots.size() && AreEqual(slots[end], more[end]) &&
           !plan.CompletesGradients(slots[end]))
    {
        ++end;
    }
    const auto perMicrobatch = static_cast<uint32_t>((more.size() - slots.size()) / added);
    // The last ones go without the parameters that are gathered meanwhile for those behind them.
    const std::size_t ahead = plan.data.DividesAll() ? perMicrobatch : 0;
    return {0, end - std::min(end, ahead), perMicrobatch};
}

} // namespace

std::string
FindWhyUnlike(const TrainingPlan& plan)
{
    if (!plan.handling.IsPlain())
    {
        return "the policy of experts plans each micro-batch by itself";
    }
    if (plan.compute->Jitters())
    {
        return "computing jitters from micro-batch to micro-batch";
    }
    if (plan.circuits.servers > 0)
    {
        return "circuits are moved for each micro-batch by itself";
    }
    if (plan.ep > 1 && plan.model.layers > plan.model.denseLayers &&
        plan.load->GetCycle(plan.GetLoadShape()) == 0)
    {
        return "loads of experts differ from micro-batch to micro-batch; load: {type: imbalance, "
               "workload: w0} has all alike";
    }
    return {};
}

uint32_t
FindLoadCycle(const TrainingPlan& plan)
{
    return plan.ep > 1 ? std::max(1U, plan.load->GetCycle(plan.GetLoadShape())) : 1;
}

uint32_t
FindCycle(const TrainingPlan& plan)
{
    return std::lcm(plan.schedule->GetCycle(plan.GetPipeline()), FindLoadCycle(plan));
}

uint32_t
CountUnderWay(const TrainingPlan& plan)
{
    uint32_t most = 0; // each through a chunk
    for (uint32_t stage = 0; stage < plan.pp; ++stage)
    {
        most = std::max(most, plan.schedule->CountKept(plan.GetPipeline(), stage));
    }
    const uint32_t chunks = plan.chunks / plan.CountMirrors(); // that a micro-batch goes through
    return (most + chunks - 1) / chunks;
}

std::vector<RepeatedSlots>
ListRepeatedSlots(const TrainingPlan& plan)
{
    std::vector<RepeatedSlots> stages;
    std::size_t microbatches = plan.microbatches; // that all stages have
    for (uint32_t stage = 0; stage < plan.pp; ++stage)
    {
        stages.push_back(FindAll(plan, stage));
        microbatches = std::min(microbatches, stages.back().end / stages.back().perMicrobatch);
    }
    for (RepeatedSlots& slots : stages)
    {
        slots.first = slots.end - microbatches * slots.perMicrobatch;
    }
    return stages;
}

} // namespace ns3::rails
