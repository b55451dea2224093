// SPDX-License-Identifier: GPL-2.0-only
#include "tree-transfer.h"

#include "ring-steps.h"

#include <algorithm>
#include <cstddef>

namespace ns3::rails
{

using Operation = GroupCollective::Operation;

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

TreeTransfer::TreeTransfer(const GroupSpread& spread, uint32_t channels, Operation operation)
    : m_size(CountMembers(spread.servers)),
      m_operation(operation)
{
    for (uint32_t lane = 0; lane < 2 * channels; ++lane)
    {
        m_trees.push_back(MakeTree(spread, lane / 2, lane % 2 == 1));
        for (const Node& node : m_trees.back())
        {
            m_height = std::max(m_height, node.height);
        }
    }
}

/// \param isSecond of the two trees of a channel, in which leaves of the first pass on
TreeTransfer::Tree
TreeTransfer::MakeTree(const GroupSpread& spread, uint32_t channel, bool isSecond)
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
    Tree tree(CountMembers(chains));
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
TreeTransfer::Measure(Tree& tree, uint32_t root)
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

uint32_t
TreeTransfer::CountLanes() const
{
    return kWindow * static_cast<uint32_t>(m_trees.size());
}

uint32_t
TreeTransfer::CountChunks(uint64_t bytes) const
{
    const uint64_t most = GetPart(bytes, CountLanes(), 0);
    const uint64_t chunks = (most + kChunkBytes - 1) / kChunkBytes;
    return static_cast<uint32_t>(std::clamp<uint64_t>(chunks, 1, kMostChunks));
}

uint64_t
TreeTransfer::GetChunk(uint32_t lane, uint64_t bytes, uint32_t chunk) const
{
    const uint32_t chunks = CountChunks(bytes);
    return chunk < chunks ? GetPart(GetPart(bytes, CountLanes(), lane), chunks, chunk) : 0;
}

uint32_t
TreeTransfer::CountSteps(uint64_t bytes) const
{
    return CountChunks(bytes) + 2 * m_height - 1;
}

/**
 * \param isBelow whether what crosses the edges to the children of a member is wanted, or what
 *     crosses the one to its parent
 * \param count tells what crosses the edge above a member
 */
template <typename Function>
GroupTransfer::Shares
TreeTransfer::Collect(const Place& place, bool isBelow, const Function& count) const
{
    const Node& node = m_trees[place.lane / kWindow][place.member];
    Shares shares;
    const auto add = [&](uint32_t child, uint32_t other) {
        if (const uint64_t bytes = count(child); bytes > 0)
        {
            shares.push_back({other, bytes});
        }
    };
    if (isBelow)
    {
        for (const uint32_t child : node.children)
        {
            add(child, child);
        }
    }
    else if (node.parent != kNone)
    {
        add(place.member, node.parent);
    }
    return shares;
}

/// A member sends a chunk up when all below it can have sent theirs.
GroupTransfer::Shares
TreeTransfer::GoUp(const Place& place, uint64_t bytes, bool isSent) const
{
    return Collect(place, !isSent, [&](uint32_t child) {
        // It wraps where it is too early.
        return GetChunk(place.lane,
                        bytes,
                        place.step - m_trees[place.lane / kWindow][child].height);
    });
}

/// A chunk that is complete at the root goes down.
GroupTransfer::Shares
TreeTransfer::GoDown(const Place& place, uint64_t bytes, bool isSent) const
{
    return Collect(place, isSent, [&](uint32_t child) {
        const Node& to = m_trees[place.lane / kWindow][child];
        const uint64_t chunk = GetChunk(place.lane, bytes, place.step - m_height - (to.depth - 1));
        return m_operation == Operation::AllReduce
                   ? chunk
                   : chunk / m_size * to.below + chunk % m_size * to.below / m_size;
    });
}

GroupTransfer::Shares
TreeTransfer::Find(const Place& place, uint64_t bytes, bool isSent) const
{
    Place at = place;
    bool sends = isSent;
    if (m_operation == Operation::AllGather)
    {
        at.step = CountSteps(bytes) - 1 - place.step;
        sends = !isSent;
    }
    Shares shares = GoUp(at, bytes, sends);
    const Shares down = GoDown(at, bytes, sends);
    shares.insert(shares.end(), down.begin(), down.end());
    return shares;
}

GroupTransfer::Shares
TreeTransfer::GetSends(const Place& place, uint64_t bytes) const
{
    return Find(place, bytes, true);
}

GroupTransfer::Shares
TreeTransfer::GetReceipts(const Place& place, uint64_t bytes) const
{
    return Find(place, bytes, false);
}

double
TreeTransfer::CountBytes(double bytes) const
{
    if (m_operation == Operation::AllReduce)
    {
        return 2 * bytes * (m_size - 1);
    }
    double below = 0;
    for (const Tree& tree : m_trees)
    {
        for (const Node& node : tree)
        {
            below += node.parent == kNone ? 0 : node.below;
        }
    }
    return bytes * (m_size - 1) + bytes * below / m_size / static_cast<double>(m_trees.size());
}

} // namespace ns3::rails
