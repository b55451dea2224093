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
 * Lays nodes that wait for each other on few streams. A node only follows another one on a stream
 * if it waits for it anyway, directly or by way of others: streams add nothing to what nodes wait
 * for.
 *
 * A stream whose last node is waited for by the node of another stream is handed over to that
 * stream, for whoever waits for the same node later: so it takes no search to know that the last
 * node of a stream is over.
 */
class ChainLayout
{
  public:
    /// A place on a stream, as what waits for it says: how many nodes of the stream are to be over.
    using Place = GraphNode::Wait;

    /**
     * \param before what the node waits for, at most one place of a stream
     * \return the place of the node
     */
    Place Add(const std::vector<Place>& before);

    /// Keeps all nodes off a stream until one is put there by AddBehind().
    void Reserve(uint32_t stream);

    /// \return the place of a node that follows the last of a reserved stream
    Place AddBehind(uint32_t stream);

    /// \return how many streams there are
    uint32_t GetStreams() const;

  private:
    /// A stream that is free for all that waits for a node of the stream that has it.
    struct Free
    {
        Place last;    //!< of the free stream, if nobody has used it since
        uint64_t from; //!< the number of that node on its stream, from 1
    };

    struct Stream
    {
        uint64_t nodes{0};
        bool isReserved{false};
        std::deque<Free> free; //!< by the number of the node
    };

    uint32_t Choose(const std::vector<Place>& before);

    bool IsLast(const Place& place) const;

    std::vector<Stream> m_streams;
};

} // namespace ns3::rails

#endif // CHAIN_LAYOUT_H
