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
 * Adds the operations of an expert policy to a slot: planning, load exchanges and transfers of
 * replicas. The writer of a slot calls the hooks below as it writes each layer. The base class adds
 * none.
 */
class ExpertSchedule
{
  public:
    /// Called when gradients of experts of a layer are complete.
    /// \param behind operation after which they are complete; none: they are complete at the latest
    ///     computing
    using Sync = std::function<void(uint32_t layer, const std::optional<uint32_t>& behind)>;

    /**
     * \param context the training
     * \param slot that is written
     * \param operations list of the slot
     * \param sync called for each layer whose gradients are complete
     * \return the schedule for the policy of the training
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

    /// Writes planning and moves of experts between iterations.
    void WriteMoves();

    /// \return true when transfers of replicas block computing
    virtual bool Blocks() const;

    // Hooks of the forward pass. \param isAgain recomputation in the backward pass

    virtual void BeforeLayer(uint32_t layer, bool isAgain);
    virtual void BehindGate(uint32_t layer, bool isAgain);
    virtual void BehindDispatch(uint32_t layer, bool isAgain);
    virtual void BehindCombine(uint32_t layer, bool isAgain);

    // Hooks of the backward pass.

    virtual void BeforeWayBack(uint32_t layer);
    virtual void BehindCombineBackward(uint32_t layer);
    /// With interleaved tokens: the GPU's local tokens have been computed.
    virtual void BehindOwnBackward(uint32_t layer);
    /// Unless overridden, reports gradients as complete.
    virtual void BehindExpertsBackward(uint32_t layer);
    virtual void BehindDispatchBackward(uint32_t layer);
    virtual void AtEndOfWayBack(uint32_t layer);

    /// \return operation that the next token exchange waits for
    const std::optional<uint32_t>& GetPlanned() const
    {
        return m_planned;
    }

    /// \return operation that the next token exchange waits for, and forgets it
    std::optional<uint32_t> TakePlanned();

    /// \return operation that the next computing of experts waits for, and forgets it
    std::optional<uint32_t> TakeWeights();

  protected:
    /// Chunks of replicas.
    using Window = CopyTransfer::Window;

    OperationList& GetOperations();
    const TrainingSpec& GetSpec() const;
    bool Knows(ExpertKnowledge knowledge) const;

    /// \return true when the layer is the first of its chunk with experts
    bool IsFirst(uint32_t layer) const;
    bool IsLast(uint32_t layer) const;

    /// Exchanges token counts in the group. \return the operation
    uint32_t ExchangeCounts(LoadExchange::What what, TrainingStream stream, uint32_t layer);

    /// Plans on the CPU. \param behind operation to wait for \return the operation
    uint32_t Decide(PlanningOf what, uint32_t layer, const std::optional<uint32_t>& behind);

    /// Sends parameters or gradients of replicas. \return the operation
    uint32_t Copy(const CopyTransfer::What& what, TrainingStream stream, bool isAwaited);

    void SetPlanned(uint32_t operation);
    void SetWeights(uint32_t operation);
    void Complete(uint32_t layer, const std::optional<uint32_t>& behind);

  private:
    const TrainingContext& m_context;
    std::pair<uint32_t, uint32_t> m_layers; //!< of the chunk: first, one past the last
    OperationList& m_operations;
    Sync m_sync;
    std::optional<uint32_t> m_planned;
    std::optional<uint32_t> m_weights;
};

} // namespace ns3::rails

#endif // EXPERT_SCHEDULE_H
