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

/// What messages that are made together have in common.
struct MessageTraits
{
    uint16_t kind{0};      //!< Message::kind
    uint16_t channel{0};   //!< Message::channel
    bool isAwaited{false}; //!< Message::isAwaited
    bool isPinned{false};  //!< Message::isPinned

    /// \return those of a message
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
 * The messages of a run: makes them, posts them, gives them up, and counts what becomes of them.
 * Messages stay in place, for the results, as long as this object lives (about 70 bytes each), or
 * until they are over where nobody will ask for them.
 */
class ExchangeMessages
{
  public:
    /**
     * \param shape the cluster
     * \param service what moves the messages
     */
    ExchangeMessages(ClusterShape shape, Ptr<MessageService> service);

    ExchangeMessages(const ExchangeMessages&) = delete;
    ExchangeMessages& operator=(const ExchangeMessages&) = delete;

    /**
     * Forgets messages that are over, the oldest first, whenever a message is made and there are
     * more than a number of them. Only where nothing is given up, and where nobody looks at a
     * message that is delivered and acknowledged.
     * \param most how many messages may stay
     */
    void ForgetBeyond(size_t most);

    /// \param traits of messages made from now on
    void SetTraits(const MessageTraits& traits);

    /**
     * Makes a message that stays inside its server, and does not post it.
     * \param source source GPU
     * \param demand destination GPU and bytes
     * \param step step of the phase
     */
    void AddInside(uint32_t source, const Demand& demand, uint32_t step);

    /**
     * Makes a message for each piece of a plan, in their order, and does not post it.
     * \param plan the plan of a server
     * \param step step of the phase
     * \param made how many messages of the server and the step there were before, or more
     * \return the id of the first of these messages
     */
    size_t AddPlanned(const ServerPlan& plan, uint32_t step, uint32_t made = 0);

    /// Somebody begins to plan what will be posted: time counts from here on, see GetFirstPost().
    void BeginPlanning(TimePs at);

    /// Posts a message at the clock of its source's server.
    void Post(Message& message);

    /**
     * Gives up a posted message.
     * \return false when all of it had arrived, so that it counts as acknowledged
     */
    bool Abandon(Message& message);

    /// A message has been delivered, at the clock of its destination's server.
    void OnDelivered(Message& message);

    /// The sender of a message knows that it has been delivered.
    void OnAcknowledged(Message& message);

    /// \param id less than GetSize(), of a message that is not forgotten
    Message& Get(size_t id);

    /// \return how many messages were made so far
    size_t GetSize() const;

    /// \return all messages made so far that are not forgotten, by id
    const std::deque<Message>& GetAll() const;

    /// \return how many are forgotten: those with the lowest ids
    size_t GetForgotten() const;

    /// \return the longest time from the first byte sent to the acknowledgement, of forgotten ones
    TimePs GetSlowestForgotten() const;

    /// \return messages that are to be delivered yet, posted or not
    uint64_t GetUndelivered() const;
    /// \return messages that are posted and not delivered
    uint64_t GetTravelling() const;
    /// \return messages that are to be acknowledged yet, posted or not
    uint64_t GetUnacknowledged() const;
    uint64_t GetDelivered() const;
    uint64_t GetAbandoned() const;
    /// \return payload delivered so far, counted by whole messages
    uint64_t GetDeliveredBytes() const;

    /// \return time of the first post, or since when it is planned where that takes a time; kNever
    /// before it
    TimePs GetFirstPost() const;
    /// \return time of the latest post; kNever before the first
    TimePs GetLastPost() const;
    /// \return time of the latest delivery of a message; kNever before the first
    TimePs GetLastDelivery() const;
    /// \return time of the latest acknowledgement of a message; kNever before the first
    TimePs GetLastAcknowledgement() const;

  private:
    Message& Add(uint32_t source, uint32_t destination, uint64_t bytes, uint32_t step);
    void Forget();

    ClusterShape m_shape;
    Ptr<MessageService> m_service;
    std::deque<Message> m_messages; // grows without moving what it holds
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
