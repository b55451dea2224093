// SPDX-License-Identifier: GPL-2.0-only
#ifndef PIPELINE_SCHEDULE_H
#define PIPELINE_SCHEDULE_H

#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::rails
{

struct TrainingSpec;

/// Work of a stage in a slot of its pipeline's schedule.
enum class SlotPart : uint8_t
{
    Begin, //!< begin of an iteration
    Forward,
    Backward,        //!< BackwardInputs and BackwardWeights together
    BackwardInputs,  //!< dgrad: gradients of activations, which the previous stage needs
    BackwardWeights, //!< wgrad: gradients of parameters, after dgrad
    Update           //!< optimizer, at the end of an iteration
};

/// A pass of a micro-batch through a chunk of layers of a stage, or a part of it.
struct PipelineSlot
{
    SlotPart part{SlotPart::Forward};
    uint32_t microbatch{0};
    uint32_t chunk{0};    //!< chunk of layers of the stage, from 0
    bool isMerged{false}; //!< merged with the slot before, to overlap exchanges
};

/// Size of a pipeline.
struct PipelineShape
{
    uint32_t stages{1};
    uint32_t chunks{1};       //!< chunks of layers per stage
    uint32_t microbatches{1}; //!< of an iteration
};

/**
 * Order of the passes of each pipeline stage: `schedule` of a training. A schedule gives the slots
 * of each stage in an iteration, and the part of the model that each chunk holds. Dependencies and
 * the number of kept activations follow from both.
 */
class PipelineSchedule : public Object
{
  public:
    /// Computing during dispatch and combine.
    enum Overlap
    {
        OVERLAP_NONE,    //!< only shared experts
        OVERLAP_EXCHANGE //!< another micro-batch
    };

    static TypeId GetTypeId();

    /// \throws ConfigurationError with the key of the training that the schedule does not support
    virtual void Check(const TrainingSpec& spec) const = 0;

    /**
     * \param shape passes Check()
     * \param stage of the pipeline, from 0
     * \return slots of the stage in an iteration, in order. Each micro-batch passes each chunk once
     *     forward and once backward. A split backward pass has both parts, each in the order of
     *     micro-batches.
     */
    virtual std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape,
                                                uint32_t stage) const = 0;

    /// \return chunks of layers on a GPU. \param chunks per direction of the pipeline
    virtual uint32_t CountChunks(uint32_t chunks) const;

    /// \return parts of the model; unless overridden one per chunk of all stages
    virtual uint32_t CountParts(const PipelineShape& shape) const;

    /// \return part of the model in a chunk; unless overridden stages hold the first parts in
    ///     order, one each, then the next
    virtual uint32_t GetPart(const PipelineShape& shape, uint32_t stage, uint32_t chunk) const;

    /// \return micro-batches after which the steady state of each stage repeats its order
    virtual uint32_t GetCycle(const PipelineShape& shape) const;

    /// \return most activations that a stage keeps, in pairs of a chunk and a micro-batch: from the
    ///     forward pass to the end of the backward pass
    uint32_t CountKept(const PipelineShape& shape, uint32_t stage) const;

    /// \return true when forward and backward passes are merged; token exchanges then run on a
    ///     stream of their own
    bool Overlaps() const;

    /// \return true when wgrad follows dgrad layer by layer, instead of being computed with it
    bool DelaysWeights() const
    {
        return m_delaysWeights;
    }

  protected:
    /// Adds the keys of a schedule that can merge passes. \param overlap default of the key
    static TypeId AddOverlap(TypeId tid, Overlap overlap);

    /**
     * \param passes number of forward passes, and of backward passes
     * \param ahead forward passes before the first backward pass; then both alternate
     * \param make returns the slot of the given number in a direction
     * \return the slots; the two slots of a turn are merged if passes are merged
     */
    std::vector<PipelineSlot> Alternate(
        uint32_t passes,
        uint32_t ahead,
        const std::function<PipelineSlot(SlotPart, uint32_t)>& make) const;

  private:
    Overlap m_overlap{OVERLAP_NONE};
    bool m_delaysWeights{false};
};

} // namespace ns3::rails

#endif // PIPELINE_SCHEDULE_H
