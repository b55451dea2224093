// SPDX-License-Identifier: GPL-2.0-only
#ifndef PIPELINE_SCHEDULE_H
#define PIPELINE_SCHEDULE_H

#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::rails
{

struct TrainingPlan;

/// What a stage does in a slot of its pipeline's schedule.
enum class SlotPart : uint8_t
{
    Begin, //!< of an iteration
    Forward,
    Backward,        //!< both of those that follow at once
    BackwardInputs,  //!< gradients of activations, which the stage before waits for
    BackwardWeights, //!< gradients of parameters, when those of activations are there
    Update           //!< the end of an iteration
};

/// A pass of a micro-batch through a chunk of layers of a stage, or a part of it.
struct PipelineSlot
{
    SlotPart part{SlotPart::Forward};
    uint32_t microbatch{0};
    uint32_t chunk{0};    //!< of the GPU, from 0
    bool isMerged{false}; //!< it is done together with the one before it: one computes while the
                          //!< other exchanges
};

/// What a schedule is for.
struct PipelineShape
{
    uint32_t stages{1};
    uint32_t chunks{1};       //!< of layers on each stage
    uint32_t microbatches{1}; //!< of an iteration
};

/**
 * In which order a stage of a pipeline does its passes: `schedule` of a training. A schedule says
 * what each stage does in an iteration, and which part of the model a chunk is; who waits for whom,
 * and how many activations are kept, follows from that.
 */
class PipelineSchedule : public Object
{
  public:
    /// What is done while tokens are exchanged.
    enum Overlap
    {
        OVERLAP_NONE,    //!< shared experts alone are computed
        OVERLAP_EXCHANGE //!< another micro-batch computes
    };

    static TypeId GetTypeId();

    /// \throws ConfigurationError with the key of the training that it does not go with
    virtual void Check(const TrainingPlan& plan) const = 0;

    /**
     * \param shape passes Check()
     * \param stage of the pipeline, from 0
     * \return what the stage does in an iteration, in order: each micro-batch once forward and once
     * backward through each chunk, whole or in both parts, those in the order of micro-batches
     */
    virtual std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape,
                                                uint32_t stage) const = 0;

    /// \return chunks of layers on a GPU. \param chunks that it has for a direction
    virtual uint32_t CountChunks(uint32_t chunks) const;

    /// \return how many parts the model has: unless overridden as many as there are chunks on all
    /// stages
    virtual uint32_t CountParts(const PipelineShape& shape) const;

    /// \return which part of the model a chunk is; unless overridden the stages have the first
    /// parts, one each, then the next
    virtual uint32_t GetPart(const PipelineShape& shape, uint32_t stage, uint32_t chunk) const;

    /// \return micro-batches after which the order on each stage is as before, between the
    /// beginning and the end of an iteration
    virtual uint32_t GetCycle(const PipelineShape& shape) const;

    /// \return activations that a stage keeps at most, each of a chunk and a micro-batch: from the
    /// pass forward until nothing of the way back is left to do
    uint32_t CountKept(const PipelineShape& shape, uint32_t stage) const;

    /// \return true when passes forward and backward are merged, so that exchanges do not wait for
    /// other communication
    bool Overlaps() const;

    /// \return true when gradients of parameters are computed behind those of activations, layer
    /// by layer
    bool DelaysWeights() const;

  protected:
    /// Adds the keys of a schedule that can merge passes. \param overlap unless another is given
    static TypeId AddOverlap(TypeId tid, Overlap overlap);

    /**
     * \param passes forward, and as many backward
     * \param ahead passes forward before the first backward; then one of each in turn
     * \param make says which pass a number is in its direction
     * \return the slots; those of each turn are merged if passes are
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
