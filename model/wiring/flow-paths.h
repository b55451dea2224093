// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_PATHS_H
#define FLOW_PATHS_H

#include "ecmp-hash.h"
#include "path-bundles.h"
#include "path-spread.h"
#include "rails-router.h"

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
 * chooses, in fixed shares where frames spread. It knows what the router knew at the last
 * Refresh(): a path over a cable that was cut stays until the router has converged and Refresh()
 * was called.
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
     * Draws the salts of the hash, in the order of the switches' numbers. Optical switches have
     * none, and are not counted.
     * \param stream what switch 0 draws from; switch n draws from stream + n * streamsPerSwitch
     * \param streamsPerSwitch streams that a switch of the frame engine uses, so that the salts are
     * the same: 1, or 2 when it marks frames
     * \return how many streams were used
     */
    int64_t AssignStreams(int64_t stream, int64_t streamsPerSwitch);

    /**
     * Reads next hops and rates of cables anew, and makes the bundles anew: to be called after the
     * router has converged. Until then everything stays as it was; afterwards what Find() and
     * GetDirections() gave before is void.
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
     * the next hops lead nowhere, or in circles (those that a user has given may). Two NICs of an
     * optical switch have the way by a circuit, also while there is none. Where the router allows
     * detours, from a NIC of an optical switch to one of the packet fabric, or back, by the server
     * that a circuit leads to
     */
    FlowPath Find(uint32_t fromNic, uint32_t toNic, uint32_t entropy) const;

  private:
    // How long a way is.
    struct Length
    {
        TimePs delay{0};   // propagation over its cables
        double sending{0}; // ps to send a byte on each of them, one after the other
        double slowest{0}; // the largest of these times

        bool operator<(const Length& other) const;
        void Add(const Length& cable);
    };

    // What is known of the way between two edge switches, where frames spread.
    struct EdgeWay
    {
        std::vector<FlowPath::Part> parts; // empty: there is none
        Length length;
    };

    // What comes by at a direction, of all that a queue pair sends.
    struct DirectionShare
    {
        uint32_t direction;
        double share;
    };

    bool Follow(uint32_t fromNic,
                uint32_t toNic,
                uint32_t entropy,
                FlowPath& path,
                Length& length) const;
    bool FollowHash(uint32_t fromNic,
                    uint32_t toNic,
                    uint32_t entropy,
                    FlowPath& path,
                    Length& length) const;
    const EdgeWay& GetEdgeWay(uint32_t from, uint32_t to) const;
    EdgeWay MakeEdgeWay(uint32_t from, uint32_t to) const;
    void Pass(const DestinationSpread::Stage& stage, std::vector<DirectionShare>& shares) const;
    std::vector<FlowPath::Part> Bundle(const std::vector<DirectionShare>& shares) const;

    std::shared_ptr<const Router> m_router;
    PathSpread m_spread;
    FabricPorts m_ports;
    NextHopTable m_hops;            // as of the last Refresh()
    std::vector<EcmpHash> m_hashes; // by number of the switch
    std::vector<Length> m_lengths;  // by number of the cable, as of the last Refresh()
    PathBundles m_bundles;

    // Ways are found when they are first asked for.
    mutable DestinationSpread m_walk;
    mutable std::unordered_map<uint64_t, EdgeWay> m_ways; // by the numbers of both edge switches
    mutable std::vector<double> m_arrivals;               // by switch: share that comes by there
    mutable std::vector<Length> m_longest;                // by switch: of the ways that lead there
    mutable std::vector<uint32_t> m_places; // by bundle: its place among the parts being made
};

} // namespace ns3::rails

#endif // FLOW_PATHS_H
