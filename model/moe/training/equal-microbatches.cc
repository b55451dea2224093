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

/// \return all repeated slots of a stage
RepeatedSlots
FindAll(const TrainingSpec& spec, uint32_t stage)
{
    const uint32_t added = spec.schedule->GetCycle(spec.GetPipeline());
    PipelineShape longer = spec.GetPipeline();
    longer.microbatches += added;
    const std::vector<PipelineSlot> slots = spec.schedule->MakeSlots(spec.GetPipeline(), stage);
    const std::vector<PipelineSlot> more = spec.schedule->MakeSlots(longer, stage);
    std::size_t end = 0;
    // The backward pass of the last micro-batch also reduces gradients.
    while (end < slots.size() && AreEqual(slots[end], more[end]) &&
           !spec.CompletesGradients(slots[end]))
    {
        ++end;
    }
    const auto perMicrobatch = static_cast<uint32_t>((more.size() - slots.size()) / added);
    // The last slots gather no parameters for later slots.
    const std::size_t ahead = spec.data.DividesAll() ? perMicrobatch : 0;
    return {0, end - std::min(end, ahead), perMicrobatch};
}

} // namespace

std::string
FindWhyUnlike(const TrainingSpec& spec)
{
    if (!spec.handling.IsPlain())
    {
        return "the policy of experts plans each micro-batch by itself";
    }
    if (spec.compute->Jitters())
    {
        return "computing jitters from micro-batch to micro-batch";
    }
    if (spec.circuits.servers > 0)
    {
        return "circuits are moved for each micro-batch by itself";
    }
    if (spec.ep > 1 && spec.model.layers > spec.model.denseLayers &&
        spec.load->GetCycle(spec.GetLoadShape()) == 0)
    {
        return "loads of experts differ from micro-batch to micro-batch; load: {type: imbalance, "
               "workload: w0} has all alike";
    }
    return {};
}

uint32_t
FindLoadCycle(const TrainingSpec& spec)
{
    return spec.ep > 1 ? std::max(1U, spec.load->GetCycle(spec.GetLoadShape())) : 1;
}

uint32_t
FindCycle(const TrainingSpec& spec)
{
    return std::lcm(spec.schedule->GetCycle(spec.GetPipeline()), FindLoadCycle(spec));
}

uint32_t
CountUnderWay(const TrainingSpec& spec)
{
    uint32_t most = 0; // in pairs of a micro-batch and a chunk
    for (uint32_t stage = 0; stage < spec.pp; ++stage)
    {
        most = std::max(most, spec.schedule->CountKept(spec.GetPipeline(), stage));
    }
    const uint32_t chunks = spec.chunks / spec.CountMirrors(); // chunks that a micro-batch passes
    return (most + chunks - 1) / chunks;
}

std::vector<RepeatedSlots>
ListRepeatedSlots(const TrainingSpec& spec)
{
    std::vector<RepeatedSlots> stages;
    std::size_t microbatches = spec.microbatches; // repeated by all stages
    for (uint32_t stage = 0; stage < spec.pp; ++stage)
    {
        stages.push_back(FindAll(spec, stage));
        microbatches = std::min(microbatches, stages.back().end / stages.back().perMicrobatch);
    }
    for (RepeatedSlots& slots : stages)
    {
        slots.first = slots.end - microbatches * slots.perMicrobatch;
    }
    return stages;
}

} // namespace ns3::rails
