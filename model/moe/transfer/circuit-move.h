// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_MOVE_H
#define CIRCUIT_MOVE_H

#include "load-foresight.h"
#include "operation.h"
#include "token-exchange.h"

#include "ns3/graph-barrier.h"
#include "ns3/training-context.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Barrier of a region's GPUs, after which its optical circuits are reconfigured for a dispatch.
/// The circuits also serve the combine, and the gradients, whose traffic has the same volume.
class CircuitBarrier : public GraphBarrier
{
  public:
    /// \param members GPUs of the region
    /// \param exchange that the circuits are reconfigured for
    /// \param isOnWayBack whether the exchange is in the backward pass
    CircuitBarrier(uint32_t members, std::shared_ptr<const CommOp> exchange, bool isOnWayBack);

    std::optional<CircuitPurpose> GetPurpose() const override;
    std::vector<Demand> GetAnnounced(uint32_t gpu) const override;

  private:
    std::shared_ptr<const CommOp> m_exchange;
    bool m_isOnWayBack;
};

/// Barrier for a reconfiguration by predicted loads, before tokens are routed.
class ForeseeingCircuitBarrier : public GraphBarrier
{
  public:
    /// \param members GPUs of the region
    /// \param context must outlive this object
    /// \param foresight predicted loads; must outlive this object
    ForeseeingCircuitBarrier(uint32_t members,
                             const TrainingContext& context,
                             LoadForesight& foresight,
                             const SlotPlace& place,
                             uint32_t layer);

    std::optional<CircuitPurpose> GetPurpose() const override;
    std::vector<Demand> GetAnnounced(uint32_t gpu) const override;

  private:
    const TrainingContext& m_context;
    LoadForesight& m_foresight;
    SlotPlace m_place;
    uint32_t m_layer;
};

/// Cause of a layer's reconfiguration.
enum class CircuitCause : uint8_t
{
    Forward,
    Foreseen, //!< forward pass, by predicted loads
    Backward
};

/**
 * \param context a training with optical circuits
 * \param foresight predicted loads, for CircuitCause::Foreseen
 * \param layer of the exchange
 * \param way direction of the exchange
 * \param cause of the reconfiguration
 * \return a reconfiguration in all regions
 */
Operation MakeCircuitMove(const TrainingContext& context,
                          const std::shared_ptr<LoadForesight>& foresight,
                          uint32_t layer,
                          TokenWay way,
                          CircuitCause cause);

} // namespace ns3::rails

#endif // CIRCUIT_MOVE_H
