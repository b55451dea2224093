// SPDX-License-Identifier: GPL-2.0-only
#ifndef TREE_SCHEDULE_H
#define TREE_SCHEDULE_H

#include "collective-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Double binary trees over servers, with a chain of the members of each (NCCL, from its release
 * 2.4): of the two trees of a channel each has half of its share of the buffer, and the servers
 * that pass on in one are leaves of the other, so that each sends and gets as many bytes as on a
 * ring, in a number of steps that grows with the logarithm of the servers. The chain of a
 * channel is GroupSpread::Order(); its first member is the one that sends to other servers.
 *
 * All-reduce: chunks are added up to the root and go down again, one behind the other. NCCL has
 * trees for that alone. Here a reduce-scatter goes up in the same way, and down goes to every
 * member what is for it and for those below; an all-gather is the same backwards.
 */
class TreeSchedule : public CollectiveSchedule
{
  public:
    static constexpr uint64_t kChunkBytes = 131'072; //!< what goes up or down at a time
    static constexpr uint32_t kMostChunks = 256;     //!< of a lane; of more, each is larger
    /// Lanes of a tree: while a chunk of one is on its way, the other sends. (NCCL has up to eight
    /// chunks of 512 KiB in the buffers of a channel.)
    static constexpr uint32_t kWindow = 2;

    /**
     * \param spread of the members, at least two of these
     * \param channels how many; each has two trees of kWindow lanes
     * \param operation all-reduce, all-gather or reduce-scatter
     */
    TreeSchedule(const GroupSpread& spread, uint32_t channels, CollectiveOperation operation);

    uint32_t CountLanes() const override;
    uint32_t CountSteps(uint64_t bytes) const override;
    double CountBytes(double bytes) const override;

    /// What goes over an edge of a tree one way: a chunk in each step.
    struct Flow
    {
        uint32_t member; //!< at the other end
        uint32_t first;  //!< step of the first chunk; of an all-gather, from the last step back
        uint32_t below;  //!< of the members, for how many it is
    };

    /// Some that lie together.
    struct Flows
    {
        const Flow* first;
        const Flow* last;

        const Flow* begin() const
        {
            return first;
        }

        const Flow* end() const
        {
            return last;
        }
    };

    /// \return what a member sends in a lane, or gets, each receiver or sender once
    Flows GetFlows(uint32_t lane, uint32_t member, bool isSent) const;

    /// \return chunks of each lane. \param bytes of the buffer
    uint32_t CountChunks(uint64_t bytes) const;

    /// \return size of a chunk of a lane. \param bytes of the buffer
    uint64_t GetChunk(uint32_t lane, uint64_t bytes, uint32_t chunk) const;

    /**
     * \param steps of a lane
     * \param step of it
     * \return which chunk goes; there may be none of this number
     */
    uint32_t FindChunk(const Flow& flow, uint32_t steps, uint32_t step) const
    {
        // It wraps where it is too early.
        return (m_operation == CollectiveOperation::AllGather ? steps - 1 - step : step) -
               flow.first;
    }

    /// \return what goes of a chunk
    uint64_t GetPartOf(const Flow& flow, uint64_t chunk) const
    {
        return flow.below == m_size
                   ? chunk
                   : chunk / m_size * flow.below + chunk % m_size * flow.below / m_size;
    }

  private:
    static constexpr uint32_t kNone = 0xffffffff;

    /// A member in a tree.
    struct Node
    {
        uint32_t parent{kNone};
        std::vector<uint32_t> children{};
        uint32_t depth{0};  //!< steps from the root
        uint32_t height{0}; //!< steps from the farthest leaf below
        uint32_t below{1};  //!< members below, and itself
    };

    using Nodes = std::vector<Node>; // by member

    /// What goes over its edges, by member: what it sends, and what it gets.
    struct Tree
    {
        std::vector<Flow> flows{};
        std::vector<uint32_t> ends{0}; //!< of those of each member, of both kinds
    };

    static Nodes MakeNodes(const GroupSpread& spread, uint32_t channel, bool isSecond);
    static void Measure(Nodes& tree, uint32_t member);
    Tree MakeTree(const Nodes& nodes) const;
    Shares Find(const Place& place, uint64_t bytes, bool isSent) const override;

    uint32_t m_size;
    CollectiveOperation m_operation;
    std::vector<Tree> m_trees; //!< two of each channel
    uint32_t m_height{0};      //!< of the highest
    double m_below{0};         //!< sum over all edges of the members below
};

} // namespace ns3::rails

#endif // TREE_SCHEDULE_H
