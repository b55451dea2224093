// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_PATHS_H
#define FLOW_PATHS_H

#include "ns3/ecmp-hash.h"
#include "ns3/path-spread.h"
#include "ns3/rails-router.h"
#include "ns3/rails-units.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/**
 * The cables that a queue pair's bytes take.
 *
 * Cables carry both ways at once, so each counts as two directions: number 2 * cable when the lower
 * end sends, 2 * cable + 1 when the upper end does. Directions that every path uses alike are a
 * bundle.
 */
struct FlowPath
{
    /// A bundle on the path.
    struct Part
    {
        uint32_t bundle; //!< its number, see FlowPaths::GetDirections()
        double share;    //!< of the queue pair's bytes, on each direction of the bundle
    };

    std::vector<Part> parts; //!< in the order of their bundles; empty: no way is known
    /// Propagation over all its cables. This and `storing` are those of the longest of its ways:
    /// the one that propagation takes longest on, and among those the one where sending does.
    TimePs delay{0};
    /// Time to send a byte on every cable of that way but the slowest, in ps per byte: what storing
    /// and forwarding whole frames adds for the last one.
    double storing{0};
};

/**
 * Which cables what a queue pair sends takes, without frames: by the same hash as frames where that
 * chooses, in fixed shares where frames spread. It knows what the router knows: a path over a cable
 * that was cut stays until the router has converged.
 */
class FlowPaths
{
  public:
    /**
     * \param router routing of the fabric
     * \param spread how a queue pair's bytes spread, as Combine() has it: not Adaptive
     */
    FlowPaths(std::shared_ptr<const Router> router, PathSpread spread);

    FlowPaths(const FlowPaths&) = delete;
    FlowPaths& operator=(const FlowPaths&) = delete;

    /**
     * Draws the salts of the hash, in the order of the switches' numbers.
     * \param stream what switch 0 draws from; switch n draws from stream + n * streamsPerSwitch
     * \param streamsPerSwitch streams that a switch of the frame engine uses, so that the salts are
     * the same: 1, or 2 when it marks frames
     * \return how many streams were used
     */
    int64_t AssignStreams(int64_t stream, int64_t streamsPerSwitch);

    /**
     * Reads next hops and rates of cables anew, and makes the bundles anew: to be called after the
     * router has converged. What Find() and GetDirections() gave before is void.
     */
    void Refresh();

    /// \return how many bundles there are
    uint32_t GetBundles() const;

    /**
     * \param bundle its number
     * \return directions that every path uses alike, in the order of their numbers. Each direction
     * is in one bundle. Those that no path uses make one bundle, unless each direction has its own,
     * as it has when a queue pair takes one path.
     */
    const std::vector<uint32_t>& GetDirections(uint32_t bundle) const;

    /**
     * \param fromNic number of the NIC that sends
     * \param toNic number of a NIC of another server
     * \param entropy of the queue pair; where frames spread it does not matter
     * \return the way from one to the other, the cables of both NICs included; without parts when
     * the next hops lead nowhere, or in circles (those that a user has given may)
     */
    FlowPath Find(uint32_t fromNic, uint32_t toNic, uint32_t entropy) const;

  private:
    std::shared_ptr<const Router> m_router;
    PathSpread m_spread;
    std::vector<EcmpHash> m_hashes;               // by number of the switch
    std::vector<std::vector<uint32_t>> m_bundles; // their directions
};

} // namespace ns3::rails

#endif // FLOW_PATHS_H
