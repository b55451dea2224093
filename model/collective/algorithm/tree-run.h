// SPDX-License-Identifier: GPL-2.0-only
#ifndef TREE_RUN_H
#define TREE_RUN_H

#include "collective-crossings.h"
#include "collective-groups.h"
#include "collective-traffic.h"
#include "group-collective.h"
#include "tree-transfer.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

/**
 * Follows the messages of trees of one of some groups, while all do the same: each takes its turn
 * at the port that sends it, at links of the fabric and at the port that gets it. Queue pairs of a
 * port take turns. Where some channels are followed for all, GPUs of a server share a port to each
 * other: chains of channels begin at one GPU after the other, so that what one channel does at
 * several GPUs, several channels do at one.
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
            GroupCollective::Operation operation,
            uint32_t channels,
            uint32_t followed);

    /// \return which group takes longest, by its busiest link and its steps. \param bytes of the
    /// buffer
    uint32_t FindSlowest(uint64_t bytes) const;

    /// All below is of this group.
    void Follow(uint32_t group);

    /// \return whether trees of different channels meet at a link
    bool SharesLinks() const;

    /// \return seconds per byte of the buffer for which the busiest link is busy, or the busiest
    /// GPU sends to others of its server, or gets from them
    double FindBusiest() const;

    /// \return seconds until all of a buffer has come. \param bytes of it
    double Run(uint64_t bytes);

  private:
    struct Message
    {
        uint32_t lane;
        uint32_t step;
        uint32_t from;
        uint32_t to;
        uint32_t crossing; //!< kInside: from GPU to GPU of a server
        double bytes;
    };

    /// A message that gets where it goes.
    struct Arrival
    {
        double at;
        uint64_t number; //!< of equal times the first first
        Message message;
    };

    /// A NIC, or what a GPU has inside its server.
    struct Port
    {
        double sends{0};     //!< from when on it can send the next
        uint32_t waiting{0}; //!< messages
        std::size_t turn{0}; //!< of a queue
        std::vector<std::pair<uint64_t, std::deque<Message>>> queues{}; //!< that wait
        double gets{0};               //!< from when on it can get the next
        std::deque<Arrival> coming{}; //!< in their order

        void Wait(uint64_t queue, const Message& message);
        Message TakeNext();
    };

    /// When something happens next at a port.
    struct Turn
    {
        double at;
        uint64_t number;
        std::size_t port;
        bool isArrival;

        bool operator<(const Turn& other) const
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
        std::size_t number; //!< of the port
        double perByte;     //!< seconds
    };

    static constexpr uint32_t kInside = 0xffffffff;

    void AddCrossings();
    RailQueue GetRail(uint32_t gpu, uint32_t tree) const;
    void NumberCrossings();
    void SharePorts();
    void Start(uint64_t bytes);
    std::size_t GetPlace(uint32_t lane, uint32_t member) const;
    std::size_t GetPort(uint32_t member, const Message& message) const;
    uint64_t GetBytes(uint32_t lane, const TreeTransfer::Flow& flow, uint32_t step) const;
    void Await(uint32_t lane, uint32_t member);
    void GoOn(uint32_t lane, uint32_t member);
    void Send(double now);
    void Leave(const Message& message, Port& port, double now);
    void Arrive(const Message& message);

    const CollectiveGroups& m_groups;
    GroupCollective::Operation m_operation;
    CollectiveTraffic m_traffic;
    uint32_t m_followed;                   //!< channels
    std::vector<TreeTransfer> m_transfers; //!< by spread
    uint32_t m_nics;                       //!< of a server
    CollectiveCrossings m_crossings;
    std::vector<CollectiveCrossings::Times> m_times; //!< by group, of a byte of the buffer

    // Of the group that is followed:
    uint32_t m_group{0};
    const GroupSpread* m_spread{nullptr};
    const TreeTransfer* m_transfer{nullptr};
    std::vector<uint32_t> m_serverOf;  //!< by member
    std::vector<InsidePort> m_insides; //!< the same
    std::vector<std::vector<uint32_t>>
        m_numbers;                 //!< of crossings, by tree and member, of its sends
    std::vector<double> m_perByte; //!< seconds, by link
    bool m_sharesLinks{false};

    // Of a run:
    uint32_t m_steps{0};
    uint32_t m_chunks{0};          //!< of a lane
    std::vector<uint64_t> m_sizes; //!< of these, by lane
    std::vector<Place> m_places;   //!< by lane and member
    std::vector<uint8_t> m_come;   //!< messages, by lane, member and step
    std::vector<Port> m_ports;     //!< NICs of servers, then those of members
    std::vector<double> m_links;   //!< from when on each is free
    std::vector<Message> m_ready;  //!< can be sent now
    std::priority_queue<Turn> m_next;
    uint64_t m_number{0};
};

} // namespace ns3::rails

#endif // TREE_RUN_H
