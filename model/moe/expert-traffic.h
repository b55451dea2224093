// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_TRAFFIC_H
#define EXPERT_TRAFFIC_H

#include "planned-router.h"
#include "slot-operations.h"

#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// An operation of a slot, and when that is.
struct OperationPlace
{
    const Operation& operation;
    uint32_t iteration{0};
    uint32_t stage{0};
    uint32_t microbatch{0};
    uint32_t number{0}; //!< of the operation's steps
};

/**
 * What a policy of experts lets GPUs do besides the exchange of tokens: planning, loads, copies,
 * moves, and gradients and parameters of experts that several GPUs hold for good.
 */
class ExpertTraffic
{
  public:
    /// All of these must live as long. \param replicas GPUs that hold the same without a policy
    ExpertTraffic(const TrainingPlan& plan,
                  const ExpertGroups& groups,
                  const GpuGroupTable& replicas,
                  const PlannedRouter& router);

    /// \return true when it knows what an operation sends
    static bool Has(Operation::Type type);

    /// \return what a GPU sends to others, in no order, each of them once
    std::vector<Demand> GetSends(uint32_t gpu, const OperationPlace& place) const;

    /// \return bytes that it gets
    uint64_t GetReceived(uint32_t gpu, const OperationPlace& place) const;

    /**
     * \return whether its messages have queue pairs of their own, whatever other traffic has:
     * tokens do not wait for copies beside them, nor for gradients of experts that GPUs of a group
     * share
     */
    bool IsApart(const OperationPlace& place) const;

    /// \return how long its server plans
    TimePs GetPlanningTime(uint32_t gpu, const OperationPlace& place) const;

  private:
    const ExpertRouting& GetRouting(uint32_t gpu, const OperationPlace& place) const;
    const ExpertRouting* FindNext(uint32_t gpu, const OperationPlace& place) const;
    const CopyTraffic& GetCopies(uint32_t gpu, const OperationPlace& place) const;
    uint64_t GetCountBytes(uint32_t gpu, const OperationPlace& place) const;
    uint64_t GetPiece(const CopyHop& hop,
                      const CopyTraffic& copies,
                      const OperationPlace& place) const;
    bool IsInOrder(const OperationPlace& place) const;
    uint64_t GetRing(uint32_t gpu, const OperationPlace& place) const;
    template <typename Function>
    void ForReplicas(uint32_t gpu, const OperationPlace& place, const Function& function) const;

    const TrainingPlan& m_plan;
    const ExpertGroups& m_groups;
    const GpuGroupTable& m_replicas;
    const PlannedRouter& m_router;
};

} // namespace ns3::rails

#endif // EXPERT_TRAFFIC_H
