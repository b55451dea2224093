// SPDX-License-Identifier: GPL-2.0-only
#include "replica-links.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr uint32_t kUnknown = std::numeric_limits<uint32_t>::max();

/// Finds the counterparts of switches and of their links, from the NICs upwards.
class Climb
{
  public:
    Climb(const Wiring& wiring, const ReplicaFold& fold)
        : m_wiring(wiring),
          m_fold(fold),
          m_switches(wiring.GetSwitches().size(), kUnknown),
          m_below(wiring.GetSwitches().size()),
          m_cables(wiring.GetCables().size(), kUnknown)
    {
    }

    /// \return true when all switches and links have counterparts
    bool Go()
    {
        for (uint32_t nic = 0; nic < m_wiring.GetShape().GetNics(); ++nic)
        {
            if (!TakeNic(nic))
            {
                return false;
            }
        }
        // Once for each tier.
        for (std::set<uint32_t> tier(m_wiring.GetEdges().begin(), m_wiring.GetEdges().end());
             !tier.empty();)
        {
            std::set<uint32_t> above;
            for (const uint32_t lower : tier)
            {
                if (!TakeSwitch(lower, above))
                {
                    return false;
                }
            }
            tier = std::move(above);
        }
        return true;
    }

    std::vector<uint32_t> TakeCables()
    {
        return std::move(m_cables);
    }

    bool IsShared(uint32_t cable) const
    {
        const Cable& which = m_wiring.GetCables()[cable];
        return !which.isNic && m_below[which.lower].size() > 1;
    }

  private:
    bool TakeNic(uint32_t nic)
    {
        const ClusterShape& shape = m_wiring.GetShape();
        const uint32_t server = shape.GetNicServer(nic);
        const uint32_t other = shape.GetNic(m_fold.FindComputedServer(server), shape.GetRail(nic));
        const uint32_t edge = m_wiring.GetEdge(nic);
        m_below[edge].insert(m_fold.GetReplica(server * shape.gpusPerServer));
        return Pair(nic, other) && Match(m_switches[edge], m_wiring.GetEdge(other));
    }

    /// \param above gets the switches at the other ends of its uplinks
    bool TakeSwitch(uint32_t lower, std::set<uint32_t>& above)
    {
        const std::vector<uint32_t> own = ListUp(lower);
        const std::vector<uint32_t> its = ListUp(m_switches[lower]);
        const std::set<uint32_t>& below = m_below[lower];
        if (own.size() != its.size() || (below.size() > 1 && below.size() < m_fold.CountReplicas()))
        {
            return false;
        }
        for (std::size_t i = 0; i < own.size(); ++i)
        {
            const uint32_t upper = m_wiring.GetCables()[own[i]].upper;
            if (!Pair(own[i], its[i]) ||
                !Match(m_switches[upper], m_wiring.GetCables()[its[i]].upper))
            {
                return false;
            }
            m_below[upper].insert(below.begin(), below.end());
            above.insert(upper);
        }
        return true;
    }

    /// \return uplinks of a switch
    std::vector<uint32_t> ListUp(uint32_t lower) const
    {
        std::vector<uint32_t> cables = m_wiring.GetSwitches()[lower].cables;
        cables.erase(std::remove_if(cables.begin(),
                                    cables.end(),
                                    [&](uint32_t number) {
                                        const Cable& cable = m_wiring.GetCables()[number];
                                        return cable.isNic || cable.lower != lower;
                                    }),
                     cables.end());
        return cables;
    }

    bool Pair(uint32_t cable, uint32_t other)
    {
        const Cable& own = m_wiring.GetCables()[cable];
        const Cable& its = m_wiring.GetCables()[other];
        return Match(m_cables[cable], other) && own.kind == its.kind &&
               own.rateBps == its.rateBps && own.isUp == its.isUp;
    }

    /// Sets a counterpart. \return false when this contradicts an earlier call
    static bool Match(uint32_t& known, uint32_t said)
    {
        known = known == kUnknown ? said : known;
        return known == said;
    }

    const Wiring& m_wiring;
    const ReplicaFold& m_fold;
    std::vector<uint32_t> m_switches;        //!< counterparts, by switch
    std::vector<std::set<uint32_t>> m_below; //!< replicas with NICs below, by switch
    std::vector<uint32_t> m_cables;          //!< counterparts, by link
};

} // namespace

std::optional<ReplicaLinks>
ReplicaLinks::Find(const Wiring& wiring, const ReplicaFold& fold)
{
    Climb climb(wiring, fold);
    if (!climb.Go())
    {
        return std::nullopt;
    }
    ReplicaLinks cables;
    for (uint32_t cable = 0; cable < wiring.GetCables().size(); ++cable)
    {
        cables.m_isShared.push_back(climb.IsShared(cable));
    }
    cables.m_counterparts = climb.TakeCables();
    for (uint32_t cable = 0; cable < cables.m_counterparts.size(); ++cable)
    {
        uint32_t& counterpart = cables.m_counterparts[cable];
        counterpart = counterpart == kUnknown ? cable : counterpart; // no NIC is below it
    }
    return cables;
}

void
ReplicaLinks::Narrow(Wiring& wiring, const ReplicaFold& fold) const
{
    wiring.PrepareChange();
    for (uint32_t cable = 0; cable < m_isShared.size(); ++cable)
    {
        if (m_isShared[cable])
        {
            wiring.SetRate(cable,
                           wiring.GetCables()[cable].rateBps * ReplicaFold::kComputed /
                               fold.CountReplicas());
        }
    }
}

} // namespace ns3::rails
