// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_SYNC_H
#define REPLICA_SYNC_H

#include "operation.h"

#include "ns3/graph-transfer.h"
#include "ns3/overlapping-traffic.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * How GPUs that hold the same experts for good reduce gradients and gather parameters, where a
 * policy places experts. Experts that the same GPUs hold share a buffer, and each such group does
 * its collective for itself, as `collectives` says.
 */
class ReplicaCollectives
{
  public:
    /// What goes.
    struct What
    {
        bool isGradients{false}; //!< of a layer; otherwise parameters, of all layers of the stage
        uint32_t layer{0};
    };

    /// \param context the training, which has a policy; has to live as long
    explicit ReplicaCollectives(const TrainingContext& context);

    /// \return how it goes in an iteration; it stays in place
    const OverlappingTraffic& Get(const What& what, uint32_t stage, uint32_t iteration) const;

    /// \return steps that it takes at most in an iteration; 1 as long as nothing is planned
    uint32_t CountSteps(const What& what, uint32_t stage) const;

    /// \return how all that was asked for is done, each way once
    std::vector<CollectiveRecord> GetRecords() const;

  private:
    OverlappingTraffic::Buffers FindBuffers(const What& what,
                                            uint32_t stage,
                                            uint32_t iteration) const;

    const TrainingContext& m_context;
    using Place = std::tuple<bool, uint32_t, uint32_t, uint32_t>; // its iteration last
    mutable std::map<Place, const OverlappingTraffic*> m_found;
    /// Placements last for many iterations, and layers may have the same.
    mutable std::map<std::pair<bool, OverlappingTraffic::Buffers>,
                     std::unique_ptr<const OverlappingTraffic>>
        m_known;
};

/// Gradients, or parameters, of experts that several GPUs hold for good, where a policy places
/// them.
class ReplicaSync : public GraphTransfer
{
  public:
    using What = ReplicaCollectives::What;

    /// \param context the training, which has planned; this and the collectives have to live as
    /// long
    ReplicaSync(const TrainingContext& context,
                const ReplicaCollectives& collectives,
                const What& what,
                const SlotPlace& place);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;
    RailQueue GetRail(uint32_t gpu, uint32_t step) const override;

  private:
    const TrainingContext& m_context;
    uint32_t m_stage;
    const OverlappingTraffic& m_traffic;
};

/// \return that of a layer, or of a stage
Operation MakeReplicaSync(const TrainingContext& context,
                          const ReplicaCollectives& collectives,
                          uint32_t stage,
                          const ReplicaCollectives::What& what);

} // namespace ns3::rails

#endif // REPLICA_SYNC_H
