// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_SCHEDULE_H
#define COLLECTIVE_SCHEDULE_H

#include "ns3/gpu-partition.h"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// What the GPUs of a group do together.
enum class CollectiveOperation : uint8_t
{
    AllReduce,
    AllGather,
    ReduceScatter,
    Broadcast,
    Reduce
};

/// The same of servers, by NIC: members near it, of each NIC that has some, in the order of rails.
using MembersByNic = std::vector<std::vector<uint32_t>>;

/// How a group is spread over servers and NICs.
struct GroupSpread
{
    MembersByServer servers;
    std::vector<MembersByNic> nics{}; //!< by server; empty, or empty for a server: not known

    bool operator<(const GroupSpread& other) const
    {
        return std::tie(servers, nics) < std::tie(other.servers, other.nics);
    }

    /**
     * Of several rings, each comes to a server at a GPU near the NIC of its turn, and leaves it by
     * another one near that NIC, where there is one: as the channels of NCCL do.
     * \param ring which of them
     * \return a server's members, from where the ring comes in to where it goes out
     */
    std::vector<uint32_t> Order(std::size_t server, uint32_t ring) const;

    /// \return whether one of the servers has fewer NICs than another
    bool IsUneven() const;
};

/// \return all members
uint32_t CountMembers(const MembersByServer& servers);

/**
 * The steps of a collective of a group of GPUs, known by their numbers in it: lanes that do not
 * wait for each other, each with as many steps that do. A GPU that has got all of a step sends what
 * it has for the next one. Nothing depends on the buffer but what follows from its size.
 */
class CollectiveSchedule
{
  public:
    /// What goes to a member, or comes from it.
    struct Share
    {
        uint32_t member;
        uint64_t bytes; //!< at least 1
    };

    using Shares = std::vector<Share>;

    /// Where in a schedule something is sent, or got.
    struct Place
    {
        uint32_t member; //!< who sends, or gets
        uint32_t lane;
        uint32_t step; //!< of the lane
    };

    virtual ~CollectiveSchedule() = default;

    virtual uint32_t CountLanes() const
    {
        return 1;
    }

    /// \return steps of each lane. \param bytes of the buffer
    virtual uint32_t CountSteps(uint64_t bytes) const = 0;

    /**
     * \param bytes of the buffer
     * \return after how many steps of a lane they are repeated; steps with the same remainder move
     * the same
     */
    virtual uint32_t CountDifferentSteps(uint64_t bytes) const
    {
        return CountSteps(bytes);
    }

    /// \return what a member sends in a step, each receiver once. \param bytes of the buffer
    Shares GetSends(const Place& place, uint64_t bytes) const
    {
        return Find(place, bytes, true);
    }

    /// \return what a member gets in a step, each sender once. \param bytes of the buffer
    Shares GetReceipts(const Place& place, uint64_t bytes) const
    {
        return Find(place, bytes, false);
    }

    /// \return what all members together send in all steps. \param bytes of the buffer
    virtual double CountBytes(double bytes) const = 0;

  private:
    /// \return what a member sends in a step, or gets
    virtual Shares Find(const Place& place, uint64_t bytes, bool isSent) const = 0;
};

} // namespace ns3::rails

#endif // COLLECTIVE_SCHEDULE_H
