// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_ENDS_H
#define FLOW_ENDS_H

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
 * When messages are sent, delivered and acknowledged, once their last bytes have been served, and
 * the appointments to tell of that. Owns these times, of messages and queues, and knows whether
 * somebody awaits a message that is under way.
 */
class FlowEnds
{
  public:
    /**
     * \param shape the cluster
     * \param settings how messages are cut into frames
     * \param network what a message's way takes besides the time at its rate
     * \param queues all queues
     * \param calendar gets the appointments
     */
    FlowEnds(const ClusterShape& shape,
             const FlowSettings& settings,
             const FlowNetwork& network,
             FlowQueues& queues,
             FlowCalendar& calendar);

    /// A message is posted, or will be when it is its turn.
    void Expect(const Message& message, TimePs now)
    {
        m_lastPost = now;
        m_awaited += message.isAwaited ? 1 : 0;
        m_wasAwaited = m_wasAwaited || message.isAwaited;
    }

    /// A message that is under way is given up.
    void GiveUp(const Message& message)
    {
        m_awaited -= message.isAwaited ? 1 : 0;
    }

    /// \return true when messages are under way that somebody awaits by themselves
    bool IsAnyAwaited() const
    {
        return m_awaited > 0;
    }

    /// \return true when there has been such a message
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
     * The message at the head of a queue has been served: says when it ends, and makes appointments
     * if somebody awaits it. What is read or written ends as FlowStages has it.
     * \param at when, not after now
     */
    void Note(uint32_t queue, TimePs at);

    /// Makes appointments for all that has been drained of a queue and not been told.
    void TellOfDrained(uint32_t queue);

  private:
    void SetTimesInside(Message& message, TimePs drained) const;
    void SetTimesOfPair(FlowQueue& queue, const FlowQueue::Entry& entry, TimePs drained);

    ClusterShape m_shape;
    FlowSettings m_settings;
    const FlowNetwork& m_network;
    FlowQueues& m_queues;
    FlowCalendar& m_calendar;
    uint64_t m_awaited{0};     // messages under way that somebody awaits by themselves
    bool m_wasAwaited{false};  // there has been one
    TimePs m_lastPost{kNever}; // of a message
};

} // namespace ns3::rails

#endif // FLOW_ENDS_H
