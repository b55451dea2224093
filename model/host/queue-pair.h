// SPDX-License-Identifier: GPL-2.0-only
#ifndef QUEUE_PAIR_H
#define QUEUE_PAIR_H

#include "congestion-control.h"
#include "message-state.h"
#include "rails-transport.h"
#include "receiver-recovery.h"
#include "sender-recovery.h"

#include "ns3/path-selector.h"
#include "ns3/rails-agenda.h"
#include "ns3/rails-frame.h"

#include <cstdint>
#include <memory>

namespace ns3::rails
{

/// Address of the receiving end of a queue pair.
struct QueuePairPeer
{
    uint32_t nic{0};       //!< number of the NIC
    NicAddress address;    //!< switch and port of that NIC
    uint32_t queuePair{0}; //!< number of the receiving end at that NIC
};

/**
 * The sending end of a queue pair: its messages in order, the next frame, and the time when the
 * rate allows that frame. It does not depend on the NIC's other queue pairs.
 */
class SendQueue
{
  public:
    /// State of a queue pair at its NIC.
    enum class State : uint8_t
    {
        Dormant,  //!< no frame to send, or blocked by a window until an ACK arrives
        Eligible, //!< in the round robin of the NIC
        Paced     //!< waits until its rate allows the next frame
    };

    /**
     * \param transport common settings of all queue pairs
     * \param number of the queue pair at its NIC
     * \param entropy input of ECMP, unless the path selector sets it
     * \param peer the receiving end
     * \param rank place in the NIC's first round
     * \param lineRateBps rate of the NIC, in bit/s
     * \param agenda gives the time
     * \param path chooses paths of frames
     * \param nic state of the NIC for congestion control
     */
    SendQueue(const Transport& transport,
              uint32_t number,
              uint32_t entropy,
              QueuePairPeer peer,
              uint64_t rank,
              uint64_t lineRateBps,
              const Agenda& agenda,
              Ptr<PathSelector> path,
              const CongestionControl::NicState& nic);

    /// Appends a message.
    void Append(MessageState& transfer);

    /// \return true when a frame is present at the NIC and within the window; the rate is not
    /// checked
    bool CanSend() const;

    /// Result of sending a frame.
    struct Sent
    {
        bool firstTime;     //!< the frame had not been sent before
        bool lastOfMessage; //!< it was the last frame of its message
    };

    /**
     * Fills in the next frame and accounts for it; CanSend() must hold.
     * \param frame gets all fields known to the queue pair
     */
    Sent Send(Frame& frame);

    /// \return time when the rate allows a frame, or when the rate changes before
    TimePs GetReadyAt();

    /// An ACK or NAK arrived.
    void OnReply(const Frame& reply);

    /// A congestion notification packet arrived.
    void OnCnp();

    /// The rate of the NIC has changed. \param lineRateBps in bit/s
    void SetLineRate(uint64_t lineRateBps);

    /**
     * Stops sending and drops all messages, except messages that have arrived completely: their ACK
     * may still come, within a time-out from now.
     * \return payload bytes that were never sent
     */
    uint64_t TearDown();

    bool IsTornDown() const
    {
        return m_isTornDown;
    }

    /// The present wait for an ACK has ended without one.
    void OnTimeout();

    /// Removes the oldest message if it is acknowledged. \return the message, or nullptr
    MessageState* TakeAcknowledged();

    /// Removes the oldest message. \return the message, or nullptr
    MessageState* TakeOldest();

    /// \return true when all present messages had been delivered by a time
    bool WasDeliveredBy(TimePs time) const;

    /// What congestion control allows at present.
    struct Allowance
    {
        uint64_t rateBps{0};     //!< bit/s
        uint64_t windowBytes{0}; //!< payload in flight
        double alpha{0};         //!< estimate of congestion; 0 without one
    };

    /// \return what congestion control allows; the queue pair must have messages
    Allowance FindAllowance();

    /// Prefetches the memory that CanSend() and Send() read.
    void Prefetch() const;

    /// \return end of the present wait for an ACK; kNever without frames in flight
    TimePs GetDeadline() const;

    /// \return the oldest message, or nullptr
    const MessageState* GetOldest() const
    {
        return m_oldest;
    }

    uint32_t GetNumber() const
    {
        return m_number;
    }

    uint64_t GetRank() const
    {
        return m_rank;
    }

    const QueuePairPeer& GetPeer() const
    {
        return m_peer;
    }

    CongestionControl& GetCongestionControl() const
    {
        return *m_congestionControl;
    }

    const SenderRecovery& GetLossRecovery() const
    {
        return *m_lossRecovery;
    }

    /// \return true when GetDeadline() may become earlier
    bool MovesDeadline() const
    {
        return m_usesRoundTrips;
    }

    State state{State::Dormant}; //!< kept by the NIC
    TimePs timerAt{kNever};      //!< time of the NIC's next check for a time-out

  private:
    MessageState* Find(uint64_t psn) const;
    bool FitsWindow() const;
    uint64_t GetRate(TimePs at) const;
    void OweFrame(const Message* message, uint64_t wireBits);
    bool IsStaged(uint64_t psn) const;
    void PayDebt(TimePs now);

    const Transport& m_transport;
    const Agenda& m_agenda;
    Ptr<CongestionControl> m_congestionControl;
    std::unique_ptr<SenderRecovery> m_lossRecovery;
    Ptr<PathSelector> m_path;
    bool m_usesAcks;       // CongestionControl::Traits::usesAcks
    bool m_usesFeedback;   // PathSelector::Traits::usesFeedback
    bool m_usesRoundTrips; // SenderRecovery::UsesRoundTrips()
    bool m_isTornDown{false};
    QueuePairPeer m_peer;
    uint32_t m_number;
    uint32_t m_entropy;
    uint64_t m_rank;

    MessageState* m_oldest{nullptr}; // first message that is not completely acknowledged
    MessageState* m_newest{nullptr};
    mutable MessageState* m_current{nullptr}; // message of the last look-up of a PSN
    uint64_t m_end{0};                        // first PSN that has not been posted
    uint64_t m_firstUnsent{0};                // first PSN that has never been sent

    // Pacing: the last frame is a debt in bits times 10^12, and the rate pays it per ps.
    uint64_t m_debt{0};
    TimePs m_debtAt{0};
    uint64_t m_pace{0};   // Message::paceBps of the message of that frame
    uint64_t m_credit{0}; // bits times 10^12 that a paced message may catch up after a wait
    TimePs m_freeAt{0};   // time since which the debt is 0
    uint64_t m_burst;     // largest credit of the congestion control, in bits times 10^12

    TimePs m_progressAt{0}; // start of the present time-out
};

/// The receiving end of a queue pair.
struct ReceiveQueue
{
    std::unique_ptr<ReceiverRecovery> lossRecovery;
    Ptr<PathSelector> path;    //!< of replies with separate paths; made at first use
    uint32_t peerNic{0};       //!< number of the sending NIC
    NicAddress peerAddress;    //!< switch and port of that NIC
    uint32_t peerQueuePair{0}; //!< number of the sending end at that NIC
    uint32_t peerEntropy{0};   //!< entropy of the sending end
    TimePs nextCnpAt{0};       //!< earliest time of the next CNP
};

} // namespace ns3::rails

#endif // QUEUE_PAIR_H
