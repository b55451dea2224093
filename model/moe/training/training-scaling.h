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
 * Estimates a whole iteration from a training with fewer layers or micro-batches. Of a group of
 * GPUs in a stage of the pipeline it takes the end of a node on the last of them, and of that the
 * mean over groups. What a node takes is the time from the last of the nodes that it waits for, of
 * its own stage or another one. The whole is then gone through node by node: each takes as long as
 * a node of its sort did in the run, with the layer and the micro-batch that come in its turn. So
 * what happens once in an iteration is counted once, and what a pipeline hides stays hidden.
 */
class TrainingScaling : public GraphScaling
{
  public:
    /// \return the whole; null: nobody knows. It may throw ConfigurationError or std::length_error
    using MakeWhole = std::function<std::unique_ptr<const StagedProgram>()>;

    /// \param part that is run; has to live as long
    TrainingScaling(const StagedProgram& part, MakeWhole makeWhole);

    void OnEnd(uint32_t gpu, uint32_t stream, uint64_t over, TimePs at) override;
    std::optional<double> FindAdded() const override;

  private:
    /// What a node of the run took, in ps.
    struct Sample
    {
        double time{0};
        double size{0};
    };

    /// What nodes of a layer took, by micro-batch and iteration.
    using LayerSamples = std::map<uint32_t, std::map<uint32_t, Sample>>;

    /// Layers of a part of the pipeline, by index.
    struct PartSamples
    {
        uint32_t layers{0}; //!< of all sorts
        std::map<uint32_t, LayerSamples> byIndex{};
    };

    /// By number in its layer, and part of the pipeline.
    using Samples = std::map<uint32_t, std::map<uint32_t, PartSamples>>;

    /// When a node was over, by group of GPUs: on the last of them.
    using Ends = std::vector<std::pair<uint32_t, TimePs>>;

    /// Says when a node ends that could begin at a time. \throws std::out_of_range when it cannot
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
