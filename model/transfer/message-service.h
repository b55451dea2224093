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
 * Whoever acts for a server: posts its messages, and is told what becomes of them. What it is told
 * happens at its server's clock (MessageService::GetClock()), and what it posts from within starts
 * then. It must not act for another server from within: servers influence each other through
 * messages only.
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
 * own, which may run behind the simulator's time and is never ahead of it: by how much behind at
 * most is the engine's business.
 */
class MessageService : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param server a server
     * \param client who acts for it from now on; nullptr: nobody
     */
    virtual void SetClient(uint32_t server, MessageClient* client) = 0;

    /// \return the time up to which everything has happened at a server
    virtual TimePs GetClock(uint32_t server) const = 0;

    /**
     * Calls the client of a server at a time, besides the times of alarms that were set before. An
     * alarm cannot be taken back.
     * \param server the server
     * \param at not before its clock; anything else throws std::logic_error
     */
    virtual void SetAlarm(uint32_t server, TimePs at) = 0;

    /**
     * Starts to move a message at the clock of its source's server. The message stays in place
     * until it is delivered and acknowledged.
     */
    virtual void Post(Message& message) = 0;

    /**
     * Gives up a posted message to another server whose way is cut. With it ends what was set up
     * between the two NICs, so all messages between them must be given up together. If all of it
     * has arrived it counts as acknowledged now; otherwise Message::isAbandoned says that it is as
     * if it had never been posted.
     */
    virtual void Abandon(Message& message) = 0;

    /**
     * \param domain server
     * \param rail NIC of that server
     * \return bytes posted to the NIC that it has not begun to send
     */
    virtual uint64_t GetUnsentBytes(uint32_t domain, uint32_t rail) const = 0;

    /**
     * Everything has happened that happens up to and with now, at all servers. To be called, by
     * those who act behind all else of an instant for all servers at once (the phases of a
     * collective), before they read or post anything.
     */
    virtual void CatchUpThroughNow() = 0;
};

} // namespace ns3::rails

#endif // MESSAGE_SERVICE_H
