// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_TRANSFER_H
#define COLLECTIVE_TRANSFER_H

#include "operation.h"

#include "ns3/collective-traffic.h"
#include "ns3/graph-transfer.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// A collective of the groups of a stage, by whatever algorithm.
class CollectiveTransfer : public GraphTransfer
{
  public:
    static constexpr uint32_t kAllStages = 0xffffffff;

    /**
     * \param context the training
     * \param kind what it counts as
     * \param stage whose GPUs do it, or kAllStages
     * \param traffic how each of their groups does it; this and the training have to live as long
     * \param bytes of the buffer
     */
    CollectiveTransfer(const TrainingContext& context,
                       TrainingKind kind,
                       uint32_t stage,
                       const CollectiveTraffic& traffic,
                       uint64_t bytes);

    uint32_t CountDifferentSteps() const override;
    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;
    RailQueue GetRail(uint32_t gpu, uint32_t step) const override;

  private:
    const TrainingContext& m_context;
    uint32_t m_stage;
    const CollectiveTraffic& m_traffic;
    uint64_t m_bytes;
};

/// \return a collective, see CollectiveTransfer; on the stream of communication
/// \param isOfAll all stages do it together
Operation MakeCollective(const TrainingContext& context,
                         TrainingKind kind,
                         const CollectiveTraffic& traffic,
                         uint64_t bytes,
                         bool isOfAll = false);

} // namespace ns3::rails

#endif // COLLECTIVE_TRANSFER_H
