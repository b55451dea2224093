// SPDX-License-Identifier: GPL-2.0-only
#ifndef CHAIN_LAYOUT_H
#define CHAIN_LAYOUT_H

#include "graph-program.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::rails
{

/**
 * Lays a dependency graph of nodes out on few streams. A node follows another one on a stream only
 * if it depends on that node anyway, directly or transitively: streams add no dependencies.
 *
 * When a node depends on the last node of another stream, that other stream becomes free for later
 * nodes that depend on this node. So no search is needed to find a stream whose last node is over.
 */
class ChainLayout
{
  public:
    /// A place on a stream, as a dependency names it: the number of nodes that have to be over.
    using Place = GraphNode::Wait;

    /**
     * \param before dependencies of the node, at most one place of each stream
     * \return the place of the node
     */
    Place Add(const std::vector<Place>& before);

    /// Keeps other nodes off a stream until AddBehind().
    void Reserve(uint32_t stream);

    /// \return the place of a node that follows the last of a reserved stream
    Place AddBehind(uint32_t stream);

    /// \return number of streams
    uint32_t GetStreams() const;

  private:
    /// A free stream, listed at another stream: nodes that depend on node `from` of that other
    /// stream may use it.
    struct Free
    {
        Place last;    //!< last node of the free stream; void once the stream has got another node
        uint64_t from; //!< number of the node on the listing stream, from 1
    };

    struct Stream
    {
        uint64_t nodes{0};
        bool isReserved{false};
        std::deque<Free> free; //!< ascending by Free::from
    };

    uint32_t Choose(const std::vector<Place>& before);

    bool IsLast(const Place& place) const;

    std::vector<Stream> m_streams;
};

} // namespace ns3::rails

#endif // CHAIN_LAYOUT_H
