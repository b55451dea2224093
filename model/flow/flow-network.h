// SPDX-License-Identifier: GPL-2.0-only
#ifndef FLOW_NETWORK_H
#define FLOW_NETWORK_H

#include "flow-interior.h"
#include "flow-settings.h"

#include "ns3/flow-paths.h"
#include "ns3/max-min-solver.h"
#include "ns3/rails-router.h"
#include "ns3/rails-units.h"
#include "ns3/rails-wiring.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::rails
{

/// Path and composition of a flow.
struct FlowRoute
{
    /// Kind of a flow, by its two ends.
    enum class Kind : uint8_t
    {
        Pair,    //!< a queue pair, from a NIC to one of another server
        Inside,  //!< from a GPU to another of its server
        Reading, //!< from a GPU to a NIC of its server, a stage before the NIC sends
        Sending, //!< over the uplink of a NIC, a stage before the rest of a queue pair's path
        Writing  //!< from a NIC to a GPU of its server, a stage after the NIC has received
    };

    Kind kind{Kind::Pair};
    /// The flow has a supply that limits its rate, see FlowNetwork::SetFeed().
    bool isFed{false};
    /// Of a pair: a Sending stage covers the uplink, so this flow does not use it.
    bool isBehindNic{false};
    uint32_t from{0};     //!< number of the sending NIC, or of the GPU in the cluster
    uint32_t to{0};       //!< number of the receiving NIC, or of the GPU in the cluster
    uint32_t number{0};   //!< of the queue pair at its NIC
    uint32_t crossing{0}; //!< of its messages (Message::crossing)
    uint32_t entropy{0};  //!< header field that switches hash

    /// No GPU: the links between GPU and NIC do not matter.
    static constexpr uint32_t kAnyGpu = 0xffffffff;
    uint32_t fromGpu{kAnyGpu}; //!< source GPU, as an index in the sending NIC's server
    uint32_t toGpu{kAnyGpu};   //!< destination GPU, as an index in the receiving NIC's server

    bool IsPair() const
    {
        return kind == Kind::Pair;
    }

    /// \return true for a stage: a part of the path of a queue pair's messages
    bool IsStage() const
    {
        return kind == Kind::Reading || kind == Kind::Sending || kind == Kind::Writing;
    }

    double payloadShare{1}; //!< payload bytes per byte on the wire
    double ackShare{0};     //!< ACK bytes on the wire per byte of data on the wire
};

/**
 * The cluster as constraints of the max-min solver: network links by direction, or bundles of them,
 * and links inside servers. Maps each flow to its constraints.
 */
class FlowNetwork
{
  public:
    /// Part of the tolerance for the error of completion times from coarse rates. The precision of
    /// rates and of ACK loads is a tenth of it, since chains of nearly evenly shared constraints
    /// multiply each. Capacities are lower by as much, so that no constraint is overloaded.
    static constexpr double kRatesOff = 0.1;

    /// Result of Join() for a queue pair without a path.
    static constexpr uint32_t kNoWay = 0xffffffff;

    FlowNetwork(std::shared_ptr<Wiring> wiring,
                std::shared_ptr<Router> router,
                const FlowSettings& settings);

    /// Draws the salts of the switches' hashes. \return number of random streams used
    int64_t AssignStreams(int64_t stream);

    /// Latencies of a class, besides the time at its rate.
    struct Times
    {
        TimePs delay{0};   //!< propagation over the links
        double storing{0}; //!< ps per byte: the last packet on all links but the slowest
        double slowest{0}; //!< ps per byte at the slower one of the two NICs
        TimePs reply{0};   //!< of an ACK, from the receiving NIC to the sending one
    };

    /**
     * Adds a flow.
     * \return its class; kNoWay when it has no path
     */
    uint32_t Join(const FlowRoute& route);

    /**
     * Takes a flow out of its class.
     * \param wireBytes that it has sent in the class
     * \param ackBytes of ACKs for these
     */
    void Leave(uint32_t flowClass,
               const FlowRoute& route,
               double wireBytes,
               double ackBytes,
               TimePs now);

    /**
     * Scales the weight of a class whose flows are present for a part of the time to come.
     * \param part over 0, at most 1; initially 1
     */
    void SetPresence(uint32_t flowClass, double part);

    /// \return number of flows of a class
    uint32_t GetFlows(uint32_t flowClass) const
    {
        return m_classes[flowClass].flows;
    }

    /// \return the times of a class
    const Times& GetTimes(uint32_t flowClass) const
    {
        return m_classes[flowClass].times;
    }

    /**
     * Sets the supply of a class whose flow is fed (FlowRoute::isFed).
     * \param rate in bytes of the flow per second
     * \return relative change of the supply; 0: negligible
     */
    double SetFeed(uint32_t flowClass, double rate);

    /// \return the inside of all servers
    const FlowInterior& GetInterior() const
    {
        return m_interior;
    }

    /// \return true when flows inside a server are under way
    bool HasInside(uint32_t server) const
    {
        return m_inside[server] > 0;
    }

    /// The rate of a link changed, or the link failed or recovered.
    void OnCable(uint32_t cable);

    /// \return true when flows use a link, in either direction
    bool IsUsed(uint32_t cable) const;

    /// The router has converged: paths are found anew, and all classes become invalid. No flow may
    /// be in a class.
    void Refresh();

    /// Solve() lists the class when its rate changes.
    void Watch(uint32_t flowClass)
    {
        m_solver->Watch(flowClass);
    }

    /// Finds the rates anew. \return the changes
    const MaxMinSolver::Changes& Solve(MaxMinSolver::Loads loads = MaxMinSolver::Loads::Final)
    {
        return m_solver->Solve(loads);
    }

    /// \return true when rates have to be found once more, for the loads of ACKs
    bool IsBehind() const
    {
        return m_solver->IsBehind();
    }

    /// \return the bottleneck of a class
    uint32_t GetBottleneck(uint32_t flowClass) const
    {
        return m_solver->GetBottleneck(flowClass);
    }

    /// \return the fair share of a constraint: bytes per second of each flow bottlenecked there
    double GetFairShare(uint32_t resource) const
    {
        return m_solver->GetFairShare(resource);
    }

    /// \return bytes per second that each flow of a class gets
    double GetRate(uint32_t flowClass) const
    {
        return m_solver->GetRate(flowClass);
    }

    /// Bytes on the wire that a direction of a link has carried.
    struct Carried
    {
        double data{0};
        double acks{0};
        TimePs last{0}; //!< latest time at which Add() counted data

        /// Adds bytes that were carried up to a time.
        void Add(double moreData, double moreAcks, TimePs now)
        {
            data += moreData;
            acks += moreAcks;
            last = moreData > 0 ? std::max(last, now) : last;
        }
    };

    /// \return by direction (see FlowPath), the bytes of flows that have left their classes
    std::vector<Carried> GetCarried() const;

    /**
     * Adds the bytes of a flow that is still in its class.
     * \param carried by direction
     * \param wireBytes that the flow has sent in the class
     * \param ackBytes of ACKs for these
     */
    void AddUnderWay(std::vector<Carried>& carried,
                     const FlowRoute& route,
                     double wireBytes,
                     double ackBytes,
                     TimePs now) const;

    /// A direction of a link, and the part of a flow's bytes that it carries.
    struct WayPart
    {
        uint32_t direction;
        double share;
    };

    /// \return the links of a flow's present path; of each bundle the slowest link
    std::vector<WayPart> GetWay(const FlowRoute& route) const;

    const MaxMinSolver& GetSolver() const;

  private:
    /// Identifies a class.
    struct Key
    {
        uint64_t ends{0};
        uint64_t gpus{0};
        uint64_t shares{0};
        std::vector<uint32_t> bundles; // of the path, where flows of one key could take several
        bool operator==(const Key& other) const;
    };

    struct KeyHash
    {
        std::size_t operator()(const Key& key) const;
    };

    struct Class
    {
        uint32_t flows{0};
        Times times;
        uint32_t feed{kNoFeed};     // constraint that stands for the supply
        std::unique_ptr<Key> key{}; // of a class that several flows may join
    };

    static constexpr uint32_t kNoFeed = 0xffffffff;

    void MakeResources();
    double ToCapacity(uint64_t rateBps) const;
    double GetBundleCapacity(uint32_t bundle) const;
    Key MakeKey(const FlowRoute& route, const FlowPath& path) const;
    uint32_t FindClass(const FlowRoute& route, const FlowPath& path);
    uint32_t AddClass(const FlowRoute& route, const FlowPath& path);
    void AddPair(const FlowRoute& route, const FlowPath& path, Times& times);
    FlowPath FindBack(const FlowRoute& route) const;
    bool TakesTurns(const FlowRoute& route) const;
    void AddInterior(uint32_t server, uint32_t from, uint32_t to, double share);
    uint32_t AddFeed();
    void CountInside(const FlowRoute& route, int change);
    void AddCarried(std::vector<Carried>& sums) const;
    template <typename Function>
    void ForEachPart(const FlowRoute& route,
                     double wireBytes,
                     double ackBytes,
                     Function function) const;

    std::shared_ptr<Wiring> m_wiring;
    std::shared_ptr<Router> m_router;
    FlowSettings m_settings;
    double m_precision; // relative error of rates, and relative reduction of capacities
    FlowInterior m_interior;
    FlowPaths m_paths;
    std::unique_ptr<MaxMinSolver> m_solver;
    std::vector<uint32_t> m_bundleOf;    // by direction
    uint32_t m_firstLink{0};             // constraint of link 0 of server 0
    std::vector<uint32_t> m_inside;      // flows between GPUs of each server
    std::vector<uint32_t> m_unusedFeeds; // unused constraints of former fed flows, for reuse
    std::vector<Class> m_classes;        // by number in the solver
    std::unordered_map<Key, uint32_t, KeyHash> m_classOf;
    std::vector<Carried> m_carried;        // by bundle, since the last Refresh()
    std::vector<Carried> m_carriedBefore;  // by direction
    std::vector<MaxMinSolver::Use> m_uses; // of the class that AddClass() makes
    std::vector<MaxMinSolver::Use> m_loads;
};

} // namespace ns3::rails

#endif // FLOW_NETWORK_H
