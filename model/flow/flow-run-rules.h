// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_RUN_RULES_H
#define FLOW_RUN_RULES_H

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
 * Which successive messages of a queue flow alike and so make a run, and what its flow is like:
 * between which GPUs, and how many bytes of payload and ACKs go with those on the wire. Owns, of a
 * queue, what is said of its run (FlowQueue::route, runEnd, volume and acks); whether the run is
 * served is not its business.
 */
class FlowRunRules
{
  public:
    /**
     * \param shape the cluster
     * \param frames how bytes become frames
     * \param network where the runs flow
     */
    FlowRunRules(const ClusterShape& shape, const FrameFormat& frames, const FlowNetwork& network);

    /// The run of a queue begins with the message at its head, and has all that flow like it.
    void Choose(FlowQueue& queue) const;

    /// \return true when the message behind the run of a queue is its last one, and flows as those
    /// of the run do
    bool MayExtend(const FlowQueue& queue) const
    {
        return queue.drained < queue.runEnd && queue.runEnd + 1 == queue.entries.size() &&
               Fits(queue, queue.runEnd);
    }

    /// Adds that message to the run. \return false when the run does not weigh on its way forth and
    /// back as it did before, so that it has to begin anew
    bool Extend(FlowQueue& queue) const;

    /// A message has been drained.
    void CountDrained(FlowQueue& queue, uint64_t bytes) const;

    /// \return true when the message at the head of a queue pair goes between the GPUs that its
    /// run goes between, as far as these matter now
    bool HasRightGpus(const FlowQueue& queue) const;

    /// \return the byte at which the last frame of the message at the head of a queue is to be
    /// sent, if somebody awaits that; otherwise FlowClocks::kNowhere
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

#endif // FLOW_RUN_RULES_H
