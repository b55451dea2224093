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
 * Links on the path of a queue pair.
 *
 * Links are full-duplex, so each counts as two directions: number 2 * link from the lower end,
 * 2 * link + 1 from the upper end. Directions that all paths use in equal shares form a bundle.
 */
struct FlowPath
{
    /// A bundle on the path.
    struct Part
    {
        uint32_t bundle; //!< see FlowPaths::GetDirections()
        double share;    //!< share of the queue pair's bytes on each direction of the bundle
    };

    std::vector<Part> parts; //!< in the order of their bundles; empty: no path is known
    /// Propagation delay of the longest path: longest propagation first, then longest
    /// serialisation.
    TimePs delay{0};
    /// Serialisation time on all links of that path but the slowest, in ps per byte: the
    /// store-and-forward delay of the last frame.
    double storing{0};
};

/**
 * Finds the links of queue pairs without frames: by the hash of frames where a hash chooses, in
 * fixed shares where frames spread. It has the state of the router at the last Refresh(): a path
 * over a cut link stays until the router has converged and Refresh() was called.
 */
class FlowPaths
{
  public:
    /**
     * \param router routing of the fabric
     * \param spread of a queue pair's bytes, from Combine(); not Adaptive
     */
    FlowPaths(std::shared_ptr<const Router> router, PathSpread spread);

    FlowPaths(const FlowPaths&) = delete;
    FlowPaths& operator=(const FlowPaths&) = delete;

    /**
     * Draws the salts of the hash, in the order of the switches' numbers. Optical switches have no
     * salt, and are not counted.
     * \param stream of switch 0; switch n draws from stream + n * streamsPerSwitch
     * \param streamsPerSwitch streams per switch in the frame engine, so that salts are equal: 1,
     * or 2 with ECN marking
     * \return the number of streams used
     */
    int64_t AssignStreams(int64_t stream, int64_t streamsPerSwitch);

    /**
     * Reads next hops and rates of links, and rebuilds the bundles; to be called after the router
     * has converged. It invalidates results of Find() and GetDirections().
     */
    void Refresh();

    /// \return the number of bundles
    uint32_t GetBundles() const;

    /**
     * \param bundle number of a bundle
     * \return its directions, in the order of their numbers. Each direction is in one bundle. With
     * OnePath each direction is a bundle; otherwise all unused directions form one bundle.
     */
    const std::vector<uint32_t>& GetDirections(uint32_t bundle) const;

    /**
     * \param fromNic number of the NIC that sends
     * \param toNic number of a NIC of another server
     * \param entropy of the queue pair; ignored where frames spread
     * \return the path, with the links of both NICs; without parts when the next hops lead nowhere
     * or loop (next hops of a user may). Two NICs of an optical switch have the path by a circuit,
     * also while there is none. Where the router allows detours, the path between a NIC of an
     * optical switch and one of the packet fabric passes the server at the far end of the circuit.
     */
    FlowPath Find(uint32_t fromNic, uint32_t toNic, uint32_t entropy) const;

  private:
    // Length of a path.
    struct Length
    {
        TimePs delay{0};   // propagation over its links
        double sending{0}; // sum of the serialisation times of its links, in ps per byte
        double slowest{0}; // the largest of these times, in ps per byte

        bool operator<(const Length& other) const;
        void Add(const Length& cable);
    };

    // The paths between two edge switches, where frames spread.
    struct EdgeWay
    {
        std::vector<FlowPath::Part> parts; // empty: no path
        Length length;
    };

    // Share of a queue pair's bytes on a direction.
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
    std::vector<Length> m_lengths;  // by number of the link, as of the last Refresh()
    PathBundles m_bundles;

    // Paths are found at their first use.
    mutable DestinationSpread m_walk;
    mutable std::unordered_map<uint64_t, EdgeWay> m_ways; // by the numbers of both edge switches
    mutable std::vector<double> m_arrivals;               // by switch: share that passes it
    mutable std::vector<Length> m_longest;                // by switch: of the paths to it
    mutable std::vector<uint32_t> m_places; // by bundle: index among the parts under construction
};

} // namespace ns3::rails

#endif // FLOW_PATHS_H
