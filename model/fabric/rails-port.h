// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_PORT_H
#define RAILS_PORT_H

#include "rails-agenda.h"
#include "rails-frame.h"
#include "rails-link.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace ns3::rails
{

class EcnMarker;
class Port;

/// The switch or NIC that a port belongs to.
class PortOwner
{
  public:
    virtual ~PortOwner() = default;

    /// A frame came in; the owner takes it.
    virtual void Receive(Frame* frame, Port& port) = 0;

    /**
     * A frame is about to come in: a hint to prefetch the memory that its arrival needs.
     * \param frame the frame
     * \param next true for the next frame over its link, false for the frame after the next
     */
    virtual void PrefetchFor(const Frame& frame, bool next) const;

    /**
     * A frame has left: its buffer is free.
     * \param port the port by which the frame left
     * \param ingress the port by which the frame had come in
     * \param trafficClass class of the frame
     * \param bytes length of the frame
     */
    virtual void Departed(Port& port, uint32_t ingress, uint8_t trafficClass, uint32_t bytes);

    /**
     * The port is idle, its queues are empty and data is not paused: a NIC makes its next frame
     * here.
     * \return a data frame, or nullptr
     */
    virtual Frame* Pull(Port& port);

    /// The rate of this port has changed.
    virtual void RateChanged(Port& port);

    /**
     * \return the quanta of the pause requested from the far end of this port and still in force; 0
     * for none
     */
    virtual uint32_t GetPauseInForce(const Port& port, uint8_t trafficClass) const;
};

/// A recorder of queues: called directly, as most runs have one for each port.
class QueueListener
{
  public:
    virtual ~QueueListener() = default;

    /// The bytes that wait at a port or are being sent have changed.
    /// \param now time of the port's node
    virtual void OnQueueBytes(TimePs now, uint64_t bytes) = 0;
};

/// Counters of a port since the start of the run.
struct PortCounters
{
    uint64_t wireBytes{0};     //!< bytes sent, with preamble and gap, including pause frames
    uint64_t frames{0};        //!< data, ACK, NAK and CNP frames sent
    uint64_t dataFrames{0};    //!< data frames among them
    uint64_t pauseFrames{0};   //!< pause frames sent
    uint64_t queueMaxBytes{0}; //!< longest queue, including the frame being sent
    uint64_t marks{0};         //!< congestion marks set
    uint64_t pauses{0};        //!< times a class of this port was paused by the far end
    TimePs paused{0};          //!< time during which a class was paused
    TimePs busy{0};            //!< time during which it was sending
    uint64_t drops{0};         //!< frames for this port dropped for lack of buffer
};

/**
 * A port of a switch or NIC: queues by class under strict priority, per-class pause (IEEE
 * 802.1Qbb), the serialiser, and the link to the far end.
 */
class Port : public Object, public LinkEnd
{
  public:
    /// Signature of the trace source QueueBytes.
    /// \param now time of the port's node, which may be behind or ahead of Simulator::Now(); so it
    /// is in all signatures of this module
    typedef void (*QueueBytesCallback)(Time now, uint64_t before, uint64_t after);
    /// Signature of the trace sources Transmit, Arrive, Mark and Drop.
    typedef void (*FrameCallback)(Time now, const Frame& frame);
    /// Signature of the trace source Paused.
    typedef void (*PausedCallback)(Time now, uint8_t trafficClass, bool paused);

    /// Default bytes of preamble and inter-frame gap, which occupy the wire but no buffer.
    static constexpr uint32_t kWireOverhead = 20;
    /// Length of a PFC pause frame.
    static constexpr uint32_t kPauseFrameBytes = 64;

    static TypeId GetTypeId();

    /// Identity of a port; only the rate may change.
    struct Identity
    {
        uint32_t node;         //!< ns-3 node number
        uint32_t index;        //!< number among the ports of its node
        std::string portClass; //!< "nic_tx", "leaf_down", "leaf_up", "spine_down", ...
        uint64_t rateBps;      //!< bit/s
    };

    Port(Identity identity, PortOwner& owner, Agenda& agenda, FramePool& pool);
    ~Port() override;

    /**
     * Makes one direction of a link, from this port to another.
     * \param peer port at the far end
     * \param delay propagation delay
     */
    void Connect(Port& peer, TimePs delay);

    /// \param listener hears of the queue from now on, besides the trace source's sinks; nullptr:
    /// none
    void SetQueueListener(QueueListener* listener)
    {
        m_queueListener = listener;
    }

    /// \param marker marks data frames of this port; nullptr for none
    void SetEcnMarker(EcnMarker* marker);

    /// \param response time from the arrival of a pause frame until this port obeys it
    void SetPauseResponse(TimePs response);

    TimePs GetPauseResponse() const
    {
        return m_pauseResponse;
    }

    /// \param bytes of preamble and inter-frame gap
    void SetWireOverhead(uint32_t bytes);

    uint32_t GetWireOverhead() const
    {
        return m_wireOverhead;
    }

    /// Sets the rate, in bit/s, for frames that begin to leave from now on.
    void SetRateBps(uint64_t rateBps);

    /// \param held whether the port stops sending, after the present frame
    void SetHeld(bool held);

    bool IsHeld() const
    {
        return m_held;
    }

    /// Puts a frame into the queue of its class.
    void Enqueue(Frame* frame);

    /// Makes an idle port look for a frame to send at the end of this instant.
    void Wake();

    /**
     * Sends a pause frame for a class ahead of all queued frames.
     * \param trafficClass the class
     * \param quanta pause time in units of 512 bit times; 0 resumes
     */
    void SendPause(uint8_t trafficClass, uint32_t quanta);

    /// The link has come up: this end obeys the pauses in force at the far end before it sends, as
    /// their pause frames may have been lost.
    void RenewPauses();

    void Receive(Frame* frame) final;
    void PrefetchFor(const Frame& frame, bool next) const final;

    const Identity& GetIdentity() const
    {
        return m_identity;
    }

    uint32_t GetIndex() const;
    uint64_t GetRateBps() const;
    TimePs GetByteTime(uint32_t bytes) const;

    Agenda& GetAgenda() const
    {
        return m_agenda;
    }

    /// \return the link that leaves this port
    Link& GetLink() const;
    /// \return the port at the far end
    Port& GetPeer() const;

    /// \return bytes queued or being sent, of all classes
    uint64_t GetQueueBytes() const
    {
        return m_queueBytes;
    }

    /// \return bytes queued, of one class
    uint64_t GetQueueBytes(uint8_t trafficClass) const;
    /// \return the first queued frame of a class, or nullptr; further frames follow by Frame::next
    const Frame* PeekQueue(uint8_t trafficClass) const;
    /// \return true while the far end pauses a class
    bool IsPaused(uint8_t trafficClass) const;
    /// \return when the present pause of a class began
    TimePs GetPausedSince(uint8_t trafficClass) const;
    /// \return the counters, with present pauses and transmissions counted up to now
    PortCounters GetCountersNow() const;
    /// \return the counters to add to
    PortCounters& GetCounters();

    /// Counts a frame for this port that its switch drops for lack of buffer.
    void CountDrop(const Frame& frame);

  private:
    // Pause of a class by the far end.
    struct PauseState
    {
        bool paused{false};
        TimePs since{0}; // start of the present pause
        TimePs until{0}; // expiry of its quanta
    };

    // A pause frame that has arrived and is not in force yet.
    struct PauseOrder
    {
        TimePs at; // start of the pause
        uint8_t trafficClass;
        uint32_t quanta;
    };

    // Trace sources, made when the first is connected.
    struct Sources
    {
        TracedCallback<Time, uint64_t, uint64_t> queueBytes;
        TracedCallback<Time, const Frame&> transmit;
        TracedCallback<Time, const Frame&> arrive;
        TracedCallback<Time, const Frame&> mark;
        TracedCallback<Time, const Frame&> drop;
        TracedCallback<Time, uint8_t, bool> paused;
    };

    void DoDispose() override;
    DataRate GetRate() const;
    void SetRate(const DataRate& rate);
    void Decide();
    void Departed();
    void ServePauseTimers();
    void ApplyPause(uint8_t trafficClass, uint32_t quanta);
    void EndPause(uint8_t trafficClass);
    Frame* NextFrame();
    void Report(Frame& frame) const;
    void Transmit(Frame* frame);
    void SetQueueBytes(uint64_t bytes);

    Identity m_identity;
    PortOwner& m_owner;
    Agenda& m_agenda;
    FramePool& m_pool;
    std::unique_ptr<Link> m_link;
    Port* m_peer{nullptr};
    EcnMarker* m_marker{nullptr};
    TimePs m_pauseResponse{0};
    uint32_t m_wireOverhead{kWireOverhead};

    std::array<FrameQueue, kTrafficClasses> m_queues;
    uint64_t m_queueBytes{0};
    QueueListener* m_queueListener{nullptr};
    std::unique_ptr<Sources> m_sources;
    std::array<PauseState, kTrafficClasses> m_pauses;
    std::deque<PauseOrder> m_pauseOrders;

    // Pause frames to send: only the latest of each class.
    std::array<uint32_t, kTrafficClasses> m_pauseQuanta{};
    uint32_t m_pausesToSend{0}; // bit per class

    // Properties of the frame being sent, for its departure: the frame itself belongs to the link.
    bool m_busy{false};
    bool m_held{false};
    bool m_sendingPause{false};
    TimePs m_sendingUntil{0};
    uint32_t m_sendingIngress{0};
    uint32_t m_sendingBytes{0};
    uint8_t m_sendingClass{0};

    // Cache of GetByteTime(): few frame sizes occur.
    mutable uint32_t m_lastBytes{0};
    mutable TimePs m_lastByteTime{0};

    PortCounters m_counters;
    MemberTask<Port, &Port::Departed> m_departure;
    MemberTask<Port, &Port::Decide> m_decision;
    MemberTask<Port, &Port::ServePauseTimers> m_pauseTimer;
};

} // namespace ns3::rails

#endif // RAILS_PORT_H
