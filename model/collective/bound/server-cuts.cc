// SPDX-License-Identifier: GPL-2.0-only
#include "server-cuts.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edmonds_karp_max_flow.hpp>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

namespace ns3::rails
{

namespace
{

using Group = std::vector<bool>;
using Rate = ServerCuts::Rate;

/// Flow network of a server's links and NICs, from a group of GPUs outwards, or the reverse.
class CutNetwork
{
  public:
    /// \param toNetwork payload that each NIC carries at best
    CutNetwork(const ServerInterior& interior, uint64_t frame, const std::vector<Rate>& toNetwork)
        : m_interior(interior),
          m_firstNic(static_cast<uint32_t>(kFirstLink + 2 * interior.GetLinks().size())),
          m_graph(m_firstNic + toNetwork.size())
    {
        for (uint32_t link = 0; link < interior.GetLinks().size(); ++link)
        {
            AddArc(GetBegin(link),
                   GetBegin(link) + 1,
                   Rate(interior.GetLinks()[link].rateBps) * frame);
        }
        for (uint32_t rail = 0; rail < toNetwork.size(); ++rail)
        {
            AddArc(m_firstNic + rail, kOutside, toNetwork[rail]);
        }
    }

    /// \return best rate out of a group (sends) or into it
    Rate GetLargestFlow(const Group& group, bool sends)
    {
        const auto gpus = static_cast<uint32_t>(group.size());
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            for (uint32_t end = 0; group[gpu] && end < m_interior.GetEnds(); ++end)
            {
                if (end >= gpus || !group[end])
                {
                    AddWay(gpu, end, sends, end < gpus ? kOutside : m_firstNic + end - gpus);
                }
            }
        }
        return boost::edmonds_karp_max_flow(m_graph, kGroup, kOutside);
    }

  private:
    using Vertices = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
    using Graph = boost::adjacency_list<
        boost::vecS,
        boost::vecS,
        boost::directedS,
        boost::no_property,
        boost::property<
            boost::edge_capacity_t,
            Rate,
            boost::property<boost::edge_residual_capacity_t,
                            Rate,
                            boost::property<boost::edge_reverse_t, Vertices::edge_descriptor>>>>;

    static constexpr uint32_t kGroup = 0;
    static constexpr uint32_t kOutside = 1;
    static constexpr uint32_t kFirstLink = 2; // two vertices for each link

    static uint32_t GetBegin(uint32_t link)
    {
        return kFirstLink + 2 * link;
    }

    void AddArc(uint32_t from, uint32_t to, const Rate& capacity)
    {
        const auto there = add_edge(from, to, capacity, m_graph).first;
        const auto back = add_edge(to, from, Rate(0), m_graph).first;
        put(boost::edge_reverse, m_graph, there, back);
        put(boost::edge_reverse, m_graph, back, there);
    }

    /// Adds the links of a direct hop from a GPU to an end, or the reverse. The flow always runs
    /// from the group outwards, also through the links of incoming traffic.
    void AddWay(uint32_t gpu, uint32_t end, bool sends, uint32_t vertex)
    {
        const Rate unlimited = Rate(1) << 120;
        const uint32_t number =
            sends ? m_interior.GetFirstHop(gpu, end) : m_interior.GetFirstHop(end, gpu);
        if (number == ServerInterior::kNone)
        {
            AddArc(kGroup, vertex, unlimited);
            return;
        }
        const ServerInterior::Hop& hop = m_interior.GetHop(number);
        if (hop.to != (sends ? end : gpu))
        {
            return; // the path leads through another GPU
        }
        std::vector<uint32_t> links = hop.links;
        if (hop.to >= m_interior.GetLayout().GetGpus())
        {
            std::rotate(links.begin(), links.begin() + 1, links.end()); // the NIC's link is last
        }
        if (!sends)
        {
            std::reverse(links.begin(), links.end());
        }
        uint32_t at = kGroup;
        for (const uint32_t link : links)
        {
            AddArc(at, GetBegin(link), unlimited);
            at = GetBegin(link) + 1;
        }
        AddArc(at, vertex, unlimited);
    }

    const ServerInterior& m_interior;
    uint32_t m_firstNic;
    Graph m_graph;
};

/// \return by link, the GPUs whose direct paths to other ends of the server use it
std::map<uint32_t, Group>
FindUsers(const ServerInterior& interior)
{
    const uint32_t gpus = interior.GetLayout().GetGpus();
    std::map<uint32_t, Group> users;
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        for (uint32_t end = 0; end < interior.GetEnds(); ++end)
        {
            const uint32_t hop = interior.GetFirstHop(gpu, end);
            if (hop == ServerInterior::kNone || interior.GetHop(hop).to != end)
            {
                continue;
            }
            for (const uint32_t link : interior.GetHop(hop).links)
            {
                Group& group = users.try_emplace(link, gpus, false).first->second;
                group[gpu] = true;
            }
        }
    }
    return users;
}

/// \return the groups of ServerCuts
std::vector<Group>
FindGroups(const ServerInterior& interior)
{
    if (!interior.HasPcie())
    {
        return {};
    }
    std::set<Group> groups{Group(interior.GetLayout().GetGpus(), true)};
    for (auto& [number, group] : FindUsers(interior))
    {
        const ServerInterior::Link& link = interior.GetLinks()[number];
        if (link.kind == ServerInterior::LinkKind::NvlinkIn)
        {
            group[link.gpu] = true;
        }
        if (link.gpu == ServerInterior::kNone || link.kind == ServerInterior::LinkKind::NvlinkIn)
        {
            groups.insert(group);
        }
    }
    std::vector<Group> found;
    std::copy_if(groups.begin(), groups.end(), std::back_inserter(found), [](const Group& group) {
        const auto gpus = std::count(group.begin(), group.end(), true);
        return gpus > 1 || gpus == static_cast<std::ptrdiff_t>(group.size());
    });
    return found;
}

} // namespace

ServerCuts::ServerCuts(const ClusterShape& shape, const ClusterSpeeds& speeds)
    : m_shape(shape),
      m_groups(FindGroups(*speeds.interior))
{
    const FrameFormat& frames = speeds.frames;
    const uint64_t frame = frames.GetDataWire(frames.mtu, 1);
    std::vector<Group> all(shape.gpusPerServer, Group(shape.gpusPerServer, false));
    for (uint32_t gpu = 0; gpu < shape.gpusPerServer; ++gpu)
    {
        all[gpu][gpu] = true;
    }
    all.insert(all.end(), m_groups.begin(), m_groups.end());
    std::map<std::vector<Rate>, std::size_t> kinds;
    for (uint32_t server = 0; server < shape.servers; ++server)
    {
        std::vector<Rate> toNetwork;
        for (uint32_t rail = 0; rail < shape.nicsPerServer; ++rail)
        {
            toNetwork.push_back(Rate(GetNicRate(speeds, shape, shape.GetNic(server, rail))) *
                                frames.mtu);
        }
        const auto [kind, isNew] = kinds.try_emplace(toNetwork, m_rates.size());
        m_kinds.push_back(kind->second);
        if (!isNew)
        {
            continue;
        }
        const Rate allNics = std::accumulate(toNetwork.begin(), toNetwork.end(), Rate(0));
        std::vector<Rate>& rates = m_rates.emplace_back();
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            for (const bool sends : {false, true})
            {
                const Rate rate =
                    CutNetwork(*speeds.interior, frame, toNetwork).GetLargestFlow(all[i], sends);
                rates.push_back(i >= shape.gpusPerServer && rate == allNics ? Rate(0) : rate);
            }
        }
    }
}

const ServerCuts::Rate&
ServerCuts::GetGpuRate(uint32_t gpu, bool sends) const
{
    return m_rates[m_kinds[m_shape.GetServer(gpu)]][2 * m_shape.GetLocal(gpu) + sends];
}

std::size_t
ServerCuts::CountGroups() const
{
    return m_kinds.size() * m_groups.size();
}

uint32_t
ServerCuts::GetServer(std::size_t group) const
{
    return static_cast<uint32_t>(group / m_groups.size());
}

const ServerCuts::Rate&
ServerCuts::GetGroupRate(std::size_t group, bool sends) const
{
    const std::size_t number = m_shape.gpusPerServer + group % m_groups.size();
    return m_rates[m_kinds[GetServer(group)]][2 * number + sends];
}

} // namespace ns3::rails
