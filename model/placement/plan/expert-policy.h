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

/// Information that a policy decides on, which fixes the time of its decision. Each value has a
/// policy class that passes on only this information. Trainings charge for planning and load
/// exchanges by it.
enum class ExpertKnowledge
{
    Nothing,  //!< LocalPolicy: a rule for local tokens of each GPU, without communication or
              //!< planning
    Past,     //!< PlacementPolicy: loads up to the last iteration; decides between iterations
    Forecast, //!< ShadowPolicy: predicted loads; decides before the layer
    Counts    //!< RuntimePolicy: exact counts of the layer and micro-batch; decides after the gate
};

/// When parameters and gradients of temporary replicas are sent.
enum class CopyTiming
{
    Blocking,   //!< without overlap: computing waits
    Overlapped, //!< overlapped with tokens and computing; experts wait for parameters, the end of a
                //!< layer for gradients
    Interleaved, //!< after dispatch and before combine, while experts compute one part of the
                 //!< tokens and others arrive (FasterMoE's smart schedule)
    Scheduled //!< overlapped with given computations of the layer before (Pro-Prophet, section 5)
};

/// Path of an expert's parameters to several GPUs; gradients take the reverse path.
enum class CopyWay
{
    Direct, //!< directly from the sender to each GPU
    Chain,  //!< a ring broadcast in chunks, from GPU to GPU
    Relays  //!< through a few relays to the other GPUs
};

/**
 * Decides which GPU computes which tokens of a layer with experts, and which experts are replicated
 * or moved for that. Policies derive from the class for their information: LocalPolicy,
 * PlacementPolicy, ShadowPolicy or RuntimePolicy. No other class can derive from this one, so a
 * policy cannot claim less information than it gets.
 */
class ExpertPolicy : public Object
{
  public:
    /// What holds for all objects of a class.
    struct Traits
    {
        /// It knows one group of expert parallelism alone: several are planned one by one
        /// (GroupedPolicy).
        bool plansOneGroup{false};
        bool isOracle{false};             //!< it does what no real system can
        CopyWay copyWay{CopyWay::Direct}; //!< how copies travel in its source
        /// Of a CopyingPolicy: copies sit in slots that all layers share, so that their weights are
        /// fetched a second time before the way back.
        bool fetchesAgain{false};
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /// \throws ConfigurationError with the key when the policy does not support the setting;
    ///     overrides call it first
    virtual void Check(const ExpertSetting& setting) const;

    /// Resets the policy: default placement, no history.
    void Start(const ExpertSetting& setting);

    /**
     * To be called before each iteration, the first included.
     * \param layer from 0
     * \param history loads of its experts in earlier iterations
     * \return parameters of experts that move now; their optimizer states move in addition
     *     (MoveStates())
     */
    std::vector<ExpertTransfer> BeginIteration(uint32_t layer, const LoadHistory& history);

    /**
     * \param layer from 0
     * \param counts decisions of its gate in a micro-batch
     * \return the plan
     */
    ExpertPlan Plan(uint32_t layer, const TokenCounts& counts);

    /// \return the persistent placement of a layer
    const std::shared_ptr<const ExpertPlacement>& GetPlacement(uint32_t layer) const;

    /// \return true when the policy supports different numbers of experts per GPU
    virtual bool DealsUnevenly() const;

    /// \return true when the policy decides by past loads: it does nothing in the first iteration
    bool LearnsFromIterations() const
    {
        return m_knowledge == ExpertKnowledge::Past || m_knowledge == ExpertKnowledge::Forecast;
    }

    /// \return planning time and its source in words, after Start(); empty for oracles and policies
    ///     without planning
    std::string DescribePlanning() const;

    /// \return slots of the policy on a GPU, and their use; none unless overridden
    virtual SlotRule GetSlotRule(const ExpertSetting& setting) const;

    /// \return slots of a GPU: from a budget, otherwise from the policy; nothing: no slots, or no
    ///     limit
    std::optional<uint32_t> GetSlots(const ExpertSetting& setting) const;

    /// \return a note on the policy for results; empty unless overridden
    virtual std::string DescribeOrigin() const;

    /// \return true when all tokens go to the homes of their experts, and no expert is replicated
    ///     or moved
    virtual bool IsPlain() const;

    /// \return true when rows without a token are sent, to fill buffers of fixed size
    virtual bool Pads() const;

    /// \return information that the policy decides on, fixed by its class
    ExpertKnowledge GetKnowledge() const
    {
        return m_knowledge;
    }

    /// \return iterations between placements, over which costs of moves are averaged (MoveWindow).
    ///     0 unless overridden: the moves of the run are averaged over the run.
    virtual uint32_t GetPeriod() const;

    /// \return copy timing in the policy's source; Blocking unless overridden
    virtual CopyTiming GetCopyTiming() const;

    /// \return rates of the policy's time model, by which scheduled copies are split over windows;
    ///     the cluster's rates unless overridden
    virtual LayerRates FindRates(const ExpertSetting& setting) const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    Traits m_traits; //!< set by constructors alone

    const ExpertSetting& GetSetting() const
    {
        return m_setting;
    }

    /**
     * Sets a new placement of a layer.
     * \throws std::logic_error when the placement is invalid (ExpertPlacement::FindDefect())
     * \return parameters for new hosts, each from an old host: in the same server, else in the same
     *     expert-parallel group, else the home
     */
    std::vector<ExpertTransfer> Move(uint32_t layer, ExpertPlacement placement);

    /// Records that a layer was planned: the next Plan() charges the planning time.
    void CountPlanning(uint32_t layer);

  private:
    friend class LocalPolicy;
    friend class PlacementPolicy;
    friend class ShadowPolicy;
    friend class RuntimePolicy;

    explicit ExpertPolicy(ExpertKnowledge knowledge);

    uint32_t FindSender(uint32_t gpu, const std::vector<uint32_t>& holders) const;

    /// Resets the state: the same calls then give the same results.
    virtual void DoStart();
    virtual std::vector<ExpertTransfer> DoBeginIteration(uint32_t layer,
                                                         const LoadHistory& history) = 0;
    /// \return a plan; a null placement stands for that of the layer
    virtual ExpertPlan DoPlan(uint32_t layer, const TokenCounts& counts) = 0;
    /// \return published seconds of planning a layer; 0 if it plans nothing
    virtual double GetPublishedPlanningTime() const;
    double GetPlanningTime() const;

    /// \return true when it plans each layer of each micro-batch, not only after CountPlanning()
    bool PlansEveryTime() const
    {
        return m_knowledge == ExpertKnowledge::Counts || m_knowledge == ExpertKnowledge::Nothing;
    }

    const ExpertKnowledge m_knowledge;
    ExpertSetting m_setting;
    std::optional<Time> m_planningTime; //!< overrides the published planning time
    std::vector<std::shared_ptr<const ExpertPlacement>> m_placements; //!< by layer
    std::vector<bool> m_isPlanned; //!< by layer: planning time to be charged
};

} // namespace ns3::rails

#endif // EXPERT_POLICY_H
