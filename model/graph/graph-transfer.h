// SPDX-License-Identifier: GPL-2.0-only
#ifndef GRAPH_TRANSFER_H
#define GRAPH_TRANSFER_H

#include "ns3/cluster-shape.h"
#include "ns3/rail-queue.h"
#include "ns3/rails-units.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::rails
{

/// How a transfer is gone through.
struct TransferTraits
{
    uint32_t steps{1};
    uint32_t lanes{1}; //!< into how many equal parts the steps are divided; those of a lane follow
                       //!< each other, and lanes do not wait for others
    uint16_t channel{0}; //!< that of its messages (Message::channel): its communicator
    bool isDrawn{false}; //!< what a GPU sends is not known before it gets there, so that a server
                         //!< plans the first step of a lane when the last of its members has got
                         //!< there
    /// The exchange of a group, all-to-all; all else may be placed on rails by a planner of its own
    /// (Planner::GetOtherPlanner()).
    bool isExchange{true};
    /// Each step is posted at a time of its own (GraphTransfer::GetStart()), whatever has become of
    /// those before.
    bool isTimed{false};
    /// It is over on a GPU when the GPU has got all bytes for it; otherwise the GPU must know that
    /// its own have arrived as well.
    bool endsWhenReceived{false};
    /// Somebody acts on single messages; otherwise on the end of all alone, and the service may
    /// tell of the others late (Message::isAwaited).
    bool isAwaited{true};
};

/**
 * What GPUs send to each other together, in steps that are counted from 0: nodes of theirs point to
 * it. Answers depend on nothing but the arguments, and two transfers that are made for the same
 * nodes answer alike, so each GPU may have one of its own.
 *
 * What a GPU is to send in a step may wait for what it gets in the one before: it sends its part of
 * a step when it has got all of the step before.
 */
class GraphTransfer
{
  public:
    explicit GraphTransfer(const TransferTraits& traits)
        : m_traits(traits)
    {
    }

    virtual ~GraphTransfer() = default;

    GraphTransfer(const GraphTransfer&) = delete;
    GraphTransfer& operator=(const GraphTransfer&) = delete;

    const TransferTraits& GetTraits() const
    {
        return m_traits;
    }

    /// \return steps of a lane
    uint32_t CountLaneSteps() const
    {
        return m_traits.steps / m_traits.lanes;
    }

    /// \return whether a GPU has a node for it in a step; of a timed transfer, whether it sends
    virtual bool TakesPart(uint32_t gpu, uint32_t step) const = 0;

    /// \return after how many steps of a lane those before come again: what is sent, by whom, on
    /// which rail
    virtual uint32_t CountDifferentSteps() const
    {
        return CountLaneSteps();
    }

    /// \return GPUs of a server that take part in a step, ascending
    std::vector<uint32_t> GetMembers(const ClusterShape& shape,
                                     uint32_t server,
                                     uint32_t step) const;

    /// \return what a GPU sends in a step, sorted by destination; none to itself
    virtual std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const = 0;

    /// \return bytes that a GPU gets in a step from all others together
    virtual uint64_t GetReceived(uint32_t gpu, uint32_t step) const = 0;

    /// \return the rail on which what a GPU sends to other servers in a step leaves and arrives,
    /// and its queue pair
    virtual RailQueue GetRail(uint32_t /* gpu */, uint32_t /* step */) const
    {
        return {};
    }

    /// \return when a step of a timed transfer is posted, from the begin of the transfer
    virtual TimePs GetStart(uint32_t /* step */) const
    {
        return 0;
    }

  private:
    TransferTraits m_traits;
};

/// \return bytes as demands of a GPU, those for itself left out. \param bytes by GPU
std::vector<Demand> ListDemands(const std::map<uint32_t, uint64_t>& bytes, uint32_t gpu);

/// A transfer that says for each pair what goes from one to the other: so whatever is sent is what
/// is received.
class PairTransfer : public GraphTransfer
{
  public:
    using GraphTransfer::GraphTransfer;

    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const final;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const final;

  protected:
    /// \return whom a GPU may send to or get from, in any order; itself does not count
    virtual const std::vector<uint32_t>& GetPartners(uint32_t gpu, uint32_t step) const = 0;

    /// \return bytes that go from one to another
    virtual uint64_t CountBytes(uint32_t from, uint32_t to, uint32_t step) const = 0;
};

} // namespace ns3::rails

#endif // GRAPH_TRANSFER_H
