// SPDX-License-Identifier: GPL-2.0-only
#ifndef FABRIC_WAYS_H
#define FABRIC_WAYS_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Which links between switches a queue pair takes, as far as that can be told before a run.
class FabricWays
{
  public:
    /// A link on a way, one way round.
    struct Part
    {
        uint32_t link; //!< its number
        double share;  //!< of what the queue pair sends
    };

    /// From a NIC to another.
    struct Way
    {
        std::vector<Part> parts; //!< none: both are at the same switch, or no way is known
        double delay;            //!< propagation over all cables of the longest one, in seconds
        double storing;          //!< what storing a frame on it adds, in seconds per byte
    };

    virtual ~FabricWays() = default;

    /**
     * \param fromNic number of the NIC that sends
     * \param toNic number of a NIC of another server
     * \param queuePair of the NIC that sends: how many it had before
     * \return the way from one to the other
     */
    virtual Way Find(uint32_t fromNic, uint32_t toNic, uint32_t queuePair) const = 0;

    /// \return bit/s of a link
    virtual double GetRate(uint32_t link) const = 0;

    /// \return a number that is another one where the same queue pairs of the cluster may take
    /// other ways
    virtual uint64_t GetVariant() const = 0;
};

} // namespace ns3::rails

#endif // FABRIC_WAYS_H
