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
 * The client of a server: posts the server's messages, and is told what becomes of them. It is
 * called at the server's clock (MessageService::GetClock()), of a message that nobody awaits
 * (Message::isAwaited) maybe later than it happened, and a message that it posts within such a call
 * starts at that clock. Within a call it must not act for another server: servers
 * influence each other through messages only.
 */
class MessageClient
{
  public:
    virtual ~MessageClient() = default;

    /// The last byte of a message for this server is in the memory of its GPU.
    virtual void OnDelivered(Message& message) = 0;

    /// This server knows that a message of its own has been delivered.
    virtual void OnAcknowledged(Message& message) = 0;

    /// The last byte of a message to another server has begun to leave this one.
    virtual void OnSent(Message& message) = 0;

    /// The time of an alarm of this server has come.
    virtual void OnAlarm(uint32_t server) = 0;
};

/**
 * Moves messages between GPUs: post one, be told when it is done. Each server has a clock of its
 * own, which may run behind the simulator's time (by how much at most is up to the engine) and is
 * never ahead of that time.
 */
class MessageService : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param server a server
     * \param client what acts for the server from now on; nullptr: nobody
     */
    virtual void SetClient(uint32_t server, MessageClient* client) = 0;

    /// \return the time up to which everything has happened at a server
    virtual TimePs GetClock(uint32_t server) const = 0;

    /**
     * Calls the client of a server at a time, besides the times of alarms that were set before. An
     * alarm cannot be taken back.
     * \param server the server
     * \param at not before the server's clock; anything else throws std::logic_error
     */
    virtual void SetAlarm(uint32_t server, TimePs at) = 0;

    /**
     * Starts to move a message at the clock of its source's server. The message stays in place
     * until it is delivered and acknowledged.
     */
    virtual void Post(Message& message) = 0;

    /**
     * Gives up a posted message whose way to another server is cut. The connection between the
     * message's two NICs ends as well, so all messages between these NICs must be given up
     * together. If all bytes have arrived, the message counts as acknowledged now; otherwise it
     * counts as never posted (Message::isAbandoned).
     */
    virtual void Abandon(Message& message) = 0;

    /**
     * \param server its number
     * \param rail NIC of that server
     * \return bytes posted to the NIC that it has not begun to send
     */
    virtual uint64_t GetUnsentBytes(uint32_t server, uint32_t rail) const = 0;

    /**
     * Lets all servers do what they do up to and including now. To be called by those who act for
     * all servers at once behind all else of an instant (the phases of a collective), before they
     * read or post anything.
     */
    virtual void CatchUpThroughNow() = 0;
};

} // namespace ns3::rails

#endif // MESSAGE_SERVICE_H
