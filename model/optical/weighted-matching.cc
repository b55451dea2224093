// SPDX-License-Identifier: GPL-2.0-only
#include "weighted-matching.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kNoVertex = std::numeric_limits<uint32_t>::max();

/// A tight edge, seen from one of its ends.
struct TightEdge
{
    uint32_t from{kNoVertex}; //!< vertex
    uint32_t to{kNoVertex};   //!< vertex
};

/// Parity of a node in an alternating tree.
enum class TreeLabel
{
    Free, //!< in no tree
    Even, //!< an even number of edges from the root
    Odd
};

/// A vertex, or an odd cycle of nodes that is shrunk to one.
struct TreeNode
{
    uint32_t parent{kNoVertex};     //!< the cycle that contains it
    uint32_t base{kNoVertex};       //!< the vertex not matched inside the cycle
    std::vector<uint32_t> children; //!< around the cycle, beginning with the child of the base
    std::vector<TightEdge> steps;   //!< from each child to the next
    int64_t dual{0};                //!< doubled for a vertex, like weights
    TreeLabel label{TreeLabel::Free};
    TightEdge entry; //!< of an odd node: the edge from its parent in the tree
};

/// Finds one matching.
class HeaviestMatcher
{
  public:
    HeaviestMatcher(uint32_t vertices, const std::vector<WeightedEdge>& edges)
        : m_vertices(vertices),
          m_nodes(vertices),
          m_top(vertices),
          m_mates(vertices, kNoVertex),
          m_edgesOf(vertices)
    {
        int64_t largest = 0;
        for (const WeightedEdge& edge : edges)
        {
            if (edge.weight > 0)
            {
                m_edgesOf[edge.one].push_back(static_cast<uint32_t>(m_edges.size()));
                m_edgesOf[edge.other].push_back(static_cast<uint32_t>(m_edges.size()));
                m_edges.push_back(edge);
                largest = std::max(largest, edge.weight);
            }
        }
        for (uint32_t vertex = 0; vertex < vertices; ++vertex)
        {
            m_nodes[vertex].base = vertex;
            m_nodes[vertex].dual = largest;
            m_top[vertex] = vertex;
        }
    }

    std::vector<uint32_t> Solve()
    {
        while (Grow() || ChangeDuals())
        {
            for (uint32_t node = m_vertices; node < m_nodes.size(); ++node)
            {
                DissolveIfSlack(node);
            }
        }
        for (uint32_t vertex = 0; vertex < m_vertices; ++vertex)
        {
            m_mates[vertex] = m_mates[vertex] == kNoVertex ? vertex : m_mates[vertex];
        }
        return m_mates;
    }

  private:
    bool IsTop(uint32_t node) const
    {
        return m_nodes[node].parent == kNoVertex && m_nodes[node].base != kNoVertex;
    }

    TreeLabel GetLabel(uint32_t vertex) const
    {
        return m_nodes[m_top[vertex]].label;
    }

    /// \return dual values over the doubled weight, of an edge between two nodes
    int64_t GetSlack(const WeightedEdge& edge) const
    {
        return m_nodes[edge.one].dual + m_nodes[edge.other].dual - 2 * edge.weight;
    }

    bool IsInside(const WeightedEdge& edge) const
    {
        return m_top[edge.one] == m_top[edge.other];
    }

    void ListVertices(uint32_t node, std::vector<uint32_t>& vertices) const
    {
        if (node < m_vertices)
        {
            vertices.push_back(node);
        }
        for (const uint32_t child : m_nodes[node].children)
        {
            ListVertices(child, vertices);
        }
    }

    void SetTop(uint32_t node, uint32_t top)
    {
        std::vector<uint32_t> vertices;
        ListVertices(node, vertices);
        for (const uint32_t vertex : vertices)
        {
            m_top[vertex] = top;
        }
    }

    void MakeEven(uint32_t node)
    {
        m_nodes[node].label = TreeLabel::Even;
        ListVertices(node, m_queue);
    }

    /// Grows trees from all nodes without a mate. \return true when the matching has grown by one
    bool Grow()
    {
        for (TreeNode& node : m_nodes)
        {
            node.label = TreeLabel::Free;
        }
        m_queue.clear();
        for (uint32_t node = 0; node < m_nodes.size(); ++node)
        {
            if (IsTop(node) && m_mates[m_nodes[node].base] == kNoVertex)
            {
                MakeEven(node);
            }
        }
        for (std::size_t i = 0; i < m_queue.size(); ++i) // grows in the loop
        {
            const uint32_t from = m_queue[i];
            for (const uint32_t number : m_edgesOf[from])
            {
                const WeightedEdge& edge = m_edges[number];
                const uint32_t to = edge.one == from ? edge.other : edge.one;
                if (!IsInside(edge) && GetSlack(edge) == 0 && Take({from, to}))
                {
                    return true;
                }
            }
        }
        return false;
    }

    /// Adds a tight edge from an even node. \return true when the matching has grown by one
    bool Take(const TightEdge& step)
    {
        const uint32_t node = m_top[step.to];
        if (m_nodes[node].label == TreeLabel::Free)
        {
            m_nodes[node].label = TreeLabel::Odd;
            m_nodes[node].entry = step;
            MakeEven(m_top[m_mates[m_nodes[node].base]]);
        }
        else if (m_nodes[node].label == TreeLabel::Even)
        {
            const uint32_t common = FindCommon(m_top[step.from], node);
            if (common == kNoVertex)
            {
                Augment(step.from, step.to);
                Augment(step.to, step.from);
                return true;
            }
            Shrink(common, step);
        }
        return false;
    }

    /// \return the even node two edges nearer to the root; kNoVertex for the root
    uint32_t GoUp(uint32_t even) const
    {
        const uint32_t mate = m_mates[m_nodes[even].base];
        return mate == kNoVertex ? kNoVertex : m_top[m_nodes[m_top[mate]].entry.from];
    }

    /// \return the nearest common even node of two even nodes towards one root; kNoVertex for two
    uint32_t FindCommon(uint32_t one, uint32_t other) const
    {
        std::vector<uint32_t> way;
        for (uint32_t node = one; node != kNoVertex; node = GoUp(node))
        {
            way.push_back(node);
        }
        for (uint32_t node = other; node != kNoVertex; node = GoUp(node))
        {
            if (std::find(way.begin(), way.end(), node) != way.end())
            {
                return node;
            }
        }
        return kNoVertex;
    }

    /// \return steps from an even node towards the root, up to another node
    std::vector<TightEdge> ListWay(uint32_t even, uint32_t end) const
    {
        std::vector<TightEdge> way;
        while (even != end)
        {
            const uint32_t base = m_nodes[even].base;
            const uint32_t mate = m_mates[base];
            const TightEdge& entry = m_nodes[m_top[mate]].entry;
            way.push_back({base, mate});
            way.push_back({entry.to, entry.from});
            even = m_top[entry.from];
        }
        return way;
    }

    uint32_t GetUnused()
    {
        if (m_unused.empty())
        {
            m_unused.push_back(static_cast<uint32_t>(m_nodes.size()));
            m_nodes.emplace_back();
        }
        const uint32_t node = m_unused.back();
        m_unused.pop_back();
        return node;
    }

    /// Makes a node of the cycle that a tight edge between two even nodes of a tree closes.
    void Shrink(uint32_t common, const TightEdge& closing)
    {
        TreeNode cycle;
        const std::vector<TightEdge> there = ListWay(m_top[closing.from], common);
        for (auto step = there.rbegin(); step != there.rend(); ++step)
        {
            cycle.steps.push_back({step->to, step->from});
        }
        cycle.steps.push_back(closing);
        const std::vector<TightEdge> back = ListWay(m_top[closing.to], common);
        cycle.steps.insert(cycle.steps.end(), back.begin(), back.end());
        for (const TightEdge& step : cycle.steps)
        {
            cycle.children.push_back(m_top[step.from]);
        }
        cycle.base = m_nodes[common].base;
        cycle.label = TreeLabel::Even;
        const uint32_t number = GetUnused();
        for (const uint32_t child : cycle.children)
        {
            m_nodes[child].parent = number;
            if (m_nodes[child].label == TreeLabel::Odd)
            {
                ListVertices(child, m_queue); // to examine their edges
            }
        }
        m_nodes[number] = std::move(cycle);
        SetTop(number, number);
    }

    /// Makes a vertex the base of a node that contains it.
    void MoveBase(uint32_t node, uint32_t vertex)
    {
        if (m_nodes[node].base == vertex)
        {
            return;
        }
        uint32_t child = vertex;
        while (m_nodes[child].parent != node)
        {
            child = m_nodes[child].parent;
        }
        MoveBase(child, vertex);
        std::vector<uint32_t>& children = m_nodes[node].children;
        std::vector<TightEdge>& steps = m_nodes[node].steps;
        const auto place = std::find(children.begin(), children.end(), child) - children.begin();
        std::rotate(children.begin(), children.begin() + place, children.end());
        std::rotate(steps.begin(), steps.begin() + place, steps.end());
        m_nodes[node].base = vertex;
        // Every second step matches two of the other children.
        for (std::size_t i = 1; i < children.size(); i += 2)
        {
            const TightEdge step = steps[i];
            MoveBase(children[i], step.from);
            MoveBase(children[i + 1], step.to);
            m_mates[step.from] = step.to;
            m_mates[step.to] = step.from;
        }
    }

    /// Matches a vertex of an even node with another vertex, and augments up to the root.
    void Augment(uint32_t vertex, uint32_t mate)
    {
        for (;;)
        {
            const uint32_t even = m_top[vertex];
            const uint32_t former = m_mates[m_nodes[even].base];
            MoveBase(even, vertex);
            m_mates[vertex] = mate;
            if (former == kNoVertex)
            {
                return;
            }
            const uint32_t odd = m_top[former];
            const TightEdge entry = m_nodes[odd].entry;
            MoveBase(odd, entry.to);
            m_mates[entry.to] = entry.from;
            vertex = entry.from;
            mate = entry.to;
        }
    }

    /// \return false when the matching is the heaviest
    bool ChangeDuals()
    {
        int64_t change = std::numeric_limits<int64_t>::max();
        for (uint32_t vertex = 0; vertex < m_vertices; ++vertex)
        {
            if (GetLabel(vertex) == TreeLabel::Even)
            {
                change = std::min(change, m_nodes[vertex].dual);
            }
        }
        const int64_t left = change; // until the dual value of an unmatched vertex is 0
        for (const WeightedEdge& edge : m_edges)
        {
            const TreeLabel one = GetLabel(edge.one);
            const TreeLabel other = GetLabel(edge.other);
            const bool isBetween = !IsInside(edge);
            if (isBetween && one == TreeLabel::Even && other == TreeLabel::Even)
            {
                // Dual values of even vertices are all odd or all even, so this is a whole number.
                change = std::min(change, GetSlack(edge) / 2);
            }
            else if (isBetween && ((one == TreeLabel::Even && other == TreeLabel::Free) ||
                                   (one == TreeLabel::Free && other == TreeLabel::Even)))
            {
                change = std::min(change, GetSlack(edge));
            }
        }
        for (uint32_t node = m_vertices; node < m_nodes.size(); ++node)
        {
            if (IsTop(node) && m_nodes[node].label == TreeLabel::Odd)
            {
                change = std::min(change, m_nodes[node].dual / 2);
            }
        }
        if (change == left)
        {
            return false;
        }
        Change(change);
        return true;
    }

    void Change(int64_t change)
    {
        for (uint32_t vertex = 0; vertex < m_vertices; ++vertex)
        {
            const TreeLabel label = GetLabel(vertex);
            m_nodes[vertex].dual += label == TreeLabel::Even  ? -change
                                    : label == TreeLabel::Odd ? change
                                                              : 0;
        }
        for (uint32_t node = m_vertices; node < m_nodes.size(); ++node)
        {
            const TreeLabel label = m_nodes[node].label;
            if (IsTop(node) && label != TreeLabel::Free)
            {
                m_nodes[node].dual += label == TreeLabel::Even ? 2 * change : -2 * change;
            }
        }
    }

    /// Expands an outermost cycle of dual value zero: its children become outermost.
    void DissolveIfSlack(uint32_t node)
    {
        if (node < m_vertices || !IsTop(node) || m_nodes[node].dual > 0)
        {
            return;
        }
        const std::vector<uint32_t> children = m_nodes[node].children;
        m_nodes[node] = TreeNode();
        m_unused.push_back(node);
        for (const uint32_t child : children)
        {
            m_nodes[child].parent = kNoVertex;
            SetTop(child, child);
            DissolveIfSlack(child);
        }
    }

    uint32_t m_vertices;
    std::vector<TreeNode> m_nodes;  //!< the vertices, then cycles; a cycle without a base is unused
    std::vector<uint32_t> m_unused; //!< unused cycles
    std::vector<uint32_t> m_top;    //!< by vertex: the outermost node that contains it
    std::vector<uint32_t> m_mates;  //!< by vertex
    std::vector<WeightedEdge> m_edges;            //!< edges of positive weight
    std::vector<std::vector<uint32_t>> m_edgesOf; //!< by vertex
    std::vector<uint32_t> m_queue;                //!< even vertices with edges to examine
};

} // namespace

std::vector<uint32_t>
FindHeaviestMatching(uint32_t vertices, const std::vector<WeightedEdge>& edges)
{
    for (const WeightedEdge& edge : edges)
    {
        if (edge.one >= vertices || edge.other >= vertices || edge.one == edge.other)
        {
            throw std::invalid_argument("matching: an edge has two different vertices");
        }
        if (edge.weight > kLargestEdgeWeight)
        {
            throw std::invalid_argument("matching: a weight is too large");
        }
    }
    return HeaviestMatcher(vertices, edges).Solve();
}

} // namespace ns3::rails
