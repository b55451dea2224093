// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_MESSAGE_H
#define RAILS_MESSAGE_H

#include "ns3/callback.h"
#include "ns3/object.h"
#include "ns3/rails-units.h"

#include <cstdint>

namespace ns3::rails
{

class SendQueue;

/// Rail of a message that stays inside its server and crosses NVLink only.
constexpr uint16_t kNoRail = 0xffff;

/**
 * One RDMA message: a piece of what one GPU has for another, on one NIC at each end. The caller
 * owns it and keeps it in place until it is delivered and acknowledged. GPUs are numbered
 * domain by domain: GPU n of domain d is d * gpusPerDomain + n.
 */
struct Message
{
    uint32_t id{0};              //!< running number in the run
    uint32_t pair{0};            //!< the GPU pair it belongs to (pair_id of messages.csv)
    uint32_t source{0};          //!< source GPU
    uint32_t destination{0};     //!< destination GPU
    uint16_t txRail{kNoRail};    //!< NIC of the source's server that sends it
    uint16_t rxRail{kNoRail};    //!< NIC of the destination's server that receives it
    uint16_t phase{0};           //!< phase of the workload
    uint16_t subflow{0};         //!< which of the queue pairs of its NICs it takes
    uint32_t step{0};            //!< step of that phase
    bool isSent{false};          //!< its last frame was handed to the port; the poster's own note
    bool isAbandoned{false};     //!< given up: what has arrived of it does not count
    uint64_t bytes{0};           //!< payload, at least 1
    TimePs start{kNever};        //!< when it was posted
    TimePs sent{kNever};         //!< when its first frame began to leave (inside a server: never)
    TimePs end{kNever};          //!< when its last byte was in the destination GPU's memory
    TimePs acknowledged{kNever}; //!< when its covering ACK was back (inside a server: end)

    // The transport's own state.
    uint64_t staged{0};        //!< bytes present at the sending NIC
    uint64_t received{0};      //!< distinct bytes that reached the receiving NIC
    uint64_t forwarded{0};     //!< bytes handed on to the receiving server's NVLink
    uint64_t delivered{0};     //!< bytes in the destination GPU's memory
    uint64_t firstPsn{0};      //!< packet sequence number of its first frame
    Message* next{nullptr};    //!< the message behind it in its queue pair
    SendQueue* queue{nullptr}; //!< its queue pair
};

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
     * Gives up a posted message to another server whose way is cut: its queue pair is torn down,
     * so all messages between the two NICs must be given up together. If all of it has arrived it
     * counts as acknowledged now; otherwise Message::isAbandoned says that it is as if it had never
     * been posted. By default nothing can be given up.
     */
    virtual void Abandon(Message& message);

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

#endif // RAILS_MESSAGE_H
