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

/// The GPUs of a region meet, and its circuits are moved to where an exchange of tokens will go;
/// what comes back goes by the same, and gradients are as many.
class CircuitBarrier : public GraphBarrier
{
  public:
    /// \param exchange that circuits are moved for \param isOnWayBack whether that is on the way
    /// back
    CircuitBarrier(uint32_t members,
                   std::shared_ptr<const GraphTransfer> exchange,
                   bool isOnWayBack);

    std::optional<CircuitPurpose> GetPurpose() const override;
    std::vector<Demand> GetAnnounced(uint32_t gpu) const override;

  private:
    std::shared_ptr<const GraphTransfer> m_exchange;
    bool m_isOnWayBack;
};

/// The same before it is known where tokens will go.
class ForeseeingCircuitBarrier : public GraphBarrier
{
  public:
    /// All of these have to live as long.
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

/// What circuits of a layer are moved for.
enum class CircuitCause : uint8_t
{
    Forward,
    Foreseen, //!< forward, and it is only expected
    Backward
};

/**
 * \param context the training, which moves circuits
 * \param foresight where something is foreseen
 * \param layer whose exchange they are for
 * \param way of that
 * \param cause see there
 * \return a move of the circuits of all regions
 */
Operation MakeCircuitMove(const TrainingContext& context,
                          const std::shared_ptr<LoadForesight>& foresight,
                          uint32_t layer,
                          TokenWay way,
                          CircuitCause cause);

} // namespace ns3::rails

#endif // CIRCUIT_MOVE_H
