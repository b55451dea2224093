// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_POLICY_H
#define EXPERT_POLICY_H

#include "expert-plan.h"
#include "expert-slots.h"
#include "layer-time-model.h"
#include "load-history.h"
#include "token-counts.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What a policy knows when it decides, and so when it can. Each is a class, which passes on
/// nothing else, and what trainings charge for.
enum class ExpertKnowledge
{
    Nothing,  //!< LocalPolicy: a rule for each GPU's own tokens; nothing is exchanged or planned
    Past,     //!< PlacementPolicy: loads up to the last iteration; it decides between iterations
    Forecast, //!< ShadowPolicy: a forecast of loads; it decides before the layer
    Counts    //!< RuntimePolicy: exact counts of the layer and micro-batch, behind the gate
};

/// When parameters and gradients of copies travel.
enum class CopyTiming
{
    Blocking,    //!< by themselves: nothing is computed meanwhile
    Overlapped,  //!< beside tokens and computing; experts wait for them, and the end of a layer
    Interleaved, //!< between tokens on their way to experts and those on their way back, of which
                 //!< experts compute some while others come (FasterMoE's smart schedule)
    Scheduled    //!< under named computations of the layer before (Pro-Prophet, section 5)
};

/// By which GPUs parameters of an expert reach several others; gradients take the same way back.
enum class CopyWay
{
    Direct, //!< each straight from its sender
    Chain,  //!< a broadcast on a ring, in pieces: from one to the next
    Relays  //!< to a few of them, and from these to the others
};

/**
 * Decides which GPU computes which tokens of a layer with experts, and which experts are copied or
 * moved for that. Types derive from the class that says what they know when they decide:
 * LocalPolicy, PlacementPolicy, ShadowPolicy, RuntimePolicy. No other class can derive from this
 * one, and none of these lets a type say that it knows less than it is given.
 */
class ExpertPolicy : public Object
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError with the key when it cannot work there: derived classes call it
    /// first
    virtual void Check(const ExpertSetting& setting) const;

    /// \return true when it knows one group of expert parallelism alone: several are planned one
    /// by one (GroupedPolicy)
    virtual bool PlansOneGroup() const;

    /// Begins anew: experts are placed in order, and everything else is forgotten.
    void Start(const ExpertSetting& setting);

    /**
     * To be called before each iteration, the first included.
     * \param layer number of the layer, from 0
     * \param history what its experts had to do before
     * \return parameters of experts that move now; what their optimizer has goes besides
     *     (MoveStates())
     */
    std::vector<ExpertTransfer> BeginIteration(uint32_t layer, const LoadHistory& history);

    /**
     * \param layer number of the layer, from 0
     * \param counts what its gate has decided in a micro-batch
     * \return what is done
     */
    ExpertPlan Plan(uint32_t layer, const TokenCounts& counts);

    /// \return where experts of a layer are for good
    const std::shared_ptr<const ExpertPlacement>& GetPlacement(uint32_t layer) const;

    /// \return true when it knows GPUs of which some hold an expert more than others
    virtual bool DealsUnevenly() const;

    /// \return true when it decides by loads of iterations before: it does nothing in the first
    bool LearnsFromIterations() const
    {
        return m_knowledge == ExpertKnowledge::Past || m_knowledge == ExpertKnowledge::Forecast;
    }

    /// \return in words what planning is charged with, and by which rule, after Start(); empty for
    /// what plans nothing and an oracle
    std::string DescribePlanning() const;

    /// \return how many slots for experts it has on a GPU, and what for; none unless overridden
    virtual SlotRule GetSlotRule(const ExpertSetting& setting) const;

    /// \return slots of a GPU: what a budget leaves, or else what it says itself; nothing: it has
    /// none, or no limit
    std::optional<uint32_t> GetSlots(const ExpertSetting& setting) const;

    /// \return true when it does what no real system can
    virtual bool IsOracle() const;

    /// \return what readers of a result have to know of it; empty unless overridden
    virtual std::string DescribeOrigin() const;

    /// \return true when all tokens go to the homes of their experts, and nothing else is moved
    virtual bool IsPlain() const;

    /// \return true when rows travel without a token, so that buffers have a fixed size
    virtual bool Pads() const;

    /// \return what it knows when it decides: a matter of its class
    ExpertKnowledge GetKnowledge() const
    {
        return m_knowledge;
    }

    /// \return iterations from one placement of its experts to the next, over which what experts
    /// that move cost is spread (MoveWindow); 0 unless overridden: iterations are charged with the
    /// moves of the run that they are in, in the mean
    virtual uint32_t GetPeriod() const;

    /// \return when copies travel in its source; Blocking unless overridden
    virtual CopyTiming GetCopyTiming() const;

    /// \return what it takes of a cluster for estimates of time, by which scheduled copies are cut;
    /// the cluster's own numbers unless overridden
    virtual LayerRates FindRates(const ExpertSetting& setting) const;

    /// \return how copies travel in its source; Direct unless overridden
    virtual CopyWay GetCopyWay() const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    const ExpertSetting& GetSetting() const;

    /**
     * Places experts of a layer anew.
     * \throws std::logic_error when the placement cannot be right (ExpertPlacement::FindDefect())
     * \return parameters of experts that go to GPUs that did not hold them, from a GPU that did:
     * one in the same server, or else in the same group of expert parallelism, or else the home
     */
    std::vector<ExpertTransfer> Move(uint32_t layer, ExpertPlacement placement);

    /// Says that a layer was planned now: the next Plan() counts its time.
    void CountPlanning(uint32_t layer);

  private:
    friend class LocalPolicy;
    friend class PlacementPolicy;
    friend class ShadowPolicy;
    friend class RuntimePolicy;

    explicit ExpertPolicy(ExpertKnowledge knowledge);

    uint32_t FindSender(uint32_t gpu, const std::vector<uint32_t>& holders) const;

    /// Forgets everything: after this, the same calls give the same answers.
    virtual void DoStart();
    virtual std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                         const LoadHistory& history) = 0;
    /// \return a plan; its placement, if it has none, is that of the layer
    virtual ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) = 0;
    /// \return seconds that its source says planning a layer takes; 0 where it plans nothing
    virtual double GetPublishedPlanningTime() const;
    double GetPlanningTime() const;
    /// \return true when it plans each layer of each micro-batch, not just when it says so
    virtual bool PlansEveryTime() const;

    const ExpertKnowledge m_knowledge;
    ExpertSetting m_setting;
    std::optional<Time> m_planningTime; //!< in place of the published one
    std::vector<std::shared_ptr<const ExpertPlacement>> m_placements; //!< by layer
    std::vector<bool> m_isPlanned; //!< by layer: its time has not been counted yet
};

} // namespace ns3::rails

#endif // EXPERT_POLICY_H
