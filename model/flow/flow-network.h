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

/// Where a flow goes, and what its bytes are made of.
struct FlowRoute
{
    /// What moves from where to where.
    enum class Kind : uint8_t
    {
        Pair,    //!< a queue pair, from a NIC to one of another server
        Inside,  //!< from a GPU to another of its server
        Reading, //!< from a GPU to a NIC of its server, ahead of what the NIC sends
        Sending, //!< over the cable of a NIC, ahead of what a queue pair moves behind it
        Writing  //!< from a NIC to a GPU of its server, behind what the NIC receives
    };

    Kind kind{Kind::Pair};
    /// It gets no more than somebody brings, see FlowNetwork::SetFeed().
    bool isFed{false};
    /// What it moves has been sent in a stage of its own: of a pair, it waits behind its NIC.
    bool isBehindNic{false};
    uint32_t from{0};     //!< number of the NIC, or of the GPU in the cluster
    uint32_t to{0};       //!< the same
    uint32_t number{0};   //!< of the queue pair at its NIC
    uint32_t crossing{0}; //!< of its messages (Message::crossing)
    uint32_t entropy{0};  //!< what switches hash of its frames

    /// No GPU: it does not matter which GPUs the bytes come from and go to.
    static constexpr uint32_t kAnyGpu = 0xffffffff;
    uint32_t fromGpu{kAnyGpu}; //!< of the sending NIC's server, its index there
    uint32_t toGpu{kAnyGpu};   //!< of the receiving NIC's server, its index there

    bool IsPair() const
    {
        return kind == Kind::Pair;
    }

    /// \return true when it is a part of the way of what a queue pair moves
    bool IsStage() const
    {
        return kind == Kind::Reading || kind == Kind::Sending || kind == Kind::Writing;
    }

    double payloadShare{1}; //!< payload bytes for a byte on the wire
    double ackShare{0};     //!< bytes of ACKs on the wire for a byte of data on the wire
};

/**
 * The cluster as resources that flows share: cables, by direction, or bundles of them, and links
 * inside servers. Knows which of them a flow takes, and asks the solver for the rates of all.
 */
class FlowNetwork
{
  public:
    /// Rates of cables and paces are in bits, those of flows in bytes.
    static constexpr double kBitsPerByte = 8;

    /// By this part of the tolerance ends may be off as rates are coarse. Rates are found to a
    /// tenth of it, loads of ACKs too, and what resources have is counted lower by as much, so that
    /// none carries more than it can; chains of resources that are shared nearly evenly make
    /// several times of each.
    static constexpr double kRatesOff = 0.1;

    /// A queue pair that has no way now.
    static constexpr uint32_t kNoWay = 0xffffffff;

    FlowNetwork(std::shared_ptr<Wiring> wiring,
                std::shared_ptr<Router> router,
                const FlowSettings& settings);

    /// Draws the salts of the switches' hashes. \return how many streams were used
    int64_t AssignStreams(int64_t stream);

    /// What flows of a class need from the first byte to the last besides the time at their rate.
    struct Times
    {
        TimePs delay{0};   //!< propagation over the cables
        double storing{0}; //!< ps per byte: the last frame on all cables but the slowest
        double slowest{0}; //!< ps per byte on the slowest cable of a NIC
        TimePs reply{0};   //!< of an ACK, from the receiving NIC to the sending one
    };

    /**
     * Adds a flow.
     * \return the class that it belongs to from now on, whose rates GetRate() tells; kNoWay when
     * none is known
     */
    uint32_t Join(const FlowRoute& route);

    /**
     * Takes a flow out of its class.
     * \param wireBytes what it has sent as one of the class
     * \param ackBytes what was sent back for that
     * \param now the time
     */
    void Leave(uint32_t flowClass,
               const FlowRoute& route,
               double wireBytes,
               double ackBytes,
               TimePs now);

    /**
     * Says for which part of the time to come flows of a class are there; 1 at first.
     * \param part over 0, at most 1
     */
    void SetPresence(uint32_t flowClass, double part);

    /// \return how many flows a class has
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
     * Says what is brought to the flow of a class that gets no more than that.
     * \param rate in bytes of the flow per second
     * \return by which part that moves it; 0: as good as nothing
     */
    double SetFeed(uint32_t flowClass, double rate);

    /// \return what servers are like inside
    const FlowInterior& GetInterior() const;

    /// \return true when flows inside a server are under way
    bool HasInside(uint32_t server) const
    {
        return m_inside[server] > 0;
    }

    /// The rate of a cable, or whether it works, has changed.
    void OnCable(uint32_t cable);

    /// \return true when flows are under way over a cable, in either direction
    bool IsUsed(uint32_t cable) const;

    /// The router has converged: all classes are void, and paths are found anew. No flow may be
    /// in a class.
    void Refresh();

    /// Solve() names the class when its rate has changed.
    void Watch(uint32_t flowClass)
    {
        m_solver->Watch(flowClass);
    }

    /// Finds the rates anew. \return where they have changed
    const MaxMinSolver::Changes& Solve(MaxMinSolver::Loads loads = MaxMinSolver::Loads::Final)
    {
        return m_solver->Solve(loads);
    }

    /// \return whether rates are to be found once more, for the loads of ACKs
    bool IsBehind() const
    {
        return m_solver->IsBehind();
    }

    /// \return the resource that holds a class back
    uint32_t GetBottleneck(uint32_t flowClass) const
    {
        return m_solver->GetBottleneck(flowClass);
    }

    /// \return bytes per second that each flow gets that a resource holds back
    double GetLevel(uint32_t resource) const
    {
        return m_solver->GetLevel(resource);
    }

    /// \return bytes per second that each flow of a class gets
    double GetRate(uint32_t flowClass) const
    {
        return m_solver->GetRate(flowClass);
    }

    /// What a direction of a cable has carried, in bytes on the wire.
    struct Carried
    {
        double data{0};
        double acks{0};
        TimePs last{0}; //!< when a flow that had sent data was seen on its way over it last

        /// Adds what was carried up to a time.
        void Add(double moreData, double moreAcks, TimePs now)
        {
            data += moreData;
            acks += moreAcks;
            last = moreData > 0 ? std::max(last, now) : last;
        }
    };

    /// \return by direction (see FlowPath), what flows that have left their classes have sent
    std::vector<Carried> GetCarried() const;

    /**
     * Adds what a flow that is still in its class has sent as one of it.
     * \param carried by direction
     * \param wireBytes what it has sent
     * \param ackBytes what was sent back for that
     * \param now the time
     */
    void AddUnderWay(std::vector<Carried>& carried,
                     const FlowRoute& route,
                     double wireBytes,
                     double ackBytes,
                     TimePs now) const;

    /// A direction of a cable, and which part of a flow's bytes it carries.
    struct WayPart
    {
        uint32_t direction;
        double share;
    };

    /// \return the cables that a flow takes now, of those that are used alike the slowest
    std::vector<WayPart> GetWay(const FlowRoute& route) const;

    const MaxMinSolver& GetSolver() const;

  private:
    /// Tells classes apart.
    struct Key
    {
        uint64_t ends{0};
        uint64_t gpus{0};
        uint64_t shares{0};
        std::vector<uint32_t> bundles; // of one path among several
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
        uint32_t feed{kNoFeed};     // resource that stands for what is brought
        std::unique_ptr<Key> key{}; // of a class that others may find
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
    double m_precision; // part of themselves by which rates may be off, and resources slower
    FlowInterior m_interior;
    FlowPaths m_paths;
    std::unique_ptr<MaxMinSolver> m_solver;
    std::vector<uint32_t> m_bundleOf; // by direction
    uint32_t m_firstLink{0};          // resource of link 0 of server 0
    std::vector<uint32_t> m_inside;   // flows between GPUs of each server
    std::vector<uint32_t> m_feeds;    // resources that fed flows have used and left
    std::vector<Class> m_classes;     // by number in the solver
    std::unordered_map<Key, uint32_t, KeyHash> m_classOf;
    std::vector<Carried> m_carried;        // by bundle, since the last Refresh()
    std::vector<Carried> m_carriedBefore;  // by direction
    std::vector<MaxMinSolver::Use> m_uses; // of the class that is being made
    std::vector<MaxMinSolver::Use> m_loads;
};

} // namespace ns3::rails

#endif // FLOW_NETWORK_H
