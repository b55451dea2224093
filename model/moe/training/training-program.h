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
#include "ns3/training-plan.h"

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
 * Iterations of a training as a program: for each stage of the pipeline the slots of its schedule,
 * for each kind of slot the operations in it. Nodes, and what they send, are worked out when they
 * are asked for; tokens are drawn then, and drawn again where they have been forgotten meanwhile.
 */
class TrainingProgram : public StagedProgram
{
  public:
    /**
     * \param plan what to do
     * \throws std::length_error when it takes 2^32 steps or more
     * \throws ConfigurationError with the key when its schedule leaves out a pass
     */
    explicit TrainingProgram(TrainingPlan plan);

    /**
     * Lets a policy of experts plan where tokens go; before anything is asked for but estimates.
     * \throws ConfigurationError with the key when a policy cannot do that
     */
    void Prepare();

    /// See TrainingContext::Sample().
    void Sample();

    /// See TrainingContext::Outline().
    void Outline();

    const TrainingPlan& GetPlan() const;

    /**
     * \param ofAll of all streams, in place of those that a run looks at
     * \return nodes of each GPU that do not depend on how many micro-batches there are; of a
     * training whose micro-batches are equal
     */
    std::vector<RepeatedNodes> ListRepeated(bool ofAll = false) const;

    /// \return what a policy of experts did, when all has been asked for that is moved
    ExpertFigures GetExpertFigures() const;

    /// \return how much ListExpertCopies() has
    ExpertExtent GetExpertExtent() const;

    /// \return copies of experts of a layer by expert and GPU, all micro-batches of an iteration
    /// together, where they are kept; none where the layer has no experts
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
    std::vector<std::pair<std::string, double>> GetFigures(double seconds) const override;
    std::vector<std::string> GetNotes() const override;
    TrafficMatrix GetTotal() const override;

    /// \return how long a GPU computes at most: if it had all tokens of its group
    double EstimateSeconds() const;

    /// \return bytes that all of it moves, the mean over all draws; of a training that
    /// de-duplicates as if all experts were equal
    double EstimateBytes() const;

    /// \return messages of all iterations, about, those inside servers included
    double EstimateMessages() const;

    GraphWork EstimateWork() const override;

  private:
    /// A pass of a micro-batch in a slot.
    struct Pass
    {
        PipelineSlot what;
        uint32_t receivedStep{0}; //!< in which another stage sends it on; in the iteration
        uint32_t receivedFrom{0}; //!< that stage
        uint32_t sentTo{0};       //!< the stage that it is sent on to
    };

    /// A slot of the schedule of a stage: a pass, or two that are merged.
    struct Slot
    {
        std::array<std::optional<Pass>, kMostPasses> passes;
        const SlotOperations* what;
        std::array<uint64_t, kTrainingStreams> first;    //!< by stream: nodes of slots before it
        std::array<double, kTrainingStreams> workBefore; //!< by stream: of those nodes
        uint32_t firstStep;                              //!< in the iteration
    };

    struct Stage
    {
        std::vector<Slot> slots;
        std::array<uint64_t, kTrainingStreams> counts{}; //!< nodes of an iteration
    };

    /// What a node is.
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

    TrainingPlan m_plan;
    TrainingContext m_context;
    TrainingCollectives m_collectives;
    ReplicaCollectives m_replicas;           //!< of experts that a policy places
    std::deque<SlotOperations> m_operations; //!< of all kinds of slots; they stay in place
    std::vector<Stage> m_stages;
    mutable std::map<uint32_t, double> m_loads; //!< of layers, FindLoad()
    /// Of layers, and whether of gradients: FindCopied().
    mutable std::map<std::pair<uint32_t, bool>, double> m_copied;
    uint32_t m_steps{0};      //!< of an iteration
    uint32_t m_stepsOfAll{0}; //!< where those begin, in the iteration, that all stages do together
};

} // namespace ns3::rails

#endif // TRAINING_PROGRAM_H
