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

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Whoever has to know of queue pairs that wait in vain.
class TimeoutClient
{
  public:
    virtual ~TimeoutClient() = default;

    /// A queue pair of a NIC has waited for an ACK in vain for as long as its time-out lasts.
    virtual void OnTimeout(RdmaNic& nic, SendQueue& queue) = 0;
};

/**
 * A server: GPUs and NICs joined by NVLink and PCIe. A message to another server goes source GPU,
 * NVLink or PCIe, NIC, network, NIC, NVLink or PCIe, destination GPU; a crossing is left out where
 * the NIC is near the GPU and PCIe is not modelled. Aggregated to an ns-3 node, of which the NICs
 * are the devices.
 */
class GpuServer : public Object, public NicClient, public InteriorClient
{
  public:
    static TypeId GetTypeId();

    /// What all servers have in common.
    struct Configuration
    {
        ClusterShape shape;
        std::shared_ptr<const ServerInterior> interior;
        Ptr<const Transport> transport;
        Ptr<PathSelector> path; //!< prototype of the queue pairs' path selectors
        Ptr<const NicProfile> nic;
    };

    /**
     * \param node what it is aggregated to
     * \param server its number
     * \param configuration what it has in common with others
     * \param nicRatesBps rates of its NICs, by rail
     * \param timeouts is told of queue pairs that wait in vain
     * \param pool frames
     */
    GpuServer(Ptr<Node> node,
              uint32_t server,
              const Configuration& configuration,
              const std::vector<uint64_t>& nicRatesBps,
              TimeoutClient& timeouts,
              FramePool& pool);

    /// \param client who acts for this server from now on; nullptr: nobody
    void SetClient(MessageClient* client);

    /// \return the time up to which everything has happened here
    TimePs GetClock() const;

    /// Calls the client at a time, not before the clock; anything else throws std::logic_error.
    void SetAlarm(TimePs at);

    /**
     * Starts to move a message that one of the server's GPUs has.
     * \param message the message
     * \param destination the server of its destination, possibly this one
     */
    void Post(Message& message, GpuServer& destination);

    /**
     * Gives up a message that one of the server's GPUs had for another server.
     * \param message the message
     * \param destination the server of its destination
     */
    void Abandon(Message& message, GpuServer& destination);

    void OnArrived(Transfer& transfer, uint32_t bytes) override;
    void OnSent(Transfer& transfer) override;
    void OnAcknowledged(Transfer& transfer) override;
    void OnTimeout(RdmaNic& nic, SendQueue& queue) override;
    void OnCrossed(Transfer& transfer, uint32_t end, uint64_t bytes) override;

    uint32_t GetServer() const;
    RdmaNic& GetNic(uint32_t rail) const;
    const InteriorNetwork& GetInterior() const;
    /// \return the transfers of the messages that its GPUs had for others
    const TransferPool& GetTransfers() const;
    /// \return payload bytes that have reached the memory of its GPUs, each time that they did
    uint64_t GetDeliveredBytes() const;
    /// \return when payload last came in, from another server or over NVLink; 0 before
    TimePs GetLastArrival() const;

  private:
    void DoDispose() override;
    void AddToCome(uint64_t bytes);
    void SetPunctual();
    void Cross(uint32_t from, uint32_t to, Transfer& transfer, uint64_t bytes);
    void Deliver(Transfer& transfer, uint64_t bytes);
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
    TransferPool m_transfers;
    TimePs m_lastArrival{0};
    uint64_t m_deliveredBytes{0};
    uint64_t m_toCome{0};      // bytes that the NICs have still to receive
    uint64_t m_comesAtOnce{0}; // bytes that can come in the time that the node may be late
};

} // namespace ns3::rails

#endif // GPU_SERVER_H
