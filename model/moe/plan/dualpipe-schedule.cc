// SPDX-License-Identifier: GPL-2.0-only
#include "merging-check.h"
#include "pipeline-schedule.h"
#include "training-spec.h"

#include "ns3/component-documentation.h"
#include "ns3/rails-error.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * `dualpipe`: DeepSeek's schedule (arXiv 2412.19437, section 3.2.1). Micro-batches come in at both
 * ends of the pipeline, even ones at the first stage, odd ones at the last. So a stage has two
 * parts of the model, one per direction, and each part is on two stages. A forward pass of one
 * direction is merged with a backward pass of the other.
 */
class DualpipeSchedule : public PipelineSchedule
{
  public:
    static TypeId GetTypeId();

    void Check(const TrainingSpec& spec) const override;
    std::vector<PipelineSlot> MakeSlots(const PipelineShape& shape, uint32_t stage) const override;
    uint32_t CountChunks(uint32_t chunks) const override;
    uint32_t CountParts(const PipelineShape& shape) const override;
    uint32_t GetPart(const PipelineShape& shape, uint32_t stage, uint32_t chunk) const override;
    uint32_t GetCycle(const PipelineShape& shape) const override;
};

NS_OBJECT_ENSURE_REGISTERED(DualpipeSchedule);

namespace
{

/// Builds the slots of a stage. Micro-batches of the near direction enter at the nearer end.
class DualpipeWriter
{
  public:
    /// \param near chunk of the near direction
    DualpipeWriter(uint32_t near, bool merges)
        : m_near(near),
          m_merges(merges)
    {
    }

    void Forward(bool isNear)
    {
        Add(SlotPart::Forward, isNear, m_forward);
    }

    void Backward(bool isNear)
    {
        Add(SlotPart::Backward, isNear, m_backward);
    }

    void BackwardInputs(bool isNear)
    {
        Add(SlotPart::BackwardInputs, isNear, m_backward);
        m_later.push_back(m_slots.back());
        m_later.back().part = SlotPart::BackwardWeights;
    }

    /// Takes the first remaining passes.
    void BackwardWeights()
    {
        m_slots.push_back(m_later.front());
        m_later.pop_front();
    }

    /// Merges a forward pass of a direction with a backward pass of the other.
    void Both(bool isForwardNear)
    {
        Forward(isForwardNear);
        Backward(!isForwardNear);
        m_slots.back().isMerged = m_merges;
    }

    std::vector<PipelineSlot> Get() const
    {
        return m_slots;
    }

  private:
    void Add(SlotPart part, bool isNear, std::array<uint32_t, 2>& counts)
    {
        const uint32_t chunk = isNear ? m_near : 1 - m_near;
        m_slots.push_back({part, 2 * counts[chunk]++ + chunk, chunk});
    }

    uint32_t m_near;
    bool m_merges;
    std::vector<PipelineSlot> m_slots;
    std::deque<PipelineSlot> m_later;    //!< delayed wgrad passes
    std::array<uint32_t, 2> m_forward{}; //!< number of forward passes, by chunk
    std::array<uint32_t, 2> m_backward{};
};

} // namespace

TypeId
DualpipeSchedule::GetTypeId()
{
    static TypeId tid = AddOverlap(
        SetDocumentation(
            TypeId("ns3::rails::DualpipePipelineSchedule").SetParent<PipelineSchedule>(),
            "DualPipe: micro-batches come in at both ends, and each stage has two parts of the "
            "model, one for each direction; forward of one direction goes with backward of the "
            "other. (DeepSeek-V3, arXiv 2412.19437, section 3.2.1.)")
            .SetGroupName("Rails")
            .AddConstructor<DualpipeSchedule>(),
        OVERLAP_EXCHANGE);
    return tid;
}

void
DualpipeSchedule::Check(const TrainingSpec& spec) const
{
    const auto say = [](const std::string& key, const std::string& what) {
        throw ConfigurationError(key, "dualpipe " + what);
    };
    if (spec.pp % 2 != 0)
    {
        say("parallel.pp", "begins at both ends of a pipeline: expected an even number of stages");
    }
    if (spec.chunks != CountChunks(1))
    {
        say("parallel.vpp", "has a chunk of layers for each direction: set it to 1");
    }
    if (spec.microbatches % 2 != 0 || spec.microbatches < 2 * spec.pp)
    {
        say(spec.microbatchesKey,
            "needs an even number of micro-batches, at least 2 pp = " +
                std::to_string(2 * spec.pp) + ", here are " + std::to_string(spec.microbatches));
    }
    if (spec.RepeatsExperts())
    {
        say("recompute",
            "keeps what gradients of parameters need until they are computed: set it to none, or "
            "schedule to 1f1b");
    }
    if (!spec.handling.IsPlain())
    {
        say("experts",
            "knows neither policies of experts nor a capacity or padding: set it to plain-ep "
            "without these, or schedule to 1f1b");
    }
    CheckMerging(spec);
}

/// Eight steps, as in DeepSeek's implementation (github.com/deepseek-ai/DualPipe); figure 5 of the
/// paper has them for eight stages and twenty micro-batches.
std::vector<PipelineSlot>
DualpipeSchedule::MakeSlots(const PipelineShape& shape, uint32_t stage) const
{
    const uint32_t half = shape.stages / 2;
    const uint32_t outer = std::min(stage, shape.stages - 1 - stage); // stages nearer to the end
    const uint32_t inner = half - 1 - outer;                          // stages nearer to the middle
    const uint32_t each = shape.microbatches / 2;
    DualpipeWriter writer(stage < half ? 0 : 1, Overlaps());
    for (uint32_t i = 0; i < 2 * inner; ++i)
    {
        writer.Forward(true);
    }
    for (uint32_t i = 0; i <= outer; ++i)
    {
        writer.Forward(true);
        writer.Forward(false);
    }
    for (uint32_t i = 0; i < inner; ++i)
    {
        writer.BackwardInputs(false);
        writer.BackwardWeights();
        writer.Forward(false);
    }
    for (uint32_t i = 0; i < each + outer + 1 - shape.stages; ++i)
    {
        if (i == 0 && inner == 0)
        {
            // Stages in the middle do not wait for a merged pass.
            writer.Forward(true);
            writer.Backward(false);
        }
        else
        {
            writer.Both(true);
        }
        writer.Both(false);
    }
    for (uint32_t i = 0; i < inner; ++i)
    {
        writer.Backward(false);
        writer.Both(false);
    }
    // From half of them on, wgrad is delayed into the bubble.
    const uint32_t pairs = outer + 1;
    for (uint32_t i = 0; i < 2 * pairs; ++i)
    {
        const bool isNear = i % 2 == 1;
        if (i < pairs)
        {
            writer.Backward(isNear);
        }
        else
        {
            writer.BackwardInputs(isNear);
        }
    }
    for (uint32_t i = 0; i < inner; ++i)
    {
        writer.BackwardWeights();
        writer.BackwardInputs(true);
    }
    for (uint32_t i = 0; i < pairs; ++i)
    {
        writer.BackwardWeights();
    }
    return writer.Get();
}

uint32_t
DualpipeSchedule::CountChunks(uint32_t chunks) const
{
    return 2 * chunks;
}

uint32_t
DualpipeSchedule::CountParts(const PipelineShape& shape) const
{
    return shape.stages;
}

uint32_t
DualpipeSchedule::GetPart(const PipelineShape& shape, uint32_t stage, uint32_t chunk) const
{
    return chunk == 0 ? stage : shape.stages - 1 - stage;
}

uint32_t
DualpipeSchedule::GetCycle(const PipelineShape&) const
{
    return 2; // one micro-batch in each direction
}

} // namespace ns3::rails
