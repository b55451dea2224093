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
 * What the insides of servers mean for flows. A message crosses NVLink or PCIe, NICs and cables,
 * and NVLink or PCIe again, as a pipeline of segments and frames, whose length is a latency. All
 * servers are alike, so links and ends are those of ServerInterior.
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
     * \return true when a link on the way from one end to another may hold back what goes from
     * GPUs to NICs or back, though nothing stays inside the server: all NICs together may have more
     * for it than it carries
     */
    bool HoldsBack(uint32_t from, uint32_t to) const
    {
        return m_ways[from * m_ends + to].holdsBack;
    }

    /// \return true when a NIC reads what goes from one end to another, for each queue pair message
    /// by message
    bool IsReadByNic(uint32_t from, uint32_t to) const
    {
        return m_ways[from * m_ends + to].isRead;
    }

    /// Times of a message on the way between a GPU and a NIC, or between GPUs.
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

    /// \return the end that a NIC is, see ServerInterior
    uint32_t GetNicEnd(uint32_t rail) const
    {
        return m_interior->GetNicEnd(rail);
    }

    /// \return unit in which messages cross, in bytes
    uint64_t GetSegmentBytes() const
    {
        return m_interior->GetSegmentBytes();
    }

    /// \return what all servers are like inside
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
