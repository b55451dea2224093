// SPDX-License-Identifier: GPL-2.0-only
#ifndef OPERATION_LIST_H
#define OPERATION_LIST_H

#include "ns3/operation.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rails
{

/// Operations of a slot, written one after the other: what computes waits for the communication
/// before it that it needs, and what communicates for the computing before it.
class OperationList
{
  public:
    /// What is added next is a piece of a layer. \param layer how many are before it in the pass
    void BeginPiece(uint32_t layer, LayerPiece piece);

    /// What is added next is of a layer of the model, or of none.
    void SetLayer(const std::optional<uint32_t>& layer);

    /// \return number of the operation, as it is: it waits for what it says
    uint32_t Add(Operation operation);

    /// Adds computing, which waits for what is awaited.
    uint32_t Compute(Operation operation);

    /// Adds communication behind the latest computing. \param isAwaited the next computing waits
    uint32_t Communicate(Operation operation, bool isAwaited = true);

    /// Adds what another stage goes on with. \param operation of a step
    void SendOn(Operation operation);

    /// The next computing waits for an operation as well.
    void Join(uint32_t operation);

    /// What all that computes next waits for, it waits for here: a node that takes no time.
    void Wait();

    /// \return true when the next computing waits for something that was joined
    bool HasJoined() const;

    /// \return what the next computing waits for, the latest alone: a stream is in order
    const std::optional<uint32_t>& GetAwaited() const;

    /// Sets that. \return what it was
    std::optional<uint32_t> ExchangeAwaited(const std::optional<uint32_t>& awaited);

    /// Takes computing for the latest that communication waits for.
    void SetComputed(const std::optional<uint32_t>& computed);

    /// \return the latest computing
    const std::optional<uint32_t>& GetComputed() const;

    const SlotOperations& Get() const;

  private:
    SlotOperations m_made;
    std::optional<uint32_t> m_computed;
    std::optional<uint32_t> m_awaited;
    std::vector<uint32_t> m_joined; //!< what the next computing waits for as well
    uint32_t m_turn{0};
    std::optional<uint32_t> m_layer;
};

/// \return the operations of two passes of a slot, in turns: each stream has those of both
SlotOperations MergeOperations(const SlotOperations& one, const SlotOperations& other);

} // namespace ns3::rails

#endif // OPERATION_LIST_H
