// SPDX-License-Identifier: GPL-2.0-only
#ifndef COMPLETION_TIMES_H
#define COMPLETION_TIMES_H

#include "flow-calendar.h"
#include "flow-network.h"
#include "flow-queues.h"
#include "flow-settings.h"

#include "ns3/cluster-shape.h"
#include "ns3/rails-message.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Computes when messages are sent, delivered and acknowledged once their last bytes have been
 * served, and schedules the notifications of clients. Counts the awaited messages under way
 * (Message::isAwaited).
 */
class CompletionTimes
{
  public:
    /**
     * \param shape the cluster
     * \param settings give the frame format
     * \param network gives the latencies of a message's path
     * \param queues all queues
     * \param calendar schedules the notifications
     */
    CompletionTimes(const ClusterShape& shape,
                    const FlowSettings& settings,
                    const FlowNetwork& network,
                    FlowQueues& queues,
                    FlowCalendar& calendar);

    /// A message is posted, or waits at its NIC for its turn to be posted.
    void Expect(const Message& message, TimePs now)
    {
        m_lastPost = now;
        m_awaited += message.isAwaited ? 1 : 0;
        m_wasAwaited = m_wasAwaited || message.isAwaited;
    }

    /// A message under way is abandoned.
    void GiveUp(const Message& message)
    {
        m_awaited -= message.isAwaited ? 1 : 0;
    }

    /// \return true when awaited messages are under way
    bool IsAnyAwaited() const
    {
        return m_awaited > 0;
    }

    /// \return true when an awaited message has been posted
    bool WasAnyAwaited() const
    {
        return m_wasAwaited;
    }

    /// \return when the last message was posted; kNever before the first one
    TimePs GetLastPost() const
    {
        return m_lastPost;
    }

    /**
     * The message at the head of a queue has been served: sets its times, and schedules its
     * notifications if it is awaited. HostPipeline sets the end of a message that is written to a
     * GPU in a stage of its own.
     * \param at when, not after now
     */
    void Note(uint32_t queue, TimePs at);

    /// Schedules the notifications of all drained messages of a queue whose clients do not know
    /// yet.
    void TellOfDrained(uint32_t queue);

  private:
    void SetTimesInside(Message& message, TimePs drained) const;
    void SetTimesOfPair(FlowQueue& queue, const FlowQueue::Entry& entry, TimePs drained);

    ClusterShape m_shape;
    FlowSettings m_settings;
    const FlowNetwork& m_network;
    FlowQueues& m_queues;
    FlowCalendar& m_calendar;
    uint64_t m_awaited{0};     // awaited messages under way
    bool m_wasAwaited{false};  // an awaited message has been posted
    TimePs m_lastPost{kNever}; // of a message
};

} // namespace ns3::rails

#endif // COMPLETION_TIMES_H
