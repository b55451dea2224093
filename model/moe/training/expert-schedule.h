// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_SCHEDULE_H
#define EXPERT_SCHEDULE_H

#include "operation-list.h"
#include "training-computing.h"

#include "ns3/copy-transfer.h"
#include "ns3/load-exchange.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace ns3::rails
{

/**
 * What a policy of experts adds to the operations of a slot, and where: it is told as the layers of
 * a chunk are written. Without anything overridden it adds nothing.
 */
class ExpertSchedule
{
  public:
    /// Called when gradients of experts of a layer are complete. \param behind an operation, if
    /// they are complete with that alone
    using Sync = std::function<void(uint32_t layer, const std::optional<uint32_t>& behind)>;

    /**
     * \param context the training
     * \param slot that is written
     * \param operations of it
     * \param sync see there
     * \return the schedule that the policy of the training asks for
     */
    static std::unique_ptr<ExpertSchedule> Make(const TrainingContext& context,
                                                const SlotKind& slot,
                                                OperationList& operations,
                                                Sync sync);

    ExpertSchedule(const TrainingContext& context,
                   const SlotKind& slot,
                   OperationList& operations,
                   Sync sync);
    virtual ~ExpertSchedule() = default;

    ExpertSchedule(const ExpertSchedule&) = delete;
    ExpertSchedule& operator=(const ExpertSchedule&) = delete;

    /// Between iterations: a policy that places experts decides, and they move.
    void WriteMoves();

    /// \return true when nothing is computed while copies travel
    virtual bool Blocks() const;

    // Forward. \param isAgain before the way back, of what was not kept

    virtual void BeforeLayer(uint32_t layer, bool isAgain);
    virtual void BehindGate(uint32_t layer, bool isAgain);
    virtual void BehindDispatch(uint32_t layer, bool isAgain);
    virtual void BehindCombine(uint32_t layer, bool isAgain);

    // Backward.

    virtual void BeforeWayBack(uint32_t layer);
    virtual void BehindCombineBackward(uint32_t layer);
    /// Where tokens are interleaved: what a GPU has of its own has been computed.
    virtual void BehindOwnBackward(uint32_t layer);
    /// Unless overridden, gradients are complete.
    virtual void BehindExpertsBackward(uint32_t layer);
    virtual void BehindDispatchBackward(uint32_t layer);
    virtual void AtEndOfWayBack(uint32_t layer);

    /// \return what the next tokens have to wait for
    const std::optional<uint32_t>& GetPlanned() const;

    /// \return what the next tokens have to wait for, once
    std::optional<uint32_t> TakePlanned();

    /// \return what the next experts have to wait for, once
    std::optional<uint32_t> TakeWeights();

  protected:
    /// Pieces of copies.
    using Window = CopyTransfer::Window;

    OperationList& GetOperations();
    const TrainingPlan& GetPlan() const;
    bool Knows(ExpertKnowledge knowledge) const;

    /// \return true when the layer is the first of its chunk with experts
    bool IsFirst(uint32_t layer) const;
    bool IsLast(uint32_t layer) const;

    /// Loads go to all GPUs of the group. \return the operation
    uint32_t ExchangeCounts(LoadExchange::What what, TrainingStream stream, uint32_t layer);

    /// The CPU decides. \param behind an operation \return the operation
    uint32_t Decide(PlanningOf what, uint32_t layer, const std::optional<uint32_t>& behind);

    /// Parameters or gradients of copies travel. \return the operation
    uint32_t Copy(const CopyTransfer::What& what, TrainingStream stream, bool isAwaited);

    void SetPlanned(uint32_t operation);
    void SetWeights(uint32_t operation);
    void Complete(uint32_t layer, const std::optional<uint32_t>& behind);

  private:
    const TrainingContext& m_context;
    std::pair<uint32_t, uint32_t> m_layers; //!< of the chunk: the first, and behind the last
    OperationList& m_operations;
    Sync m_sync;
    std::optional<uint32_t> m_planned;
    std::optional<uint32_t> m_weights;
};

} // namespace ns3::rails

#endif // EXPERT_SCHEDULE_H
