// SPDX-License-Identifier: GPL-2.0-only
#ifndef SERVER_INTERIOR_H
#define SERVER_INTERIOR_H

#include "ns3/rails-units.h"
#include "ns3/server-layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Interconnect of the GPUs and NICs of a server, as data: NVLink ports, PCIe ports and switches,
 * the link between sockets. All servers are alike.
 *
 * Its ends are numbered GPUs first, then NICs. Bytes take one or two hops from end to end. A hop
 * crosses NVLink or PCIe through unidirectional links; bytes queue at the first link, which is the
 * port of the sender, or the port of a NIC that reads. A GPU and its local NIC without a hop
 * between them count as one end: PCIe is not modelled.
 */
class ServerInterior
{
  public:
    /// No hop, no GPU.
    static constexpr uint32_t kNone = 0xffffffff;

    /// Kind of a link.
    enum class LinkKind
    {
        NvlinkOut, //!< out of a GPU
        NvlinkIn,  //!< into a GPU
        Pcie       //!< a PCIe port, or a link between two PCIe switches or sockets
    };

    /// One direction of a port, or of a link shared by several ports.
    struct Link
    {
        LinkKind kind{LinkKind::Pcie};
        std::string name;    //!< for display: "NVLink port", "uplink of PCIe switch 1 (sending)"
        uint64_t rateBps{0}; //!< bit/s of payload
        uint32_t gpu{kNone}; //!< index of the GPU of the port; kNone for other links
        bool sends{true};    //!< whether the GPU of the port sends over the link
    };

    /// A crossing of NVLink or PCIe.
    struct Hop
    {
        uint32_t to{0};              //!< the end where the hop leads
        std::vector<uint32_t> links; //!< numbers of links, the link with the queue first
        TimePs latency{0};           //!< in addition to the time on the links
    };

    /**
     * \param layout GPUs and NICs
     * \param segmentBytes unit in which messages are stored and forwarded
     */
    ServerInterior(ServerLayout layout, uint64_t segmentBytes);

    // Laying.

    /// Adds a link; the two directions of a port must be added one after the other.
    /// \return the number of the link
    uint32_t AddLink(const Link& link);

    /**
     * Adds a hop, and makes it the path from one end to another.
     * \param from source end
     * \param to destination end
     * \param links as in Hop
     * \param latency as in Hop
     * \return the number of the hop
     */
    uint32_t AddHop(uint32_t from, uint32_t to, std::vector<uint32_t> links, TimePs latency);

    /// Sets the first hop from one end to another; the path continues with that of the hop's end.
    void SetWay(uint32_t from, uint32_t to, uint32_t hop);

    // What is there.

    const ServerLayout& GetLayout() const
    {
        return m_layout;
    }

    uint64_t GetSegmentBytes() const
    {
        return m_segmentBytes;
    }

    uint32_t GetEnds() const
    {
        return m_ends;
    }

    const std::vector<Link>& GetLinks() const
    {
        return m_links;
    }

    /// \return the name of a link of a server for display: "NVLink port of GPU 11 (sending)"
    std::string GetLinkName(uint32_t link, uint32_t server) const;

    uint32_t GetHopCount() const;
    const Hop& GetHop(uint32_t number) const;

    /// \return the end of a NIC
    uint32_t GetNicEnd(uint32_t rail) const
    {
        return m_gpus + rail;
    }

    /// \return the first hop from one end to another; kNone without a hop
    uint32_t GetFirstHop(uint32_t from, uint32_t to) const
    {
        return m_firstHops[from * m_ends + to];
    }

    /// \return the hops from one end to another, in order
    std::vector<uint32_t> GetWay(uint32_t from, uint32_t to) const;

    /// \return true when PCIe is modelled
    bool HasPcie() const;

    /// \return the shortest latency of a hop to a GPU; 0 without such a hop
    TimePs GetLeastLatency() const;

  private:
    ServerLayout m_layout;
    uint64_t m_segmentBytes;
    uint32_t m_gpus;
    uint32_t m_ends;
    std::vector<Link> m_links;
    std::vector<Hop> m_hops;
    std::vector<uint32_t> m_firstHops; // by from, then to
};

} // namespace ns3::rails

#endif // SERVER_INTERIOR_H
