// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_PROGRAM_H
#define TRAINING_PROGRAM_H

#include "exchange-parties.h"
#include "expert-groups.h"
#include "expert-router.h"
#include "expert-traffic.h"
#include "gpu-group-table.h"
#include "pipeline-schedule.h"
#include "planned-router.h"
#include "training-collectives.h"
#include "training-operations.h"
#include "training-plan.h"

#include "ns3/graph-program.h"
#include "ns3/traffic-matrix.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Iterations of a training as a program: for each stage of the pipeline the slots of its schedule,
 * for each kind of slot the operations in it. Nodes, and what they send, are worked out when they
 * are asked for; tokens are drawn then, and drawn again where they have been forgotten meanwhile.
 */
class TrainingProgram : public GraphProgram
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

    const TrainingPlan& GetPlan() const;

    /// \return what a policy of experts did, when all has been asked for that is moved
    ExpertFigures GetExpertFigures() const;

    /// \return copies of experts of a layer, by expert and GPU; none where it has no experts
    std::vector<ExpertCopy> ListExpertCopies(uint32_t iteration, uint32_t layer) const;

    const ClusterShape& GetShape() const override;
    const std::vector<std::string>& GetKinds() const override;
    uint32_t GetStreams() const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    uint64_t CountNodes(uint32_t gpu, uint32_t stream) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;
    uint16_t GetRail(uint32_t gpu, uint32_t step) const override;
    std::vector<CollectiveRecord> GetCollectives() const override;
    std::vector<uint32_t> GetMembers(uint32_t server, uint32_t step) const override;
    uint32_t CountMembers(uint32_t barrier) const override;
    std::vector<Demand> GetAnnounced(uint32_t gpu, uint32_t barrier) const override;
    TimePs GetComputeTime() const override;
    TrafficMatrix GetTotal() const override;

    /// \return how long a GPU computes at most: if it had all tokens of its group
    double EstimateSeconds() const;

    /// \return bytes that all of it moves, the mean over all draws; of a training that
    /// de-duplicates as if all experts were equal
    double EstimateBytes() const;

    /// \return messages of all iterations, about, those inside servers included
    double EstimateMessages() const;

  private:
    double EstimateCopies(double parts) const;

    /// A slot of the schedule of a stage.
    struct Slot
    {
        PipelineSlot pass;
        const SlotOperations* what;
        std::array<uint64_t, kTrainingStreams> first; //!< by stream: nodes of slots before it
        uint32_t firstStep;                           //!< in the iteration
        uint32_t receivedStep{0};                     //!< in which another stage sends it on
        uint32_t sentTo{0};                           //!< the stage that it is sent on to
    };

    struct Stage
    {
        std::vector<Slot> slots;
        std::array<uint64_t, kTrainingStreams> counts{}; //!< nodes of an iteration
        uint32_t firstStep{0};                           //!< in the iteration
        uint32_t endStep{0};
    };

    /// What a step is.
    struct Step
    {
        uint32_t iteration;
        uint32_t stage;
        const Slot* slot;
        const Operation* operation;
        uint32_t number; //!< of the operation's steps, or the party whose step it is
    };

    /// What a node is.
    struct Found
    {
        const Slot& slot;
        const Operation& operation;
    };

    void MakeStages();
    void JoinStages();
    static Found FindOperation(const Stage& stage, uint32_t stream, uint64_t place);
    static bool IsServed(const Stage& stage, uint64_t place);
    const SlotOperations& AddOperations(const SlotKind& slot);
    uint32_t GetStage(uint32_t gpu) const;
    Step FindStep(uint32_t step) const;
    bool TakesPart(uint32_t gpu, const Step& step) const;
    uint64_t CountTokens(uint32_t gpu, uint32_t other, const Step& step) const;
    uint64_t CountRouted(uint32_t member,
                         uint32_t other,
                         Operation::Type type,
                         const GroupServers& servers,
                         const ExpertRouting& routing) const;
    std::vector<Demand> GetTokens(uint32_t gpu, const Step& step) const;
    std::vector<double> ForeseeShares(uint32_t gpu, const Step& step) const;
    std::vector<Demand> GetForeseen(uint32_t gpu, uint32_t barrier, const Step& step) const;
    uint32_t GetRegion(uint32_t gpu) const;
    static OperationPlace Find(const Step& step);
    uint32_t FindPeer(uint32_t gpu, uint32_t stage) const;
    std::shared_ptr<const ExpertRouting> GetRouting(uint32_t gpu, const LoadPlace& place) const;
    std::shared_ptr<const ExpertRouting> GetRouting(uint32_t gpu, const Step& step) const;
    uint64_t GetExpertTokens(uint32_t gpu, const LoadPlace& place) const;
    uint64_t GetTokenBytes() const;
    const std::vector<uint32_t>& GetPartners(uint32_t gpu, Operation::Type type) const;
    TimePs GetExpertTime(uint32_t gpu, const Operation& operation, const LoadPlace& place) const;

    TrainingPlan m_plan;
    ExpertGroups m_expertGroups;
    GpuGroupTable m_expertTensor;
    ExchangeParties m_parties;
    GpuGroupTable m_expertData;
    TrainingCollectives m_collectives;
    std::deque<SlotOperations> m_operations; //!< of all kinds of slots; they stay in place
    std::vector<Stage> m_stages;
    uint32_t m_steps{0}; //!< of an iteration

    std::unique_ptr<const ExpertRouter> m_router;
    std::unique_ptr<const ExpertTraffic> m_expertTraffic; //!< where a policy plans

    /// What members of a group ask for one after the other.
    struct Foreseen
    {
        uint32_t barrier;
        std::vector<double> shares;
    };

    mutable std::map<uint32_t, Foreseen> m_foreseen; //!< by group, the latest
};

} // namespace ns3::rails

#endif // TRAINING_PROGRAM_H
