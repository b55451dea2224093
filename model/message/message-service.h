// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_SERVICE_H
#define MESSAGE_SERVICE_H

#include "rails-message.h"

#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * The client of a server: posts the server's messages and receives their events. Calls come at the
 * server's clock (MessageService::GetClock()), and a message posted within a call starts at that
 * clock. Events of a message that is not awaited (Message::isAwaited) may come late. Within a call
 * the client must not act for another server: servers influence each other only through messages.
 */
class MessageClient
{
  public:
    virtual ~MessageClient() = default;

    /// The last byte of a message for this server is in the memory of its GPU.
    virtual void OnDelivered(Message& message) = 0;

    /// This server has learned that its message was delivered.
    virtual void OnAcknowledged(Message& message) = 0;

    /// The last byte of a message to another server has begun to leave this one.
    virtual void OnSent(Message& message) = 0;

    /// The time of an alarm of this server has come.
    virtual void OnAlarm(uint32_t server) = 0;
};

/**
 * Moves messages between GPUs: post a message, and be told when it is done. Each server has a
 * clock, which may lag behind the simulator's time, at most by Engine::GetLookahead(), and is never
 * ahead of it.
 */
class MessageService : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param server a server
     * \param client receives the events of the server from now on; nullptr: no client
     */
    virtual void SetClient(uint32_t server, MessageClient* client) = 0;

    /// \return the time up to which a server is simulated
    virtual TimePs GetClock(uint32_t server) const = 0;

    /**
     * Calls the client of a server at a time, in addition to earlier alarms. An alarm cannot be
     * cancelled.
     * \param server the server
     * \param at not before the server's clock, or std::logic_error is thrown
     */
    virtual void SetAlarm(uint32_t server, TimePs at) = 0;

    /**
     * Starts to move a message at the clock of its source's server. The message stays in place
     * until it is delivered and acknowledged.
     */
    virtual void Post(Message& message) = 0;

    /**
     * Gives up a posted message whose path to another server is cut. The connection between the
     * message's two NICs ends as well, so all messages between these NICs must be given up
     * together. If all bytes have arrived, the message counts as acknowledged now; otherwise it
     * counts as never posted (Message::isAbandoned).
     */
    virtual void Abandon(Message& message) = 0;

    /**
     * \param server number of a server
     * \param rail NIC of that server
     * \return bytes posted to the NIC and not yet begun to be sent
     */
    virtual uint64_t GetUnsentBytes(uint32_t server, uint32_t rail) const = 0;

    /**
     * Simulates all servers up to and including now. Callers that act for all servers at once,
     * after all other events of an instant (the phases of a collective), must call it before they
     * read or post.
     */
    virtual void CatchUpThroughNow() = 0;
};

} // namespace ns3::rails

#endif // MESSAGE_SERVICE_H
