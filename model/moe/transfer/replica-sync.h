// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_SYNC_H
#define REPLICA_SYNC_H

#include "operation.h"

#include "ns3/graph-transfer.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Gradients, or parameters, of experts that several GPUs hold for good, where a policy places them:
 * round a ring of the GPUs that hold the same without a policy; of experts that are elsewhere, each
 * GPU has a share to update, to which gradients go from all others, and from which parameters go.
 */
class ReplicaSync : public GraphTransfer
{
  public:
    /// What goes.
    struct What
    {
        bool isGradients{false}; //!< of a layer; otherwise parameters, of all layers of the stage
        uint32_t layer{0};
    };

    /// \param context the training, which has a policy; has to live as long
    ReplicaSync(const TrainingContext& context, const What& what, const SlotPlace& place);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;

    /// \return how many steps it takes in a training
    static uint32_t CountSteps(const TrainingPlan& plan);

  private:
    double GetElementBytes() const;
    uint64_t CountRing(uint32_t gpu, uint32_t step) const;
    template <typename Function>
    void ForHolders(uint32_t gpu, const Function& function) const;

    const TrainingContext& m_context;
    What m_what;
    SlotPlace m_place;
    bool m_isRing;
};

/// \return that of a layer, or of a stage
Operation MakeReplicaSync(const TrainingContext& context, const ReplicaSync::What& what);

} // namespace ns3::rails

#endif // REPLICA_SYNC_H
