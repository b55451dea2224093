// SPDX-License-Identifier: GPL-2.0-only
#include "rho-max.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

/// Load of links in bit/s when hosts send at line rate.
class LinkLoads
{
  public:
    LinkLoads(const TrafficMatrix& traffic, const Router& router)
        : m_router(router),
          m_wiring(router.GetWiring()),
          m_shape(traffic.GetShape()),
          m_up(m_wiring.GetCables().size()),
          m_down(m_wiring.GetCables().size())
    {
        for (uint32_t source = 0; source < m_shape.GetGpus(); ++source)
        {
            AddFlows(source, traffic.GetRow(source));
        }
        for (const auto& [edges, rate] : m_between)
        {
            Spread(edges.first, edges.second, rate);
        }
    }

    /// \return the largest load of a link, relative to its rate
    double GetLargest() const
    {
        double largest = 0;
        for (std::size_t cable = 0; cable < m_up.size(); ++cable)
        {
            const auto rateBps = static_cast<double>(m_wiring.GetCables()[cable].rateBps);
            largest = std::max(largest, std::max(m_up[cable], m_down[cable]) / rateBps);
        }
        return largest;
    }

  private:
    bool AreJoined(uint32_t source, uint32_t destination) const
    {
        const uint32_t from = m_wiring.GetEdge(source);
        const uint32_t to = m_wiring.GetEdge(destination);
        return m_wiring.GetCables()[source].isUp && m_wiring.GetCables()[destination].isUp &&
               (from == to || !m_router.GetRoutes(from, to).empty());
    }

    // Flows between the same two edge switches share the same paths.
    void AddFlows(uint32_t source, const std::vector<Demand>& row)
    {
        const uint32_t from = m_wiring.GetEdge(source);
        std::vector<uint32_t> destinations;
        for (const Demand& demand : row)
        {
            if (m_shape.GetServer(demand.destination) != m_shape.GetServer(source) &&
                AreJoined(source, demand.destination))
            {
                destinations.push_back(demand.destination);
            }
        }
        const auto nicRateBps = static_cast<double>(m_wiring.GetCables()[source].rateBps);
        for (const uint32_t destination : destinations)
        {
            const double rate = nicRateBps / static_cast<double>(destinations.size());
            m_down[destination] += rate;
            const uint32_t to = m_wiring.GetEdge(destination);
            if (to != from)
            {
                m_between[{from, to}] += rate;
            }
        }
    }

    void Spread(uint32_t from, uint32_t to, double rate)
    {
        const std::vector<Route>& routes = m_router.GetRoutes(from, to);
        const double share = rate / static_cast<double>(routes.size());
        for (const Route& route : routes)
        {
            uint32_t at = from;
            for (uint32_t hop = 0; hop < route.length; ++hop)
            {
                const uint32_t cable = m_wiring.GetSwitches()[at].cables[route.ports[hop]];
                const bool isUp = m_wiring.GetCables()[cable].lower == at;
                (isUp ? m_up : m_down)[cable] += share;
                at = m_router.GetNeighbour(at, route.ports[hop]);
            }
        }
    }

    const Router& m_router;
    const Wiring& m_wiring;
    ClusterShape m_shape;
    std::map<std::pair<uint32_t, uint32_t>, double> m_between; // rate by edge switches
    std::vector<double> m_up;   // by link: load towards its upper end
    std::vector<double> m_down; // by link: load towards its lower end
};

} // namespace

double
ComputeRhoMax(const TrafficMatrix& traffic, const Router& router)
{
    // Sums of fractions may miss a whole link by a rounding error; that is not an overload.
    constexpr double kFull = 1 + 1e-9;
    const double largest = LinkLoads(traffic, router).GetLargest();
    return largest > kFull ? 1 / largest : 1;
}

} // namespace ns3::rails
