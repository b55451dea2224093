// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_H
#define RDMA_NIC_H

#include "frame-device.h"
#include "message-state.h"
#include "nic-profile.h"
#include "queue-pair.h"
#include "rails-transport.h"

#include "ns3/nstime.h"
#include "ns3/path-selector.h"
#include "ns3/rails-agenda.h"
#include "ns3/rails-frame.h"
#include "ns3/rails-port.h"
#include "ns3/traced-callback.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

class RdmaNic;

/// The server that a NIC belongs to.
class NicClient
{
  public:
    virtual ~NicClient() = default;

    /// Bytes of a message came in for the first time.
    virtual void OnArrived(MessageState& transfer, uint32_t bytes) = 0;
    /// The last frame of a message was handed to the port.
    virtual void OnSent(MessageState& transfer) = 0;
    /// The last byte of a message is acknowledged.
    virtual void OnAcknowledged(MessageState& transfer) = 0;
    /// A queue pair of a NIC has timed out: no ACK came.
    virtual void OnTimeout(RdmaNic& nic, SendQueue& queue) = 0;
};

/// Counters of a NIC since the start of the run; bytes are payload.
struct NicCounters
{
    uint64_t txBytes{0};     //!< message bytes sent, each counted once
    uint64_t rxBytes{0};     //!< message bytes received, each counted once
    uint64_t unsentBytes{0}; //!< posted and not yet sent
    uint64_t messages{0};    //!< messages posted
    uint64_t dataFrames{0};  //!< data frames sent, including retransmissions
    uint64_t retransmitted{0};
    uint64_t cnps{0};   //!< congestion notification packets sent
    TimePs sentLast{0}; //!< latest start of the last frame of a message
};

/**
 * An RDMA NIC: queue pairs that share one port. Eligible queue pairs send frame by frame in turn,
 * and the first round starts with the next server. Queue pairs that wait for their rate are in a
 * heap; all others cost nothing.
 */
class RdmaNic : public FrameDevice, public PortOwner
{
  public:
    static TypeId GetTypeId();

    /// Place of a NIC in the cluster.
    struct Place
    {
        uint32_t number;  //!< among all NICs
        uint32_t server;  //!< number of its server
        uint32_t rail;    //!< index in the server
        uint32_t servers; //!< servers in the cluster
        uint32_t rails;   //!< NICs of a server
        uint32_t gpus;    //!< GPUs of a server
    };

    /**
     * \param place of the NIC in the cluster
     * \param node ns-3 node number of its server
     * \param rateBps bit/s
     * \param transport common settings of all queue pairs
     * \param path prototype of the path selectors
     * \param profile common settings of all NICs
     * \param client its server
     * \param agenda of its server
     * \param pool of the frames
     */
    RdmaNic(const Place& place,
            uint32_t node,
            uint64_t rateBps,
            Ptr<const Transport> transport,
            Ptr<PathSelector> path,
            Ptr<const NicProfile> profile,
            NicClient& client,
            Agenda& agenda,
            FramePool& pool);

    /**
     * Sets the switch and the port of the NIC.
     * \param address switch and port
     * \param router knows the paths from there; must outlive the NIC
     */
    void SetNicAddress(NicAddress address, const Router& router);

    /**
     * Fixes the random stream.
     * \param stream stream to use
     * \return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Posts a message to its queue pair (Transport::GetQueuePairPer()), which is made at first use.
     */
    void Post(MessageState& transfer, RdmaNic& peer);

    /**
     * Ends a queue pair with all its pending messages; the next message to its peer gets a new one.
     * Messages that have arrived completely are acknowledged by their ACK, or after a time-out.
     */
    void TearDown(SendQueue& queue);

    /// Ends a queue pair whose messages have all arrived and whose ACKs cannot come: all messages
    /// count as acknowledged now.
    void AcknowledgeAll(SendQueue& queue);

    /// More bytes of a posted message are at the NIC.
    void OnStaged(MessageState& transfer, uint64_t bytes);

    void Receive(Frame* frame, Port& port) override;
    void PrefetchFor(const Frame& frame, bool next) const override;
    Frame* Pull(Port& port) override;
    void RateChanged(Port& port) override;

    /// Signature of the trace source Waits.
    /// \param now time of the NIC's node
    typedef void (*WaitsCallback)(Time now);
    /// Signature of the trace sources Path and Retransmit.
    /// \param now time of the NIC's node
    /// \param queuePair number of the queue pair at this NIC
    /// \param frame data frame that begins to leave
    typedef void (*QueuePairFrameCallback)(Time now, uint32_t queuePair, const Frame& frame);
    /// Signature of the trace sources Rate and Window.
    /// \param now time of the NIC's node
    /// \param queuePair number of the queue pair at this NIC
    typedef void (*AllowanceCallback)(Time now,
                                      uint32_t queuePair,
                                      uint64_t before,
                                      uint64_t after);
    /// Signature of the trace source Alpha.
    /// \param now time of the NIC's node
    /// \param queuePair number of the queue pair at this NIC
    typedef void (*AlphaCallback)(Time now, uint32_t queuePair, double before, double after);

    /// Reason why a NIC sends no data.
    enum class Wait
    {
        Messages, //!< no posted message is unsent
        Bytes,    //!< posted bytes still cross NVLink or PCIe, or wait for the message gap
        Rate,     //!< rates or windows of its queue pairs
        Port      //!< its port: a queue pair could send
    };

    /// \return the present reason to wait
    Wait GetWait() const;

    Port& GetPort() const;

    const Transport& GetTransport() const
    {
        return *m_transport;
    }

    const Place& GetPlace() const
    {
        return m_place;
    }

    const NicCounters& GetCounters() const
    {
        return m_counters;
    }

    /// \return sending ends, in the order of their creation
    const std::vector<std::unique_ptr<SendQueue>>& GetSendQueues() const
    {
        return m_sendQueues;
    }

  private:
    // A queue pair and the time when the NIC must examine it.
    struct Appointment
    {
        TimePs at;
        SendQueue* queue;

        bool operator<(const Appointment& other) const
        {
            return at != other.at ? at > other.at : queue->GetNumber() > other.queue->GetNumber();
        }
    };

    // Trace sources, made when the first is connected.
    struct Sources
    {
        TracedCallback<Time> waits;
        TracedCallback<Time, uint32_t, const Frame&> path;
        TracedCallback<Time, uint32_t, const Frame&> retransmit;
        TracedCallback<Time, uint32_t, uint64_t, uint64_t> rate;
        TracedCallback<Time, uint32_t, uint64_t, uint64_t> window;
        TracedCallback<Time, uint32_t, double, double> alpha;
        std::vector<SendQueue::Allowance> reported; // by queue pair
    };

    void DoDispose() override;
    void ReportAllowance(SendQueue& queue) const;

    void Report(SendQueue& queue) const
    {
        if (m_sources)
        {
            ReportAllowance(queue);
        }
    }

    SendQueue& FindQueuePair(const MessageState& transfer, RdmaNic& peer);
    SendQueue& MakeQueuePair(RdmaNic& peer, std::optional<uint32_t> entropy = std::nullopt);
    Ptr<PathSelector> MakePath(uint32_t flow, NicAddress destination);
    void Start(MessageState& transfer);
    void StartPosted();
    void Activate(SendQueue& queue);
    void ReceiveData(Frame* frame);
    void ReceiveReply(Frame* frame);
    void SendCnp(const ReceiveQueue& queue);
    void EnterRound();
    void PrefetchRound() const;
    void KeepTimer(SendQueue& queue);
    void ServePacing();
    void ServeTimeouts();
    void ServeTimeout(SendQueue& queue);

    Place m_place;
    NicAddress m_nicAddress;
    const Router* m_router{nullptr};
    Ptr<const Transport> m_transport;
    Ptr<PathSelector> m_path;
    Ptr<UniformRandomVariable> m_random;
    Ptr<const NicProfile> m_profile;
    NicClient& m_client;
    Agenda& m_agenda;
    FramePool& m_pool;
    Ptr<Port> m_port;
    bool m_usesEcn;
    bool m_usesTelemetry; // CongestionControl::Traits::usesTelemetry
    bool m_routesReplies; // PathSelector::Traits::routesReplies
    TimePs m_cnpInterval;

    std::vector<std::unique_ptr<SendQueue>> m_sendQueues;
    uint32_t m_activeQueuePairs{0};           // with messages that are not acknowledged
    std::deque<ReceiveQueue> m_receiveQueues; // deque: addresses stay when a queue pair is added
    uint32_t m_replyPaths{0};
    std::unordered_map<uint64_t, SendQueue*> m_queuePairs;

    std::vector<SendQueue*> m_fresh;            // became eligible, not yet in the round
    boost::circular_buffer<SendQueue*> m_round; // eligible, in turn
    std::vector<Appointment> m_paced;           // heap: waiting for their rate
    std::vector<Appointment> m_retransmission;  // heap: one time-out a queue pair

    // A task of the agenda and its time. An alarm for an earlier time leaves the later one in the
    // agenda, which then does nothing.
    template <void (RdmaNic::*Method)()>
    struct Alarm
    {
        MemberTask<RdmaNic, Method> task;
        TimePs at{kNever};

        void Set(Agenda& agenda, TimePs time)
        {
            if (time < at)
            {
                at = time;
                agenda.Schedule(time, task);
            }
        }
    };

    Alarm<&RdmaNic::ServePacing> m_pacing;
    Alarm<&RdmaNic::ServeTimeouts> m_timeouts;

    boost::circular_buffer<MessageState*> m_posted; // wait for the message gap
    TimePs m_postingFreeAt{0};
    MemberTask<RdmaNic, &RdmaNic::StartPosted> m_posting;

    NicCounters m_counters;
    uint64_t m_missingBytes{0}; // posted bytes that are not at the NIC yet
    std::unique_ptr<Sources> m_sources;
};

} // namespace ns3::rails

#endif // RDMA_NIC_H
