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
 * What joins the GPUs and NICs of a server, as data: NVLink ports, PCIe ports and switches, the
 * link between sockets. All servers are alike.
 *
 * Its ends are the GPUs and, behind them, the NICs. From end to end bytes take hops, one or two: a
 * hop crosses NVLink, or PCIe, through links of one direction each, of which the first is where
 * bytes wait for their turn: the port that they leave by, or that of the NIC that reads them. Where
 * no hop leads from a GPU to a NIC the two are one for the server: a GPU and its own NIC, when PCIe
 * is not modelled.
 */
class ServerInterior
{
  public:
    /// No hop, no GPU.
    static constexpr uint32_t kNone = 0xffffffff;

    /// What a link is.
    enum class LinkKind
    {
        NvlinkOut, //!< out of a GPU
        NvlinkIn,  //!< into a GPU
        Pcie       //!< a PCIe port, what joins two PCIe switches, or two sockets
    };

    /// One direction of a port, or of what several ports share.
    struct Link
    {
        LinkKind kind{LinkKind::Pcie};
        std::string name;    //!< for people: "NVLink port", "uplink of PCIe switch 1 (sending)"
        uint64_t rateBps{0}; //!< bit/s of payload
        uint32_t gpu{kNone}; //!< index of the GPU whose port it is; kNone when it is no GPU's
        bool sends{true};    //!< of such a port: whether the GPU sends by it
    };

    /// A crossing of NVLink or PCIe.
    struct Hop
    {
        uint32_t to{0};              //!< the end that it leads to
        std::vector<uint32_t> links; //!< by their numbers, that with the queue first
        TimePs latency{0};           //!< besides the time on the links
    };

    /**
     * \param layout GPUs and NICs
     * \param segmentBytes unit in which messages cross and are handed on
     */
    ServerInterior(ServerLayout layout, uint64_t segmentBytes);

    // Laying.

    /// \return the number of a new link; the two directions of a port come one behind the other
    uint32_t AddLink(const Link& link);

    /**
     * Lets bytes go from one end to another.
     * \param from an end
     * \param to another
     * \param links as in Hop
     * \param latency as in Hop
     * \return the number of the hop
     */
    uint32_t AddHop(uint32_t from, uint32_t to, std::vector<uint32_t> links, TimePs latency);

    /// What goes from one end to another begins with a hop; the rest of the way is that from there.
    void SetWay(uint32_t from, uint32_t to, uint32_t hop);

    // What is there.

    const ServerLayout& GetLayout() const;
    uint64_t GetSegmentBytes() const;
    uint32_t GetEnds() const;
    const std::vector<Link>& GetLinks() const;
    /// \return the name of a link of a server for people: "NVLink port of GPU 11 (sending)"
    std::string GetLinkName(uint32_t link, uint32_t server) const;

    uint32_t GetHopCount() const;
    const Hop& GetHop(uint32_t number) const;

    /// \return the end that a NIC is
    uint32_t GetNicEnd(uint32_t rail) const
    {
        return m_gpus + rail;
    }

    /// \return the first hop from one end to another; kNone where there is nothing to cross
    uint32_t GetFirstHop(uint32_t from, uint32_t to) const
    {
        return m_firstHops[from * m_ends + to];
    }

    /// \return the hops from one end to another, in order
    std::vector<uint32_t> GetWay(uint32_t from, uint32_t to) const;

    /// \return true when it has PCIe
    bool HasPcie() const;

    /// \return the shortest latency of a hop to a GPU; 0 when there is none
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
