// SPDX-License-Identifier: GPL-2.0-only
#ifndef PIPELINE_SCHEDULE_H
#define PIPELINE_SCHEDULE_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// A pass of a micro-batch through a chunk of layers of a stage.
struct PipelineSlot
{
    bool isForward{true};
    uint32_t microbatch{0};
    uint32_t chunk{0}; //!< of the GPU, from 0; more than one where the schedule interleaves
};

/**
 * One forward, one backward (1F1B): a stage begins with as many micro-batches forward as lie
 * between it and the end, then does one back for each forward. With more than one chunk the
 * schedule is the interleaved one of Megatron-LM (arXiv 2104.04473, section 2.2): micro-batches go
 * in groups of as many as there are stages, a group through all chunks before the next.
 * \param stage of the pipeline, from 0
 * \param stages how many there are
 * \param chunks of a stage
 * \param microbatches of an iteration; a multiple of the stages where there are chunks, otherwise
 *     std::logic_error
 * \return what the stage does in an iteration, in order
 */
std::vector<PipelineSlot> MakePipelineSchedule(uint32_t stage,
                                               uint32_t stages,
                                               uint32_t chunks,
                                               uint32_t microbatches);

} // namespace ns3::rails

#endif // PIPELINE_SCHEDULE_H
