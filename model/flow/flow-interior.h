// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_INTERIOR_H
#define FLOW_INTERIOR_H

#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Picoseconds that a byte takes at 1 bit/s.
constexpr double kBytePicoseconds = 8e12;

/**
 * The insides of servers as flows see them. A message crosses NVLink or PCIe, NICs and network
 * links, and NVLink or PCIe again, as a pipeline of segments and packets whose fill time is a
 * latency. All servers are alike, so numbers of links and ends are those of ServerInterior.
 */
class FlowInterior
{
  public:
    /// \param wiring the cluster
    explicit FlowInterior(const Wiring& wiring);

    /// \return the links from one end to another, in order
    const std::vector<uint32_t>& GetLinks(uint32_t from, uint32_t to) const
    {
        return m_ways[from * m_ends + to].links;
    }

    /**
     * \return true when a link on the path from one end to another may be a bottleneck of traffic
     * between GPUs and NICs, even without messages inside the server: the NICs together can load it
     * beyond its rate
     */
    bool HoldsBack(uint32_t from, uint32_t to) const
    {
        return m_ways[from * m_ends + to].holdsBack;
    }

    /// \return true when a NIC reads the messages from one end to another itself, in order within
    /// each queue pair
    bool IsReadByNic(uint32_t from, uint32_t to) const
    {
        return m_ways[from * m_ends + to].isRead;
    }

    /// Times of a message on the path between a GPU and a NIC, or between GPUs.
    struct Crossing
    {
        TimePs latency{0}; //!< of all hops, besides the time on the links
        double storing{0}; //!< ps per byte: one segment on the slowest link of every hop
        double slowest{0}; //!< ps per byte on the slowest link of all; 0: nothing to cross
    };

    const Crossing& GetCrossing(uint32_t from, uint32_t to) const
    {
        return m_ways[from * m_ends + to].crossing;
    }

    /// \return number of a NIC's end, see ServerInterior
    uint32_t GetNicEnd(uint32_t rail) const
    {
        return m_interior->GetNicEnd(rail);
    }

    /// \return bytes of a segment, the unit in which messages cross servers
    uint64_t GetSegmentBytes() const
    {
        return m_interior->GetSegmentBytes();
    }

    /// \return the inside of all servers
    const ServerInterior& GetInterior() const
    {
        return *m_interior;
    }

  private:
    struct Way
    {
        std::vector<uint32_t> links;
        bool holdsBack{false};
        bool isRead{false};
        Crossing crossing;
    };

    void FindWays();
    void FindHolders(const Wiring& wiring);

    std::shared_ptr<const ServerInterior> m_interior;
    uint32_t m_ends;
    std::vector<Way> m_ways; // by from, then to
};

} // namespace ns3::rails

#endif // FLOW_INTERIOR_H
