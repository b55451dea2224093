// SPDX-License-Identifier: GPL-2.0-only
#ifndef MESSAGE_SERVICE_H
#define MESSAGE_SERVICE_H

#include "rails-message.h"

#include "ns3/callback.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Moves messages between GPUs: post one, be told when it is done. Frame-level hosts implement it;
 * other ways to move bytes (fluid flows) can stand in for them.
 */
class MessageService : public Object
{
  public:
    /// Signature of the notifications.
    using MessageCallback = Callback<void, Message&>;

    static TypeId GetTypeId();

    /// Starts to move a message now.
    virtual void Post(Message& message) = 0;

    /**
     * Everything has happened that happens up to and with now. To be called, by those who act
     * behind all else of an instant, before they read or post anything: servers may run behind the
     * simulator's time. By default they do not.
     */
    virtual void CatchUpThroughNow();

    /**
     * \param domain server
     * \param rail NIC of that server
     * \return bytes posted to the NIC that it has not begun to send
     */
    virtual uint64_t GetUnsentBytes(uint32_t domain, uint32_t rail) const = 0;

    /**
     * Gives up a posted message to another server whose way is cut. With it ends what was set up
     * between the two NICs, so all messages between them must be given up together. If all of it
     * has arrived it counts as acknowledged now; otherwise Message::isAbandoned says that it is as
     * if it had never been posted.
     */
    virtual void Abandon(Message& message) = 0;

    /**
     * The time of a delivery is Message::end. Nodes run a little behind the simulator's time, so
     * the call may come later, by up to a propagation delay, unless it is the last delivery to its
     * server. What the server of the destination posts in answer starts at Message::end in any
     * case; what another server posts starts late by as much.
     * \param callback called when the last byte of a message is in the destination GPU's memory
     */
    void SetDeliveredCallback(MessageCallback callback);
    /// \param callback called when the sender has the ACK that covers a message
    void SetAcknowledgedCallback(MessageCallback callback);
    /// \param callback called when a NIC has handed the last frame of a message to its port
    void SetSentCallback(MessageCallback callback);

  protected:
    MessageCallback m_delivered;
    MessageCallback m_acknowledged;
    MessageCallback m_sent;
};

} // namespace ns3::rails

#endif // MESSAGE_SERVICE_H
