// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_BATCH_RULES_H
#define MESSAGE_BATCH_RULES_H

#include "flow-network.h"
#include "flow-queue.h"
#include "flow-settings.h"

#include "ns3/cluster-shape.h"
#include "ns3/rails-message.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ns3::rails
{

/**
 * Rules by which successive messages of a queue form a batch (run) that one flow serves. Sets the
 * route of the run: its GPUs, and its shares of payload and ACKs per byte on the wire
 * (FlowQueue::route, runEnd, volume and acks).
 */
class MessageBatchRules
{
  public:
    /**
     * \param shape the cluster
     * \param frames MTU and headers
     * \param network tells where messages inside servers are under way
     */
    MessageBatchRules(const ClusterShape& shape,
                      const FrameFormat& frames,
                      const FlowNetwork& network);

    /// Forms the run of a queue: the message at its head and all that fit behind it.
    void Choose(FlowQueue& queue) const;

    /// \return true when the last message of a queue is directly behind the run, and fits it
    bool MayExtend(const FlowQueue& queue) const
    {
        return queue.drained < queue.runEnd && queue.runEnd + 1 == queue.entries.size() &&
               Fits(queue, queue.runEnd);
    }

    /// Adds the message behind the run to the run. \return false when this changes the shares of
    /// payload or ACKs, so that the run has to begin anew
    bool Extend(FlowQueue& queue) const;

    /// A message has been drained.
    void CountDrained(FlowQueue& queue, uint64_t bytes) const;

    /// \return true when the GPUs of the message at the head of a queue pair are those of its run,
    /// as far as GPUs matter now
    bool HasRightGpus(const FlowQueue& queue) const;

    /// \return the byte at which the last packet of the message at the head of a queue pair begins
    /// to be sent; FlowClocks::kNowhere unless the message is awaited and its sender not yet told
    double GetSentAt(const FlowQueue& queue) const;

  private:
    using GpuPair = std::pair<uint32_t, uint32_t>;
    GpuPair FindGpus(const FlowRoute& route, const Message& message) const;
    bool Fits(const FlowQueue& queue, std::size_t entry) const;
    void Count(FlowQueue& queue, uint64_t bytes, bool isAdded) const;
    FlowRoute FindShares(const FlowQueue& queue) const;

    ClusterShape m_shape;
    FrameFormat m_frames;
    const FlowNetwork& m_network;
};

} // namespace ns3::rails

#endif // MESSAGE_BATCH_RULES_H
