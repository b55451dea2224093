// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_SCALING_H
#define TRAINING_SCALING_H

#include "stage-node.h"

#include "ns3/graph-scaling.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Estimates a whole iteration from a run with fewer layers or micro-batches.
 *
 * A node's end is its end on the last GPU of a group, averaged over the groups of the stage. A
 * node's duration counts from the latest end of its dependencies, in its own stage or another. The
 * whole graph is then walked node by node. Each node takes the duration of a node of its sort in
 * the run; layers and micro-batches of the run are used in turn. So work that occurs once per
 * iteration counts once, and work hidden by the pipeline stays hidden.
 */
class TrainingScaling : public GraphScaling
{
  public:
    /// \return the whole training; null: unknown. It may throw ConfigurationError or
    ///     std::length_error
    using MakeWhole = std::function<std::unique_ptr<const StagedProgram>()>;

    /// \param part the simulated training; must outlive this object
    TrainingScaling(const StagedProgram& part, MakeWhole makeWhole);

    void OnEnd(uint32_t gpu, uint32_t stream, uint64_t over, TimePs at) override;
    std::optional<double> FindAdded() const override;

  private:
    /// Duration of a node of the run, in ps.
    struct Sample
    {
        double time{0};
        double size{0};
    };

    /// Durations of nodes of a layer, by micro-batch and iteration.
    using LayerSamples = std::map<uint32_t, std::map<uint32_t, Sample>>;

    /// Layers of a part of the pipeline, by index.
    struct PartSamples
    {
        uint32_t layers{0}; //!< layers of the part, with or without samples
        std::map<uint32_t, LayerSamples> byIndex{};
    };

    /// By number in the layer, and part of the pipeline.
    using Samples = std::map<uint32_t, std::map<uint32_t, PartSamples>>;

    /// End of a node by group of GPUs: the end on the last GPU of the group.
    using Ends = std::vector<std::pair<uint32_t, TimePs>>;

    /// \return end of a node whose dependencies end at `from`. \throws std::out_of_range when the
    ///     run has no such node
    using FindEnd = std::function<double(uint32_t iteration,
                                         uint32_t stage,
                                         uint32_t stream,
                                         uint64_t place,
                                         const StageNode& node,
                                         double from)>;

    static double Walk(const StagedProgram& program, const FindEnd& findEnd);
    static uint32_t FindStandIn(uint32_t few, const StageNode& node);
    static const LayerSamples& PickLayer(const PartSamples& part, const StageNode& node);
    static const Sample& Pick(const std::map<StageNode::Sort, Samples>& all,
                              const StageNode& node,
                              uint32_t iteration);

    const StagedProgram& m_part;
    MakeWhole m_makeWhole;
    std::vector<std::vector<std::vector<Ends>>> m_ends; //!< by stage and stream
};

} // namespace ns3::rails

#endif // TRAINING_SCALING_H
