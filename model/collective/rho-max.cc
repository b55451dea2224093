// SPDX-License-Identifier: GPL-2.0-only
#include "rho-max.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Rates that flows need of links, in bit/s, when hosts send at line rate.
class LinkLoads
{
  public:
    LinkLoads(const TrafficMatrix& traffic, GpuCluster& cluster)
        : m_cluster(cluster),
          m_shape(traffic.GetShape())
    {
        for (const Ptr<Switch>& at : cluster.GetSwitches())
        {
            m_switches[at->GetPorts().front()->GetIdentity().node] = PeekPointer(at);
        }
        for (uint32_t source = 0; source < m_shape.GetGpus(); ++source)
        {
            AddFlows(source, traffic.GetRow(source));
        }
        for (const auto& [edges, rate] : m_between)
        {
            Spread(edges.first, edges.second, rate);
        }
    }

    /// \return the largest load of a link in parts of its rate
    double GetLargest() const
    {
        double largest = 0;
        for (const auto& [port, rate] : m_rates)
        {
            largest = std::max(largest, rate / static_cast<double>(port->GetRateBps()));
        }
        return largest;
    }

  private:
    Port& GetNicPort(uint32_t gpu) const
    {
        const Ptr<GpuServer> server = m_cluster.GetServers()[m_shape.GetDomain(gpu)];
        return server->GetNic(m_shape.GetLocal(gpu)).GetPort();
    }

    uint32_t GetEdge(uint32_t gpu) const
    {
        const Port& down = GetNicPort(gpu).GetPeer();
        return m_switches.at(down.GetIdentity().node)->GetNumber();
    }

    bool IsAttached(uint32_t gpu) const
    {
        const Port& nic = GetNicPort(gpu);
        return nic.GetLink().IsUp() && nic.GetPeer().GetLink().IsUp();
    }

    bool AreJoined(uint32_t source, uint32_t destination) const
    {
        const uint32_t from = GetEdge(source);
        const uint32_t to = GetEdge(destination);
        return IsAttached(source) && IsAttached(destination) &&
               (from == to || !m_cluster.GetRouter().GetRoutes(from, to).empty());
    }

    // Flows between the same two edge switches share the same paths.
    void AddFlows(uint32_t source, const std::vector<Demand>& row)
    {
        const uint32_t from = GetEdge(source);
        std::vector<uint32_t> destinations;
        for (const Demand& demand : row)
        {
            if (m_shape.GetDomain(demand.destination) != m_shape.GetDomain(source) &&
                AreJoined(source, demand.destination))
            {
                destinations.push_back(demand.destination);
            }
        }
        const Port& nic = GetNicPort(source);
        for (const uint32_t destination : destinations)
        {
            const double rate = static_cast<double>(nic.GetRateBps()) / destinations.size();
            m_rates[&GetNicPort(destination).GetPeer()] += rate;
            const uint32_t to = GetEdge(destination);
            if (to != from)
            {
                m_between[{from, to}] += rate;
            }
        }
    }

    void Spread(uint32_t from, uint32_t to, double rate)
    {
        const std::vector<Route>& routes = m_cluster.GetRouter().GetRoutes(from, to);
        const double share = rate / static_cast<double>(routes.size());
        for (const Route& route : routes)
        {
            const Switch* at = PeekPointer(m_cluster.GetSwitches()[from]);
            for (uint32_t hop = 0; hop < route.length; ++hop)
            {
                const Port& port = *at->GetPorts()[route.ports[hop]];
                m_rates[&port] += share;
                at = m_switches.at(port.GetPeer().GetIdentity().node);
            }
        }
    }

    GpuCluster& m_cluster;
    ClusterShape m_shape;
    std::unordered_map<uint32_t, const Switch*> m_switches; // by ns-3 node
    std::map<std::pair<uint32_t, uint32_t>, double> m_between;
    std::unordered_map<const Port*, double> m_rates;
};

} // namespace

double
ComputeRhoMax(const TrafficMatrix& traffic, GpuCluster& cluster)
{
    // Sums of fractions may miss a whole link by a rounding error; that is not an overload.
    constexpr double kFull = 1 + 1e-9;
    const double largest = LinkLoads(traffic, cluster).GetLargest();
    return largest > kFull ? 1 / largest : 1;
}

} // namespace ns3::rails
