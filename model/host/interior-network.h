// SPDX-License-Identifier: GPL-2.0-only
#ifndef INTERIOR_NETWORK_H
#define INTERIOR_NETWORK_H

#include "message-state.h"

#include "ns3/rails-agenda.h"
#include "ns3/server-interior.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// The server that an interior network belongs to.
class InteriorClient
{
  public:
    virtual ~InteriorClient() = default;

    /**
     * Bytes of a message have arrived at an end of the server, by one hop.
     * \param transfer state of the message
     * \param end GPU or NIC, see ServerInterior
     * \param bytes number of bytes that arrived
     */
    virtual void OnCrossed(MessageState& transfer, uint32_t end, uint64_t bytes) = 0;
};

/**
 * Simulation of NVLink and PCIe in one server: lossless, without flow control or marking. Messages
 * cross in segments, so that NVLink, NIC and NVLink form a pipeline: each hop stores and forwards
 * whole segments, which adds at most the time of one segment.
 *
 * The first link of a hop serves its destination ends in turn. For each end it serves the peer
 * servers in turn and, towards a GPU, the local NICs of that GPU, segment by segment, so that a NIC
 * soon has bytes for every peer. The other links (into a GPU, or shared by PCIe switches and
 * sockets) pass a segment bit by bit as soon as they are free; a slower link delays it. Segments
 * that wait for such a link are queued in the NVLink switch; PCIe keeps them at the source port,
 * one per port.
 */
class InteriorNetwork
{
  public:
    /**
     * \param interior links and hops of the server
     * \param client the server
     * \param agenda of the server
     * \param firstIndex rank of the first task of the network among the tasks of the server
     */
    InteriorNetwork(std::shared_ptr<const ServerInterior> interior,
                    InteriorClient& client,
                    Agenda& agenda,
                    uint32_t firstIndex);
    ~InteriorNetwork();

    /// \return true when a hop leads from one end towards another
    bool HasHop(uint32_t from, uint32_t to) const;

    /// \return true when the first hop from one end to another leads to a NIC, which then reads
    bool IsRead(uint32_t from, uint32_t to) const;

    /**
     * Sends bytes of a message over the first hop from one end to another, which must exist. Among
     * messages for one end, the lanes (MessageState::lane) take turns.
     */
    void Send(uint32_t from, uint32_t to, MessageState& transfer, uint64_t bytes);

    const ServerInterior& GetInterior() const;

    /// \return payload bytes that a link has carried
    uint64_t GetBytes(uint32_t link) const;

  private:
    class Port;
    class Link;

    std::shared_ptr<const ServerInterior> m_interior;
    InteriorClient& m_client;
    Agenda& m_agenda;
    std::vector<std::unique_ptr<Port>> m_ports; // by link; null unless it is the first of a hop
    std::vector<std::unique_ptr<Link>> m_links;
    uint32_t m_mostNear{1};        // largest number of local NICs of a GPU
    std::vector<uint32_t> m_slots; // by end: index among the local NICs of its GPU; 0 for a GPU
};

} // namespace ns3::rails

#endif // INTERIOR_NETWORK_H
