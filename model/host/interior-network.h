// SPDX-License-Identifier: GPL-2.0-only
#ifndef INTERIOR_NETWORK_H
#define INTERIOR_NETWORK_H

#include "rails-transfer.h"

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
     * \param transfer the message
     * \param end GPU or NIC, see ServerInterior
     * \param bytes how many
     */
    virtual void OnCrossed(Transfer& transfer, uint32_t end, uint64_t bytes) = 0;
};

/**
 * NVLink and PCIe of one server at work: lossless, without flow control or marking. Messages cross
 * in segments, so that a transfer over NVLink, NIC and NVLink is a pipeline: a segment is handed on
 * when its last byte has come, which adds at most the time of one segment per hop. The first link
 * of a hop serves the ends that it leads to in turn, and among what goes to one of them the servers
 * at the far end and, of a GPU, the NICs near it, segment by segment: a NIC soon has something for
 * every peer. The other links (the way into a GPU, what PCIe switches and sockets share) let a
 * segment through, bit by bit, as soon as they have the time for it; it takes longer only where a
 * link is slower. NVLink holds segments that wait so in its switch; PCIe holds them back where they
 * come from, one from each.
 */
class InteriorNetwork
{
  public:
    /**
     * \param interior what the server is like inside
     * \param client the server
     * \param agenda its agenda
     * \param firstIndex rank of the network's tasks among those of the server
     */
    InteriorNetwork(std::shared_ptr<const ServerInterior> interior,
                    InteriorClient& client,
                    Agenda& agenda,
                    uint32_t firstIndex);
    ~InteriorNetwork();

    /// \return true when something is to be crossed from one end to another
    bool HasHop(uint32_t from, uint32_t to) const;

    /// \return true when the first hop from one end to another leads to a NIC, which reads by it
    bool IsRead(uint32_t from, uint32_t to) const;

    /**
     * Sends bytes of a message over the first hop from one end to another, where there is one;
     * among those for one end, the lanes of the transfers take turns.
     */
    void Send(uint32_t from, uint32_t to, Transfer& transfer, uint64_t bytes);

    const ServerInterior& GetInterior() const;

    /// \return payload bytes that a link has carried
    uint64_t GetBytes(uint32_t link) const;

  private:
    class Port;
    class Link;

    std::shared_ptr<const ServerInterior> m_interior;
    InteriorClient& m_client;
    Agenda& m_agenda;
    std::vector<std::unique_ptr<Port>> m_ports; // by link that is the first of some hop
    std::vector<std::unique_ptr<Link>> m_links;
    uint32_t m_mostNear{1};        // NICs near a GPU, at most
    std::vector<uint32_t> m_slots; // by end: which of the NICs near its GPU it is, 0 of a GPU
};

} // namespace ns3::rails

#endif // INTERIOR_NETWORK_H
