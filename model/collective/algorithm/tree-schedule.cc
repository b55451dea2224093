// SPDX-License-Identifier: GPL-2.0-only
#include "tree-schedule.h"

#include "ns3/even-parts.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

using Operation = CollectiveOperation;

namespace
{

/**
 * Nodes of a binary tree by their numbers, in order: odd ones are leaves, and one with n zeros
 * behind its last one is n above the leaves; 0 is the root, with one child.
 * \return the parent of a node other than 0, of `size` nodes
 */
uint32_t
GetParent(uint32_t node, uint32_t size)
{
    const uint32_t last = node & (~node + 1);
    const uint32_t without = node - last;
    const uint32_t parent = without | last << 1;
    return parent < size ? parent : without;
}

} // namespace

TreeSchedule::TreeSchedule(const GroupSpread& spread, uint32_t channels, Operation operation)
    : m_size(CountMembers(spread.servers)),
      m_operation(operation)
{
    std::vector<Nodes> trees;
    for (uint32_t tree = 0; tree < 2 * channels; ++tree)
    {
        trees.push_back(MakeNodes(spread, tree / 2, tree % 2 == 1));
        for (const Node& node : trees.back())
        {
            m_height = std::max(m_height, node.height);
            m_below += node.parent == kNone ? 0 : node.below;
        }
    }
    for (const Nodes& nodes : trees)
    {
        m_trees.push_back(MakeTree(nodes));
    }
}

/// \param isSecond of the two trees of a channel, in which leaves of the first pass on
TreeSchedule::Nodes
TreeSchedule::MakeNodes(const GroupSpread& spread, uint32_t channel, bool isSecond)
{
    const auto count = static_cast<uint32_t>(spread.servers.size());
    MembersByServer chains;
    for (uint32_t server = 0; server < count; ++server)
    {
        chains.push_back(spread.Order(server, channel));
    }
    // Even and odd change places: counted from the other end where that does it, else from 1 on.
    const auto getServer = [&](uint32_t node) {
        if (!isSecond)
        {
            return node;
        }
        return count % 2 == 0 ? count - 1 - node : (node + 1) % count;
    };
    Nodes tree(CountMembers(chains));
    const auto join = [&tree](uint32_t child, uint32_t parent) {
        tree[child].parent = parent;
        tree[parent].children.push_back(child);
    };
    for (uint32_t node = 0; node < count; ++node)
    {
        const std::vector<uint32_t>& chain = chains[getServer(node)];
        if (node > 0)
        {
            join(chain.front(), chains[getServer(GetParent(node, count))].front());
        }
        for (std::size_t place = 1; place < chain.size(); ++place)
        {
            join(chain[place], chain[place - 1]);
        }
    }
    Measure(tree, chains[getServer(0)].front());
    return tree;
}

/// Finds out how far all below a root are from it, and what they have below.
void
TreeSchedule::Measure(Nodes& tree, uint32_t root)
{
    std::vector<uint32_t> order{root}; // parents before their children
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        for (const uint32_t child : tree[order[i]].children)
        {
            tree[child].depth = tree[order[i]].depth + 1;
            order.push_back(child);
        }
    }
    for (auto member = order.rbegin(); *member != root; ++member)
    {
        const Node& node = tree[*member];
        Node& parent = tree[node.parent];
        parent.height = std::max(parent.height, node.height + 1);
        parent.below += node.below;
    }
}

/// A member sends a chunk up when all below it can have sent theirs; one that is complete at the
/// root goes down.
TreeSchedule::Tree
TreeSchedule::MakeTree(const Nodes& nodes) const
{
    Tree tree;
    for (uint32_t member = 0; member < m_size; ++member)
    {
        const Node& node = nodes[member];
        const auto add = [&](uint32_t child, uint32_t other, bool isUp) {
            const Node& lower = nodes[child];
            tree.flows.push_back(
                {other,
                 isUp ? lower.height : m_height + lower.depth - 1,
                 isUp || m_operation == Operation::AllReduce ? m_size : lower.below});
        };
        const auto addAbove = [&](bool isUp) {
            if (node.parent != kNone)
            {
                add(member, node.parent, isUp);
            }
        };
        const auto addBelow = [&](bool isUp) {
            for (const uint32_t child : node.children)
            {
                add(child, child, isUp);
            }
        };
        // An all-gather is all backwards.
        const bool sendsFirst = m_operation != Operation::AllGather;
        for (const bool isSent : {sendsFirst, !sendsFirst})
        {
            if (isSent)
            {
                addAbove(true);
                addBelow(false);
            }
            else
            {
                addBelow(true);
                addAbove(false);
            }
            tree.ends.push_back(static_cast<uint32_t>(tree.flows.size()));
        }
    }
    return tree;
}

uint32_t
TreeSchedule::CountLanes() const
{
    return kWindow * static_cast<uint32_t>(m_trees.size());
}

uint32_t
TreeSchedule::CountChunks(uint64_t bytes) const
{
    const uint64_t most = GetPart(bytes, CountLanes(), 0);
    const uint64_t chunks = (most + kChunkBytes - 1) / kChunkBytes;
    return static_cast<uint32_t>(std::clamp<uint64_t>(chunks, 1, kMostChunks));
}

uint64_t
TreeSchedule::GetChunk(uint32_t lane, uint64_t bytes, uint32_t chunk) const
{
    return GetPart(GetPart(bytes, CountLanes(), lane), CountChunks(bytes), chunk);
}

uint32_t
TreeSchedule::CountSteps(uint64_t bytes) const
{
    return CountChunks(bytes) + 2 * m_height - 1;
}

TreeSchedule::Flows
TreeSchedule::GetFlows(uint32_t lane, uint32_t member, bool isSent) const
{
    const Tree& tree = m_trees[lane / kWindow];
    const std::size_t list = 2 * std::size_t{member} + (isSent ? 0 : 1);
    return {tree.flows.data() + tree.ends[list], tree.flows.data() + tree.ends[list + 1]};
}

CollectiveSchedule::Shares
TreeSchedule::Find(const Place& place, uint64_t bytes, bool isSent) const
{
    const uint32_t chunks = CountChunks(bytes);
    Shares shares;
    for (const Flow& flow : GetFlows(place.lane, place.member, isSent))
    {
        const uint32_t chunk = FindChunk(flow, CountSteps(bytes), place.step);
        const uint64_t part =
            chunk < chunks ? GetPartOf(flow, GetChunk(place.lane, bytes, chunk)) : 0;
        if (part > 0)
        {
            shares.push_back({flow.member, part});
        }
    }
    return shares;
}

double
TreeSchedule::CountBytes(double bytes) const
{
    return m_operation == Operation::AllReduce
               ? 2 * bytes * (m_size - 1)
               : bytes * (m_size - 1) +
                     bytes * m_below / m_size / static_cast<double>(m_trees.size());
}

} // namespace ns3::rails
