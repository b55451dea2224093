// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_PROGRAM_H
#define TRAINING_PROGRAM_H

#include "stage-node.h"
#include "training-collectives.h"

#include "ns3/graph-program.h"
#include "ns3/operation.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/replica-sync.h"
#include "ns3/traffic-matrix.h"
#include "ns3/training-context.h"
#include "ns3/training-spec.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Iterations of a training as a graph of nodes: the slots of each stage's schedule, with the
 * operations of each kind of slot. Nodes and transfers are computed on demand. Token counts are
 * drawn then, and drawn again after they leave the cache.
 */
class TrainingProgram : public StagedProgram
{
  public:
    /**
     * \param spec the training
     * \throws std::length_error when it takes 2^32 steps or more
     * \throws ConfigurationError with the key when its schedule lacks a pass
     */
    explicit TrainingProgram(TrainingSpec spec);

    /**
     * Plans all iterations with the expert policy. To be called before anything except estimates.
     * \throws ConfigurationError with the key when the policy does not support the training
     */
    void Prepare();

    /// See TrainingContext::Sample().
    void Sample();

    /// See TrainingContext::Outline().
    void Outline();

    const TrainingSpec& GetSpec() const
    {
        return m_spec;
    }

    /**
     * \param ofAll lists all streams, instead of computing and gradients only
     * \return nodes of each GPU that are the same for any number of micro-batches, if micro-batches
     *     are equal
     */
    std::vector<RepeatedNodes> ListRepeated(bool ofAll = false) const;

    /// \return figures of the expert policy; without a policy, call it after GetTotal()
    ExpertFigures GetExpertFigures() const;

    /// \return iterations and layers of ListExpertCopies()
    ExpertExtent GetExpertExtent() const;

    /// \return token counts of replicas of a layer by expert and GPU, summed over the micro-batches
    ///     of an iteration. Needs ExpertHandling::keepsCopies; empty if the layer has no experts.
    std::vector<ExpertCopy> ListExpertCopies(uint32_t iteration, uint32_t layer) const;

    uint32_t CountStages() const override;
    uint32_t GetStage(uint32_t gpu) const override;
    uint32_t GetGroup(uint32_t gpu) const override;
    uint64_t CountStageNodes(uint32_t stage, uint32_t stream) const override;
    StageNode DescribeStageNode(uint32_t stage, uint32_t stream, uint64_t place) const override;
    const ClusterShape& GetShape() const override;
    const std::vector<std::string>& GetKinds() const override;
    uint32_t GetStreams() const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    uint64_t CountNodes(uint32_t gpu, uint32_t stream) const override;
    std::optional<GraphAdvance> FindAdvance(
        const std::function<uint64_t(uint32_t gpu, uint32_t stream)>& countOver) const override;
    std::vector<CollectiveRecord> GetCollectives() const override;
    std::vector<std::vector<uint32_t>> GetReplicas() const override;
    std::unique_ptr<const GraphRepetition> FindRepetition() const override;
    std::unique_ptr<GraphScaling> FindScaling() const override;
    uint32_t GetIterations() const override;
    std::vector<std::pair<std::string, double>> GetFigures(
        double seconds,
        const GraphRecord* record) const override;
    std::vector<std::string> GetNotes() const override;
    TrafficMatrix GetTotal() const override;

    /// \return upper bound of the computing time of a GPU in seconds, as if it had all tokens of
    ///     its group
    double EstimateSeconds() const;

    /// \return traffic of all iterations in bytes, mean over all draws. With token deduplication
    ///     experts count as equally popular.
    double EstimateBytes() const;

    /// \return estimated messages of all iterations, traffic inside servers included
    double EstimateMessages() const;

    GraphWork EstimateWork() const override;

  private:
    /// A pass of a micro-batch in a slot.
    struct Pass
    {
        PipelineSlot what;
        uint32_t receivedStep{0}; //!< step of the iteration in which the input is sent
        uint32_t receivedFrom{0}; //!< stage that sends the input
        uint32_t sentTo{0};       //!< stage that receives the output
    };

    /// A slot of the schedule of a stage: a pass, or two that are merged.
    struct Slot
    {
        std::array<std::optional<Pass>, kMostPasses> passes;
        const SlotOperations* what;
        std::array<uint64_t, kTrainingStreams> first;    //!< by stream: nodes of earlier slots
        std::array<double, kTrainingStreams> workBefore; //!< by stream: work of those nodes
        uint32_t firstStep; //!< first step of the slot in the iteration
    };

    struct Stage
    {
        std::vector<Slot> slots;
        std::array<uint64_t, kTrainingStreams> counts{}; //!< nodes of an iteration, by stream
    };

    /// Slot and operation of a node.
    struct Found
    {
        const Slot& slot;
        const Operation& operation;

        const Pass& GetPass() const
        {
            return *slot.passes[operation.pass];
        }
    };

    void MakeStages();
    void MakeStagesAgain();
    double EstimatePlanning() const;
    void JoinStages();
    static std::vector<const Slot*> ListByPass(const Stage& stage);
    static Found FindOperation(const Stage& stage, uint32_t stream, uint64_t place);
    static double FindWork(const Stage& stage, uint32_t stream, uint64_t nodes);
    uint32_t CountRounds(const Stage& stage, uint64_t nodes) const;
    std::vector<std::pair<const Slot*, uint64_t>> ListDifferentSlots(uint32_t stage) const;
    std::vector<GraphNode::Wait> ListWaits(uint64_t place, const Found& found) const;
    double FindLoad(uint32_t stage, uint32_t layer) const;
    double FindCopied(uint32_t stage, uint32_t layer, bool isGradients) const;
    StageNode::PassSort GetPassSort(const PipelineSlot& pass) const;
    static bool IsServed(const Stage& stage, uint64_t place);
    const SlotOperations& AddOperations(SlotOperations operations);
    SlotPlace MakePlace(uint32_t iteration, uint32_t stage, const Found& found) const;
    void Make(uint32_t gpu, uint32_t iteration, const Found& found, GraphNode& node) const;
    template <typename Function>
    void ForEachOperation(const Function& function) const;

    TrainingSpec m_spec;
    TrainingContext m_context;
    TrainingCollectives m_collectives;
    ReplicaCollectives m_replicas;           //!< collectives of experts that a policy places
    std::deque<SlotOperations> m_operations; //!< of all kinds of slots, which point into it
    std::vector<Stage> m_stages;
    mutable std::map<uint32_t, double> m_loads; //!< cache of FindLoad(), by layer
    /// Cache of FindCopied(), by layer and whether for gradients.
    mutable std::map<std::pair<uint32_t, bool>, double> m_copied;
    uint32_t m_steps{0};      //!< steps of an iteration
    uint32_t m_stepsOfAll{0}; //!< first step of operations of all stages, in the iteration
};

} // namespace ns3::rails

#endif // TRAINING_PROGRAM_H
