// SPDX-License-Identifier: GPL-2.0-only
#ifndef OPERATION_LIST_H
#define OPERATION_LIST_H

#include "ns3/operation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Operations of a slot, added in order. Computing waits for awaited communication, and
/// communication for the latest computing.
class OperationList
{
  public:
    /// Starts a piece of a layer for operations added next. \param layer layers before it in the
    /// pass
    void BeginPiece(uint32_t layer, LayerPiece piece);

    /// Sets the model layer of operations added next; none: outside of layers.
    void SetLayer(const std::optional<uint32_t>& layer);

    /// Adds an operation without further dependencies. \return its number
    uint32_t Add(Operation operation);

    /// Adds computing, which waits for awaited communication and joined operations.
    uint32_t Compute(Operation operation);

    /// Adds communication after the latest computing. \param isAwaited the next computing waits for
    /// it
    uint32_t Communicate(Operation operation, bool isAwaited = true);

    /// Adds the transfer of the pass's output to another stage. \param operation of one step
    void SendOn(Operation operation);

    /// Makes the next computing wait for an operation, too.
    void Join(uint32_t operation);

    /// Waits here for awaited and joined operations: adds computing of zero duration.
    void Wait();

    /// \return true when the next computing waits for a joined operation
    bool HasJoined() const;

    /// \return the latest awaited communication; it implies earlier ones on its stream
    const std::optional<uint32_t>& GetAwaited() const
    {
        return m_awaited;
    }

    /// Replaces the awaited communication. \return the previous one
    std::optional<uint32_t> ExchangeAwaited(const std::optional<uint32_t>& awaited);

    /// Sets the computing that communication added next waits for.
    void SetComputed(const std::optional<uint32_t>& computed);

    /// \return the latest computing
    const std::optional<uint32_t>& GetComputed() const
    {
        return m_computed;
    }

    const SlotOperations& Get() const
    {
        return m_made;
    }

  private:
    SlotOperations m_made;
    std::optional<uint32_t> m_computed;
    std::optional<uint32_t> m_awaited;
    std::vector<uint32_t> m_joined; //!< joined operations, for the next computing
    uint32_t m_turn{0};
    std::optional<uint32_t> m_layer;
};

/// \return the operations of two merged passes, interleaved by turn; each stream holds operations
///     of both
SlotOperations MergeOperations(const SlotOperations& one, const SlotOperations& other);

} // namespace ns3::rails

#endif // OPERATION_LIST_H
