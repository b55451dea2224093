// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_SYNC_H
#define REPLICA_SYNC_H

#include "operation.h"

#include "ns3/comm-op.h"
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
 * Reduction of gradients and all-gather of parameters over the hosts of experts that a policy
 * places. Experts with the same hosts share a buffer; each such set of hosts runs its own
 * collective, with the algorithm of `collectives`.
 */
class ReplicaCollectives
{
  public:
    /// Content of a collective.
    struct What
    {
        bool isGradients{false}; //!< of one layer; otherwise parameters of all layers
        uint32_t layer{0};
    };

    /// \param context a training with a policy; must outlive this object
    explicit ReplicaCollectives(const TrainingContext& context);

    /// \return traffic in an iteration; the reference stays valid
    const OverlappingTraffic& Get(const What& what, uint32_t stage, uint32_t iteration) const;

    /// \return most steps in an iteration; 1 before planning
    uint32_t CountSteps(const What& what, uint32_t stage) const;

    /// \return algorithms of all traffic that Get() returned, each once
    std::vector<CollectiveRecord> GetRecords() const;

  private:
    OverlappingTraffic::Buffers FindBuffers(const What& what,
                                            uint32_t stage,
                                            uint32_t iteration) const;

    const TrainingContext& m_context;
    using Place = std::tuple<bool, uint32_t, uint32_t, uint32_t>; // its iteration last
    mutable std::map<Place, const OverlappingTraffic*> m_found;
    /// Shared by iterations and layers with the same placement.
    mutable std::map<std::pair<bool, OverlappingTraffic::Buffers>,
                     std::unique_ptr<const OverlappingTraffic>>
        m_known;
};

/// Synchronizes gradients or parameters of experts over their hosts, where a policy places experts.
class ReplicaSync : public CommOp
{
  public:
    using What = ReplicaCollectives::What;

    /// \param context a training that has planned; must outlive this object
    /// \param collectives must outlive this object
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

/// \return the synchronization of a layer's gradients or a stage's parameters
Operation MakeReplicaSync(const TrainingContext& context,
                          const ReplicaCollectives& collectives,
                          uint32_t stage,
                          const ReplicaCollectives::What& what);

} // namespace ns3::rails

#endif // REPLICA_SYNC_H
