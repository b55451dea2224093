// SPDX-License-Identifier: GPL-2.0-only
#ifndef QUEUE_PAIR_H
#define QUEUE_PAIR_H

#include "congestion-control.h"
#include "rails-transfer.h"
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

/// What the sending end of a queue pair needs to know of the other.
struct QueuePairPeer
{
    uint32_t nic{0};       //!< number of the NIC
    NicAddress address;    //!< where that NIC is attached
    uint32_t queuePair{0}; //!< number of the receiving end at that NIC
};

/**
 * The sending end of a queue pair: its messages in order, which frame is next, and when its rate
 * allows it. It knows nothing of the NIC's other queue pairs.
 */
class SendQueue
{
  public:
    /// Whether and why a queue pair waits.
    enum class State : uint8_t
    {
        Dormant,  //!< nothing to send, or not allowed to until an ACK arrives
        Eligible, //!< in the NIC's round
        Paced     //!< waits until its rate allows the next frame
    };

    /**
     * \param transport what it shares with the others
     * \param number its number at its NIC
     * \param entropy what switches hash of it, unless its paths say otherwise
     * \param peer the other end
     * \param rank its place in the NIC's first round
     * \param lineRateBps rate of the NIC
     * \param agenda tells the time
     * \param path chooses its paths
     * \param nic what its congestion control may know of the NIC
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

    /// Adds a message behind those there are.
    void Append(Transfer& transfer);

    /// \return true when a frame is there and the window lets it go; its rate is another matter
    bool CanSend() const;

    /// What became of a message by sending a frame.
    struct Sent
    {
        bool firstTime;     //!< the frame had not been sent before
        bool lastOfMessage; //!< it was the last one of its message
    };

    /**
     * Fills in the next frame and accounts for it; CanSend() must hold.
     * \param frame gets everything that a queue pair knows
     */
    Sent Send(Frame& frame);

    /// \return when the rate allows a frame, or is to be asked again because it changes before
    TimePs GetReadyAt();

    /// An ACK or NAK arrived.
    void OnReply(const Frame& reply);

    /// A congestion notification packet arrived.
    void OnCnp();

    /// The rate of the NIC has changed to one in bit/s.
    void SetLineRate(uint64_t lineRateBps);

    /**
     * Sends nothing any more and drops its messages, except those that have arrived whole: of these
     * the ACK may still come, for as long as a time-out lasts from now.
     * \return payload bytes that were never sent
     */
    uint64_t TearDown();

    bool IsTornDown() const
    {
        return m_isTornDown;
    }

    /// The present wait for an ACK has ended without one.
    void OnTimeout();

    /// \return the oldest message if all of it is acknowledged, taken off the queue; or nullptr
    Transfer* TakeAcknowledged();

    /// \return the oldest message, taken off the queue; or nullptr
    Transfer* TakeOldest();

    /// \return true when all messages there are had been delivered by a time
    bool WasDeliveredBy(TimePs time) const;

    /// Brings what CanSend() and Send() will read near the processor; changes nothing.
    void Prefetch() const;

    /// \return when the present wait for an ACK ends; kNever when nothing is in flight
    TimePs GetDeadline() const;

    /// \return the message at the head, nullptr when there is none
    const Transfer* GetOldest() const;

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

    /// \return true when GetDeadline() may come to be earlier than it was
    bool MovesDeadline() const
    {
        return m_usesRoundTrips;
    }

    State state{State::Dormant}; //!< kept by the NIC
    TimePs timerAt{kNever};      //!< when the NIC looks whether it has timed out

  private:
    Transfer* Find(uint64_t psn) const;
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
    bool m_usesAcks;       // asked once
    bool m_usesFeedback;   // asked once
    bool m_usesRoundTrips; // asked once
    bool m_isTornDown{false};
    QueuePairPeer m_peer;
    uint32_t m_number;
    uint32_t m_entropy;
    uint64_t m_rank;

    Transfer* m_oldest{nullptr}; // first that is not acknowledged as a whole
    Transfer* m_newest{nullptr};
    mutable Transfer* m_current{nullptr}; // where the last look-up of a PSN ended
    uint64_t m_end{0};                    // first PSN that has not been posted
    uint64_t m_firstUnsent{0};            // first PSN that has never been sent

    // Pacing: the wire time of the last frame is a debt, in bits times 10^12, that the rate pays.
    uint64_t m_debt{0};
    TimePs m_debtAt{0};
    uint64_t m_pace{0};   // of the message of that frame, see Message::paceBps
    uint64_t m_credit{0}; // what a paced message that had to wait may make up for, in the same unit
    TimePs m_freeAt{0};   // since when nothing is owed
    uint64_t m_burst;     // credit that may pile up, in the same unit

    TimePs m_progressAt{0}; // from when the present time-out counts
};

/// The receiving end of a queue pair.
struct ReceiveQueue
{
    std::unique_ptr<ReceiverRecovery> lossRecovery;
    Ptr<PathSelector> path;    //!< of replies that do not go by the entropy of the data, once used
    uint32_t peerNic{0};       //!< number of the sending NIC
    NicAddress peerAddress;    //!< where that NIC is attached
    uint32_t peerQueuePair{0}; //!< number of the sending end at that NIC
    uint32_t peerEntropy{0};   //!< that of the sending end
    TimePs nextCnpAt{0};       //!< earliest time of the next CNP
};

} // namespace ns3::rails

#endif // QUEUE_PAIR_H
