// SPDX-License-Identifier: GPL-2.0-only
#ifndef TREE_RUN_H
#define TREE_RUN_H

#include "collective-crossings.h"
#include "collective-groups.h"
#include "collective.h"
#include "tree-schedule.h"

#include "ns3/max-min-solver.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Follows the messages of trees of one of some groups, while all do the same. Queue pairs, and what
 * goes from a GPU to another of its server, are flows that share links max-min fairly, each with
 * its messages one after the other: NICs, links of the fabric, and what GPUs have inside servers.
 * Where some channels are followed for all, GPUs of a server share a port to each other: chains of
 * channels begin at one GPU after the other, so that what one channel does at several GPUs, several
 * channels do at one.
 */
class TreeRun
{
  public:
    /**
     * \param groups on several servers
     * \param operation all-reduce, all-gather or reduce-scatter
     * \param channels of trees
     * \param followed how many of these are followed
     */
    TreeRun(const CollectiveGroups& groups,
            CollectiveOperation operation,
            uint32_t channels,
            uint32_t followed);

    /// \return which group takes longest, by its busiest link and its steps. \param bytes of the
    /// buffer
    uint32_t FindSlowest(uint64_t bytes) const;

    /// All below is of this group.
    void Follow(uint32_t group);

    /// \return whether trees of different channels meet at a link
    bool SharesLinks() const
    {
        return m_sharesLinks;
    }

    /// \return seconds per byte of the buffer for which the busiest link is busy, or the busiest
    /// GPU sends to others of its server, or gets from them
    double FindBusiest() const;

    /**
     * \param bytes of the buffer
     * \param chunks of each lane that go, the first ones, at most
     * \param until seconds; what takes longer need not be followed to its end
     * \return seconds until all of these have come
     */
    double Run(uint64_t bytes, uint32_t chunks, double until);

    /// \return how many there are. \param bytes of the buffer
    uint32_t CountChunks(uint64_t bytes) const;

  private:
    struct Message
    {
        uint32_t lane;
        uint32_t step;
        uint32_t to;
        double bytes;
    };

    /// What a queue pair sends, or a GPU to another of its server.
    struct Flow
    {
        uint32_t crossing;              //!< kInside: none
        std::deque<Message> messages{}; //!< the first one is sent
        double left{0};                 //!< bytes of that when the rate was found
        double since{0};                //!< when that was
        double rate{0};                 //!< bytes per second
        uint32_t turn{0};               //!< how often the end of the first one was foretold
    };

    /// The end of what a flow sends first, or the arrival of a message.
    struct Event
    {
        double at;
        uint64_t number; //!< of equal times the first first
        uint32_t flow;   //!< kArrival: none
        uint32_t turn;   //!< of the flow
        Message message;

        bool operator<(const Event& other) const
        {
            return std::tie(other.at, other.number) < std::tie(at, number);
        }
    };

    /// How far a member is in a lane.
    struct Place
    {
        uint32_t step{0};
        uint32_t missing{0}; //!< messages of the step
    };

    /// Where a member sends to others of its server.
    struct InsidePort
    {
        uint32_t number;
        double perByte; //!< seconds
    };

    static constexpr uint32_t kArrival = 0xffffffff;
    static constexpr uint32_t kInside = 0xffffffff;

    void AddCrossings();
    RailQueue GetRail(uint32_t gpu, uint32_t tree) const;
    void SharePorts();
    void NumberFlows();
    void BeginLanes();
    void Start(uint64_t bytes, uint32_t chunks);
    std::size_t GetPlace(uint32_t lane, uint32_t member) const;
    uint64_t GetBytes(uint32_t lane, const TreeSchedule::Flow& flow, uint32_t step) const;
    void Await(uint32_t lane, uint32_t member);
    bool Post(uint32_t lane, uint32_t member);
    void Send(uint32_t number, const Message& message);
    void End(uint32_t number);
    void Arrive(const Message& message);
    void ShareLinks();
    void Foretell(uint32_t number);

    const CollectiveGroups& m_groups;
    CollectiveOperation m_operation;
    std::unique_ptr<const Collective> m_collective; //!< of a byte
    uint32_t m_followed;                            //!< channels
    std::vector<TreeSchedule> m_transfers;          //!< by spread
    CollectiveCrossings m_crossings;
    std::vector<CollectiveCrossings::Times> m_times; //!< by group, of a byte of the buffer

    // Of the group that is followed:
    uint32_t m_group{0};
    const GroupSpread* m_spread{nullptr};
    const TreeSchedule* m_transfer{nullptr};
    std::vector<uint32_t> m_serverOf;  //!< by member
    std::vector<InsidePort> m_insides; //!< the same
    std::vector<Flow> m_flows;         //!< those of each are a class of the solver
    std::unique_ptr<MaxMinSolver> m_solver;
    std::vector<std::vector<uint32_t>> m_numbers; //!< of flows, by tree and member, of its sends
    bool m_sharesLinks{false};

    // Of a run:
    double m_now{0};
    uint32_t m_steps{0};
    uint32_t m_chunks{0};          //!< of a lane
    std::vector<uint64_t> m_sizes; //!< of these, by lane
    std::vector<Place> m_places;   //!< by lane and member
    std::vector<uint8_t> m_come;   //!< messages, by lane, member and step
    std::vector<uint32_t> m_begun; //!< flows that had nothing to send before
    std::priority_queue<Event> m_next;
    uint64_t m_number{0};
};

} // namespace ns3::rails

#endif // TREE_RUN_H
