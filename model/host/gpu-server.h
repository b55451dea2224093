// SPDX-License-Identifier: GPL-2.0-only
#ifndef GPU_SERVER_H
#define GPU_SERVER_H

#include "interior-network.h"
#include "nic-reader.h"
#include "rdma-nic.h"

#include "ns3/cluster-shape.h"
#include "ns3/message-service.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/rails-agenda.h"
#include "ns3/server-interior.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Interface of objects that need to know of time-outs of queue pairs.
class TimeoutClient
{
  public:
    virtual ~TimeoutClient() = default;

    /// A queue pair of a NIC has timed out: no ACK came.
    virtual void OnTimeout(RdmaNic& nic, SendQueue& queue) = 0;
};

/**
 * A server: GPUs and NICs joined by NVLink and PCIe. A message to another server goes source GPU,
 * NVLink or PCIe, NIC, network, NIC, NVLink or PCIe, destination GPU; it crosses neither NVLink nor
 * PCIe between a GPU and its local NIC when PCIe is not modelled. Aggregated to an ns-3 node with
 * the NICs as devices.
 */
class GpuServer : public Object, public NicClient, public InteriorClient
{
  public:
    static TypeId GetTypeId();

    /// Signature of the trace sources MessageBegin and MessageEnd.
    /// \param now time of the server's node
    typedef void (*MessageCallback)(Time now, const Message& message);

    /// Common settings of all servers.
    struct Configuration
    {
        ClusterShape shape;
        std::shared_ptr<const ServerInterior> interior;
        Ptr<const Transport> transport;
        Ptr<PathSelector> path; //!< prototype of the queue pairs' path selectors
        Ptr<const NicProfile> nic;
    };

    /**
     * \param node the ns-3 node of the server
     * \param server number of the server
     * \param configuration common settings of all servers
     * \param nicRatesBps rates of its NICs, by rail, in bit/s
     * \param timeouts receives time-outs of queue pairs
     * \param pool of the frames of all NICs
     */
    GpuServer(Ptr<Node> node,
              uint32_t server,
              const Configuration& configuration,
              const std::vector<uint64_t>& nicRatesBps,
              TimeoutClient& timeouts,
              FramePool& pool);

    /// \param client receives the events of this server from now on; nullptr: no client
    void SetClient(MessageClient* client);

    /// \return the time up to which this server is simulated
    TimePs GetClock() const;

    /// Calls the client at a time; std::logic_error before the clock.
    void SetAlarm(TimePs at);

    /**
     * Starts to move a message of one of the server's GPUs.
     * \param message the message
     * \param destination the destination server, possibly this one
     */
    void Post(Message& message, GpuServer& destination);

    /**
     * Gives up a message of one of the server's GPUs to another server.
     * \param message the message
     * \param destination the destination server
     */
    void Abandon(Message& message, GpuServer& destination);

    void OnArrived(MessageState& transfer, uint32_t bytes) override;
    void OnSent(MessageState& transfer) override;
    void OnAcknowledged(MessageState& transfer) override;
    void OnTimeout(RdmaNic& nic, SendQueue& queue) override;
    void OnCrossed(MessageState& transfer, uint32_t end, uint64_t bytes) override;

    uint32_t GetServer() const
    {
        return m_server;
    }

    RdmaNic& GetNic(uint32_t rail) const;

    const InteriorNetwork& GetInterior() const
    {
        return m_interior;
    }

    /// \return the states of the messages posted by this server
    const MessageStatePool& GetTransfers() const
    {
        return m_transfers;
    }

    /// \return payload bytes that have reached the memory of its GPUs
    uint64_t GetDeliveredBytes() const
    {
        return m_deliveredBytes;
    }

    /// \return time of the last arrival of payload, from another server or over NVLink; 0 before
    /// the first
    TimePs GetLastArrival() const
    {
        return m_lastArrival;
    }

  private:
    // Trace sources, made when the first is connected.
    struct Sources
    {
        TracedCallback<Time, const Message&> messageBegin;
        TracedCallback<Time, const Message&> messageEnd;
    };

    void DoDispose() override;
    void AddToCome(uint64_t bytes);
    void SetPunctual();
    void Cross(uint32_t from, uint32_t to, MessageState& transfer, uint64_t bytes);
    void Deliver(MessageState& transfer, uint64_t bytes);
    void Alarm();
    void AskForMore();

    uint32_t m_server;
    uint32_t m_gpus;
    uint32_t m_largestFrame;
    double m_nicsBps{0}; // of all NICs together
    TimeoutClient& m_timeouts;
    MessageClient* m_client{nullptr};
    Agenda m_agenda;
    std::vector<Ptr<RdmaNic>> m_nics;
    std::vector<NicReader> m_readers; // by rail
    InteriorNetwork m_interior;
    MemberTask<GpuServer, &GpuServer::Alarm> m_alarm;
    MemberTask<GpuServer, &GpuServer::AskForMore> m_asking;
    MessageStatePool m_transfers;
    TimePs m_lastArrival{0};
    uint64_t m_deliveredBytes{0};
    uint64_t m_toCome{0};      // bytes posted to the NICs and not yet received
    uint64_t m_comesAtOnce{0}; // bytes that can arrive within the largest lag of the node
    std::unique_ptr<Sources> m_sources;
};

} // namespace ns3::rails

#endif // GPU_SERVER_H
