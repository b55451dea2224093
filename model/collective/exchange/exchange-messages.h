// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXCHANGE_MESSAGES_H
#define EXCHANGE_MESSAGES_H

#include "plan-maker.h"

#include "ns3/message-service.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <tuple>

namespace ns3::rails
{

/// Common properties of messages created together.
struct MessageTraits
{
    uint16_t kind{0};      //!< Message::kind
    uint16_t channel{0};   //!< Message::channel
    bool isAwaited{false}; //!< Message::isAwaited
    bool isPinned{false};  //!< Message::isPinned

    /// \return the traits of a message
    static MessageTraits Of(const Message& message)
    {
        return {message.kind, message.channel, message.isAwaited, message.isPinned};
    }

    bool operator<(const MessageTraits& other) const
    {
        return std::tie(kind, channel, isAwaited, isPinned) <
               std::tie(other.kind, other.channel, other.isAwaited, other.isPinned);
    }
};

/**
 * Creates, posts, abandons and counts the messages of a run. Messages keep their address for the
 * lifetime of this object (about 70 bytes each), unless ForgetBeyond() is set.
 */
class ExchangeMessages
{
  public:
    /**
     * \param shape the cluster
     * \param service transfers the messages
     */
    ExchangeMessages(ClusterShape shape, Ptr<MessageService> service);

    ExchangeMessages(const ExchangeMessages&) = delete;
    ExchangeMessages& operator=(const ExchangeMessages&) = delete;

    /**
     * Discards finished messages, oldest first, when a message is created beyond a limit. Valid
     * only if no message is abandoned, and finished messages are not accessed.
     * \param most number of kept messages
     */
    void ForgetBeyond(size_t most);

    /// \param traits of messages created from now on
    void SetTraits(const MessageTraits& traits);

    /**
     * Creates a message inside a server, without posting it.
     * \param source source GPU
     * \param demand destination GPU and bytes
     * \param step step of the phase
     */
    void AddInside(uint32_t source, const Demand& demand, uint32_t step);

    /**
     * Creates a message for each chunk of a plan, in order, without posting it.
     * \param plan the plan of a server
     * \param step step of the phase
     * \param made upper bound of earlier messages of the same server and step; keeps ECMP entropy
     *     distinct
     * \return id of the first message
     */
    size_t AddPlanned(const ServerPlan& plan, uint32_t step, uint32_t made = 0);

    /// Counts the run's time from the start of planning, if that precedes the first post
    /// (GetFirstPost()).
    void BeginPlanning(TimePs at);

    /// Posts a message, at the clock of its source's server.
    void Post(Message& message);

    /**
     * Abandons a posted message.
     * \return false when it had arrived completely, so that it counts as acknowledged
     */
    bool Abandon(Message& message);

    /// Records a delivery, at the clock of the destination's server.
    void OnDelivered(Message& message);

    /// Records an acknowledgement at the sender.
    void OnAcknowledged(Message& message);

    /// \param id less than GetSize(), of a message that is not discarded
    Message& Get(size_t id);

    /// \return number of messages created
    size_t GetSize() const;

    /// \return messages that are not discarded, by id
    const std::deque<Message>& GetAll() const
    {
        return m_messages;
    }

    /// \return number of discarded messages; these have the lowest ids
    size_t GetForgotten() const
    {
        return m_forgotten;
    }

    /// \return longest time from first byte sent to acknowledgement, over discarded messages
    TimePs GetSlowestForgotten() const
    {
        return m_slowestForgotten;
    }

    /// \return undelivered messages, posted or not
    uint64_t GetUndelivered() const
    {
        return m_undelivered;
    }

    /// \return posted, undelivered messages
    uint64_t GetTravelling() const
    {
        return m_travelling;
    }

    /// \return unacknowledged messages, posted or not
    uint64_t GetUnacknowledged() const
    {
        return m_unacknowledged;
    }

    uint64_t GetDelivered() const;

    uint64_t GetAbandoned() const
    {
        return m_abandoned;
    }

    /// \return delivered payload in bytes, of whole messages
    uint64_t GetDeliveredBytes() const
    {
        return m_deliveredBytes;
    }

    /// \return time of the first post, or the earlier start of planning; kNever before it
    TimePs GetFirstPost() const
    {
        return m_firstPost;
    }

    /// \return time of the latest post; kNever before the first
    TimePs GetLastPost() const
    {
        return m_lastPost;
    }

    /// \return time of the latest delivery of a message; kNever before the first
    TimePs GetLastDelivery() const
    {
        return m_lastDelivery;
    }

    /// \return time of the latest acknowledgement of a message; kNever before the first
    TimePs GetLastAcknowledgement() const
    {
        return m_lastAcknowledgement;
    }

  private:
    Message& Add(uint32_t source, uint32_t destination, uint64_t bytes, uint32_t step);
    void Forget();

    ClusterShape m_shape;
    Ptr<MessageService> m_service;
    std::deque<Message> m_messages; // a deque keeps addresses of messages
    size_t m_most{std::numeric_limits<size_t>::max()};
    size_t m_forgotten{0};
    TimePs m_slowestForgotten{0};
    MessageTraits m_traits;
    uint64_t m_undelivered{0};
    uint64_t m_travelling{0};
    uint64_t m_unacknowledged{0};
    uint64_t m_abandoned{0};
    uint64_t m_deliveredBytes{0};
    TimePs m_firstPost{kNever};
    TimePs m_lastPost{kNever};
    TimePs m_lastDelivery{kNever};
    TimePs m_lastAcknowledgement{kNever};
};

} // namespace ns3::rails

#endif // EXCHANGE_MESSAGES_H
