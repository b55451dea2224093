// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_PATHS_H
#define FABRIC_PATHS_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Links between switches on the path of a queue pair, as far as known before a run.
class FabricPaths
{
  public:
    /// One direction of a link on a path.
    struct Part
    {
        uint32_t link; //!< number of the direction
        double share;  //!< of the bytes of the queue pair
    };

    /// The path from a NIC to another.
    struct Way
    {
        std::vector<Part> parts; //!< empty: both NICs share a switch, or no path is known
        double delay;            //!< propagation over the longest path, in seconds
        double storing;          //!< store-and-forward time on that path, in seconds per byte
    };

    virtual ~FabricPaths() = default;

    /**
     * \param fromNic number of the NIC that sends
     * \param toNic number of a NIC of another server
     * \param queuePair index of the queue pair among those of the sending NIC
     * \return the path
     */
    virtual Way Find(uint32_t fromNic, uint32_t toNic, uint32_t queuePair) const = 0;

    /// \return rate of a link in bit/s
    virtual double GetRate(uint32_t link) const = 0;

    /// \return a number that changes when the queue pairs of a cluster may take other paths
    virtual uint64_t GetVariant() const = 0;
};

} // namespace ns3::rails

#endif // FABRIC_PATHS_H
