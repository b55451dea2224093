// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_H
#define RDMA_NIC_H

#include "frame-device.h"
#include "nic-profile.h"
#include "queue-pair.h"
#include "rails-transfer.h"
#include "rails-transport.h"

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

    /// Bytes of a message came in, none of them for the second time.
    virtual void OnArrived(Transfer& transfer, uint32_t bytes) = 0;
    /// The last frame of a message was handed to the port.
    virtual void OnSent(Transfer& transfer) = 0;
    /// The last byte of a message is acknowledged.
    virtual void OnAcknowledged(Transfer& transfer) = 0;
    /// A queue pair of a NIC has waited for an ACK in vain for as long as its time-out lasts.
    virtual void OnTimeout(RdmaNic& nic, SendQueue& queue) = 0;
};

/// What a NIC has seen since the start of the run; bytes are payload.
struct NicCounters
{
    uint64_t txBytes{0};     //!< message bytes sent, each counted once
    uint64_t rxBytes{0};     //!< message bytes received, each counted once
    uint64_t unsentBytes{0}; //!< posted and not yet sent
    uint64_t messages{0};    //!< messages posted
    uint64_t dataFrames{0};  //!< data frames sent, retransmissions included
    uint64_t retransmitted{0};
    uint64_t cnps{0};   //!< congestion notification packets sent
    TimePs sentLast{0}; //!< when it began to send the last frame of a message, latest so far
};

/**
 * An RDMA NIC: queue pairs that share one port. Eligible queue pairs send frame by frame in turn,
 * the first round starting with the peer behind its own server; queue pairs that their rate holds
 * back wait in a heap, others cost nothing.
 */
class RdmaNic : public FrameDevice, public PortOwner
{
  public:
    static TypeId GetTypeId();

    /// Where a NIC is in the cluster.
    struct Place
    {
        uint32_t number;  //!< among all NICs
        uint32_t server;  //!< its number
        uint32_t rail;    //!< index in the server
        uint32_t servers; //!< servers in the cluster
        uint32_t rails;   //!< NICs of a server
        uint32_t gpus;    //!< GPUs of a server
    };

    /**
     * \param place where it is
     * \param node ns-3 node number of its server
     * \param rateBps bit/s
     * \param transport what all queue pairs share
     * \param path prototype of their path selectors
     * \param profile what all NICs share
     * \param client its server
     * \param agenda its server's agenda
     * \param pool frames
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
     * Tells the NIC where it is attached.
     * \param address switch and port
     * \param router knows the paths from there; it stays
     */
    void SetNicAddress(NicAddress address, const Router& router);

    /**
     * Fixes the random stream.
     * \param stream stream to use
     * \return how many streams were used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Posts a message to the queue pair that the transport's mapping gives it, which is made when
     * there is none yet.
     */
    void Post(Transfer& transfer, RdmaNic& peer);

    /**
     * Ends a queue pair, whatever it has still to do; the next message to its peer gets a new one.
     * Messages of it that have arrived whole are acknowledged when their ACK comes, or when as much
     * time has passed as a time-out lasts.
     */
    void TearDown(SendQueue& queue);

    /// The ACKs of a queue pair whose messages have all arrived will not come: it ends, and all of
    /// them count as acknowledged now.
    void AcknowledgeAll(SendQueue& queue);

    /// More bytes of a posted message are at the NIC.
    void OnStaged(Transfer& transfer, uint64_t bytes);

    void Receive(Frame* frame, Port& port) override;
    void PrefetchFor(const Frame& frame, bool next) const override;
    Frame* Pull(Port& port) override;
    void RateChanged(Port& port) override;

    /// Signature of the trace source Waits.
    typedef void (*WaitsCallback)();

    /// What a NIC that sends no data waits for.
    enum class Wait
    {
        Messages, //!< nothing is posted that had not been sent
        Bytes,    //!< what is posted is not there yet: it crosses NVLink or PCIe, or the posting
                  //!< itself takes time
        Rate,     //!< rates or windows of its queue pairs
        Port      //!< its port: a queue pair could send
    };

    /// \return what it waits for
    Wait GetWait() const;

    Port& GetPort() const;
    const Place& GetPlace() const;
    const NicCounters& GetCounters() const;
    /// \return sending ends, in the order in which they were made
    const std::vector<std::unique_ptr<SendQueue>>& GetSendQueues() const;

  private:
    // A queue pair and the time at which the NIC has to look at it.
    struct Appointment
    {
        TimePs at;
        SendQueue* queue;

        bool operator<(const Appointment& other) const
        {
            return at != other.at ? at > other.at : queue->GetNumber() > other.queue->GetNumber();
        }
    };

    void DoDispose() override;
    SendQueue& FindQueuePair(const Transfer& transfer, RdmaNic& peer);
    SendQueue& MakeQueuePair(RdmaNic& peer, std::optional<uint32_t> entropy = std::nullopt);
    Ptr<PathSelector> MakePath(uint32_t flow, NicAddress destination);
    void Start(Transfer& transfer);
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
    bool m_usesTelemetry; // asked once
    bool m_routesReplies; // asked once
    TimePs m_cnpInterval;

    std::vector<std::unique_ptr<SendQueue>> m_sendQueues;
    uint32_t m_activeQueuePairs{0};           // with messages that are not acknowledged
    std::deque<ReceiveQueue> m_receiveQueues; // stays in place when a queue pair is added
    uint32_t m_replyPaths{0};
    std::unordered_map<uint64_t, SendQueue*> m_queuePairs;

    std::vector<SendQueue*> m_fresh;            // became eligible, not yet in the round
    boost::circular_buffer<SendQueue*> m_round; // eligible, in turn
    std::vector<Appointment> m_paced;           // heap: held back by their rate
    std::vector<Appointment> m_retransmission;  // heap: one time-out a queue pair

    // A task of the agenda and the time it is meant for. One that was set to a later time before
    // stays in the agenda and has nothing to do when it runs.
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

    boost::circular_buffer<Transfer*> m_posted; // wait for the message gap
    TimePs m_postingFreeAt{0};
    MemberTask<RdmaNic, &RdmaNic::StartPosted> m_posting;

    NicCounters m_counters;
    uint64_t m_missingBytes{0}; // posted, and still to come over NVLink or PCIe
    TracedCallback<> m_waitsTrace;
};

} // namespace ns3::rails

#endif // RDMA_NIC_H
