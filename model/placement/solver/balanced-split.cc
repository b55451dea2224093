// SPDX-License-Identifier: GPL-2.0-only
#include "balanced-split.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

uint64_t
DivideUp(uint64_t dividend, uint64_t divisor)
{
    return (dividend + divisor - 1) / divisor;
}

} // namespace

/// Flow network of tokens: source, experts with several hosts, hosts, sink.
class BalancedSplit::Network
{
  public:
    Network(const std::vector<std::vector<uint32_t>>& hosts, uint32_t gpus)
        : m_gpus(gpus),
          m_firstArc(hosts.size())
    {
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            AddArc(kFirstGpu + gpu, kSink);
        }
        for (uint32_t expert = 0; expert < hosts.size(); ++expert)
        {
            if (hosts[expert].size() > 1)
            {
                AddExpert(expert, hosts[expert]);
            }
        }
        LayGraph();
    }

    void SetLoads(const std::vector<uint64_t>& loads)
    {
        m_total = 0;
        for (const Expert& expert : m_experts)
        {
            const auto load = static_cast<int64_t>(loads[expert.number]);
            for (std::size_t i = 0; i <= expert.hosts; ++i)
            {
                m_capacities[m_edges[expert.firstArc + 2 * i]] = load;
            }
            m_total += load;
        }
    }

    /**
     * \param largest capacity of a GPU
     * \param fixedLoads by GPU, part of this capacity
     * \return true when all tokens fit
     */
    bool Fits(uint64_t largest, const std::vector<uint64_t>& fixedLoads)
    {
        for (uint32_t gpu = 0; gpu < m_gpus; ++gpu)
        {
            m_capacities[m_edges[2 * std::size_t{gpu}]] =
                static_cast<int64_t>(largest - fixedLoads[gpu]);
        }
        const auto index = get(boost::edge_index, m_graph);
        return boost::push_relabel_max_flow(
                   m_graph,
                   kSource,
                   kSink,
                   boost::make_iterator_property_map(m_capacities.begin(), index),
                   boost::make_iterator_property_map(m_left.begin(), index),
                   boost::make_iterator_property_map(m_reverse.begin(), index),
                   get(boost::vertex_index, m_graph)) == m_total;
    }

    /// \return tokens of an expert at one of its hosts
    uint64_t GetFlow(uint32_t expert, std::size_t host) const
    {
        const std::size_t edge = m_edges[m_firstArc[expert] + 2 * (host + 1)];
        return static_cast<uint64_t>(m_capacities[edge] - m_left[edge]);
    }

  private:
    // Compressed rows: vectors of edges by vertex would take more time than the flow itself.
    using Graph = boost::compressed_sparse_row_graph<boost::directedS,
                                                     boost::no_property,
                                                     boost::no_property,
                                                     boost::no_property,
                                                     uint32_t,
                                                     uint32_t>;
    using Edge = Graph::edge_descriptor;

    static constexpr uint32_t kSource = 0;
    static constexpr uint32_t kSink = 1;
    static constexpr uint32_t kFirstGpu = 2;

    /// An expert, with its arc from the source; the arcs to its hosts follow.
    struct Expert
    {
        uint32_t number;
        uint32_t vertex;
        std::size_t firstArc;
        std::size_t hosts;
    };

    /// Adds an arc and its reverse, with consecutive numbers.
    void AddArc(uint32_t from, uint32_t to)
    {
        m_arcs.emplace_back(from, to);
        m_arcs.emplace_back(to, from);
    }

    void AddExpert(uint32_t number, const std::vector<uint32_t>& hosts)
    {
        const auto vertex = static_cast<uint32_t>(kFirstGpu + m_gpus + m_experts.size());
        m_firstArc[number] = m_arcs.size();
        m_experts.push_back({number, vertex, m_arcs.size(), hosts.size()});
        AddArc(kSource, vertex);
        for (const uint32_t host : hosts)
        {
            AddArc(vertex, kFirstGpu + host);
        }
    }

    /// Builds the graph; arcs of a vertex keep their order.
    void LayGraph()
    {
        const std::size_t vertices = kFirstGpu + m_gpus + m_firstArc.size();
        m_graph = Graph(boost::edges_are_unsorted_multi_pass,
                        m_arcs.begin(),
                        m_arcs.end(),
                        static_cast<uint32_t>(vertices));
        std::vector<uint32_t> next(vertices + 1);
        for (const auto& arc : m_arcs)
        {
            ++next[arc.first + 1];
        }
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (const auto& arc : m_arcs)
        {
            m_edges.push_back(next[arc.first]++);
        }
        m_capacities.resize(m_arcs.size());
        m_left.resize(m_arcs.size());
        m_reverse.resize(m_arcs.size());
        for (std::size_t arc = 0; arc < m_arcs.size(); ++arc)
        {
            const std::size_t back = arc ^ 1U;
            m_reverse[m_edges[arc]] = Edge(m_arcs[back].first, m_edges[back]);
        }
    }

    uint32_t m_gpus;
    std::vector<std::size_t> m_firstArc;               //!< by expert
    std::vector<std::pair<uint32_t, uint32_t>> m_arcs; //!< from and to
    std::vector<uint32_t> m_edges;                     //!< number in the graph, by arc
    Graph m_graph;
    std::vector<Expert> m_experts;     //!< with several hosts
    std::vector<Edge> m_reverse;       //!< by edge
    std::vector<int64_t> m_capacities; //!< by edge
    std::vector<int64_t> m_left;       //!< by edge, after a flow
    int64_t m_total{0};                //!< total tokens
};

BalancedSplit::BalancedSplit(std::vector<std::vector<uint32_t>> hosts, uint32_t gpus)
    : m_hosts(std::move(hosts)),
      m_gpus(gpus)
{
}

BalancedSplit::~BalancedSplit() = default;

SplitResult
BalancedSplit::Split(const std::vector<uint64_t>& loads, const std::vector<uint64_t>& fixedLoads)
{
    const std::vector<uint64_t> fixed = AddUnsplittable(loads, fixedLoads);
    SplitResult result;
    result.largest = GetFlow().Find(loads, fixed, FindLowerBound(loads, fixed), kNoLimit).value();
    Network& network = GetNetwork();
    network.SetLoads(loads);
    if (!network.Fits(result.largest, fixed))
    {
        throw std::logic_error("a maximum flow falls short of what was found to suffice");
    }
    result.quota.resize(m_hosts.size());
    for (uint32_t expert = 0; expert < m_hosts.size(); ++expert)
    {
        const std::vector<uint32_t>& hosts = m_hosts[expert];
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            result.quota[expert].push_back(
                {hosts[i], hosts.size() > 1 ? network.GetFlow(expert, i) : loads[expert]});
        }
    }
    return result;
}

uint64_t
BalancedSplit::FindLargest(const std::vector<uint64_t>& loads)
{
    const std::vector<uint64_t> fixed = AddUnsplittable(loads, {});
    return GetFlow().Find(loads, fixed, FindLowerBound(loads, fixed), kNoLimit).value();
}

std::optional<uint64_t>
BalancedSplit::FindLargestBelow(uint64_t limit, const std::vector<uint64_t>& loads)
{
    const std::vector<uint64_t> fixed = AddUnsplittable(loads, {});
    const uint64_t bound = FindLowerBound(loads, fixed);
    // If even limit - 1 is infeasible, testing it first takes fewer rounds than rising to it.
    return bound < limit && GetFlow().Find(loads, fixed, limit - 1, limit)
               ? GetFlow().Find(loads, fixed, bound, limit)
               : std::nullopt;
}

MinMaxLoadFlow&
BalancedSplit::GetFlow()
{
    if (!m_flow)
    {
        m_flow = std::make_unique<MinMaxLoadFlow>(m_hosts, m_gpus);
    }
    return *m_flow;
}

BalancedSplit::Network&
BalancedSplit::GetNetwork()
{
    if (!m_network)
    {
        m_network = std::make_unique<Network>(m_hosts, m_gpus);
    }
    return *m_network;
}

/// \return loads by GPU that do not depend on the split: fixed loads, and experts with one host
std::vector<uint64_t>
BalancedSplit::AddUnsplittable(const std::vector<uint64_t>& loads,
                               const std::vector<uint64_t>& fixedLoads) const
{
    std::vector<uint64_t> fixed = fixedLoads;
    fixed.resize(m_gpus);
    for (uint32_t expert = 0; expert < m_hosts.size(); ++expert)
    {
        if (m_hosts[expert].empty() && loads[expert] > 0)
        {
            throw std::invalid_argument("expert " + std::to_string(expert) +
                                        " has tokens, but no GPU holds it");
        }
        if (m_hosts[expert].size() == 1)
        {
            fixed[m_hosts[expert].front()] += loads[expert];
        }
    }
    return fixed;
}

/// \return a lower bound of the largest load
uint64_t
BalancedSplit::FindLowerBound(const std::vector<uint64_t>& loads,
                              const std::vector<uint64_t>& fixedLoads) const
{
    uint64_t total = std::accumulate(fixedLoads.begin(), fixedLoads.end(), uint64_t{0});
    uint64_t bound = *std::max_element(fixedLoads.begin(), fixedLoads.end());
    for (uint32_t expert = 0; expert < m_hosts.size(); ++expert)
    {
        if (m_hosts[expert].size() > 1)
        {
            total += loads[expert];
            uint64_t ofHosts = loads[expert];
            for (const uint32_t host : m_hosts[expert])
            {
                ofHosts += fixedLoads[host];
            }
            bound = std::max(bound, DivideUp(ofHosts, m_hosts[expert].size()));
        }
    }
    return std::max(bound, DivideUp(total, m_gpus));
}

double
FindDensity(const std::vector<uint64_t>& loads,
            const std::vector<std::vector<uint32_t>>& hosts,
            uint32_t gpus)
{
    if (gpus > kMostGpusOfDensity)
    {
        throw std::invalid_argument("too many GPUs to enumerate their subsets");
    }
    const std::size_t sets = std::size_t{1} << gpus;
    std::vector<uint64_t> within(sets); // load by set; first of experts with exactly this set
    for (std::size_t expert = 0; expert < loads.size(); ++expert)
    {
        std::size_t set = 0;
        for (const uint32_t host : hosts[expert])
        {
            set |= std::size_t{1} << host;
        }
        within[set] += loads[expert];
    }
    for (std::size_t gpu = 1; gpu < sets; gpu *= 2)
    {
        for (std::size_t set = 0; set < sets; ++set)
        {
            within[set] += (set & gpu) != 0 ? within[set ^ gpu] : 0;
        }
    }
    double density = 0;
    for (std::size_t set = 1; set < sets; ++set)
    {
        std::size_t size = 0;
        for (std::size_t rest = set; rest != 0; rest &= rest - 1)
        {
            ++size;
        }
        density = std::max(density, static_cast<double>(within[set]) / static_cast<double>(size));
    }
    return density;
}

} // namespace ns3::rails
