// SPDX-License-Identifier: GPL-2.0-only
#include "expert-planning.h"

#include "ns3/expert-states.h"
#include "ns3/plan-figures.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ns3::rails
{

namespace
{

using Clock = std::chrono::steady_clock;

double
GetSecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

} // namespace

ExpertPlanning::ExpertPlanning(const Ptr<ExpertPolicy>& policy,
                               const ExpertSetting& setting,
                               PlanningScope scope)
    : m_setting(setting),
      m_scope(std::move(scope)),
      m_policy(policy, setting, static_cast<uint32_t>(m_scope.members.size()))
{
    std::size_t layers = 0;
    for (uint32_t stage = 0; stage < m_scope.layers.size(); ++stage)
    {
        m_firstOf.push_back(layers);
        layers += m_scope.layers[stage].size();
        for (const uint32_t group : m_scope.groups[stage])
        {
            for (uint32_t place = 0; place < m_scope.layers[stage].size(); ++place)
            {
                m_sites.push_back({stage, group, place, m_scope.layers[stage][place]});
            }
        }
    }
    std::stable_sort(m_sites.begin(), m_sites.end(), [this](const auto& one, const auto& other) {
        return m_scope.isByLayer ? one.layer < other.layer : one.group < other.group;
    });
}

void
ExpertPlanning::Run(PlanningClient& client)
{
    m_policy.Start();
    for (uint32_t stage = 0; stage < m_scope.layers.size(); ++stage)
    {
        for (uint32_t place = 0; place < m_scope.layers[stage].size(); ++place)
        {
            m_placed.push_back(ListHosts(stage, place));
        }
    }
    for (uint32_t iteration = 0; iteration < m_scope.end; ++iteration)
    {
        client.TakeMoves(iteration, Move());
        for (uint32_t microbatch = 0; microbatch < m_setting.microbatches; ++microbatch)
        {
            for (const PlanningSite& site : m_sites)
            {
                if (!Plan(site, {iteration, site.layer, microbatch, 0}, client))
                {
                    return;
                }
            }
        }
        m_policy.EndIteration();
        client.EndIteration(iteration);
    }
}

/// \return current hosts by expert, in all groups of a stage
ExpertPlanning::Hosts
ExpertPlanning::ListHosts(uint32_t stage, uint32_t place) const
{
    Hosts hosts(m_setting.experts);
    for (const uint32_t group : m_scope.groups[stage])
    {
        m_policy.AddHosts(group, place, m_scope.members[group], hosts);
    }
    return hosts;
}

std::vector<LayerMoves>
ExpertPlanning::Move()
{
    std::vector<LayerMoves> moves(m_placed.size());
    for (const PlanningSite& site : m_sites)
    {
        LayerMoves& ofLayer = moves[m_firstOf[site.stage] + site.place];
        const Clock::time_point begin = Clock::now();
        std::vector<ExpertTransfer> own = m_policy.BeginIteration(site.group, site.place);
        ofLayer.seconds = std::max(ofLayer.seconds, GetSecondsSince(begin));
        Renumber(own, m_scope.members[site.group]);
        ofLayer.transfers.insert(ofLayer.transfers.end(), own.begin(), own.end());
    }
    // Hosts of all groups of a stage divide the states of an expert.
    ClusterView cluster;
    cluster.gpusPerServer = m_scope.gpusPerServer;
    for (uint32_t stage = 0; stage < m_scope.layers.size(); ++stage)
    {
        for (uint32_t place = 0; place < m_scope.layers[stage].size(); ++place)
        {
            const std::size_t at = m_firstOf[stage] + place;
            Hosts now = ListHosts(stage, place);
            for (uint32_t expert = 0; expert < now.size(); ++expert)
            {
                const std::vector<ExpertTransfer> states = MoveStates(cluster,
                                                                      expert,
                                                                      m_setting.stateBytes,
                                                                      m_placed[at][expert],
                                                                      now[expert]);
                moves[at].transfers.insert(moves[at].transfers.end(), states.begin(), states.end());
            }
            m_placed[at] = std::move(now);
        }
    }
    return moves;
}

/// \return false for an invalid plan
bool
ExpertPlanning::Plan(const PlanningSite& site, const LoadPlace& place, PlanningClient& client)
{
    const TokenCounts& counts = client.Draw(site, place);
    const bool isBehind = place.iteration >= m_scope.run.GetEnd();
    if (isBehind && !(m_scope.plansBehind && place.microbatch == 0))
    {
        m_policy.Remember(site.group, site.place, counts); // only moves count after the run
        return true;
    }
    const Clock::time_point begin = Clock::now();
    ExpertPlan plan = m_policy.Plan(site.group, site.place, counts);
    const double seconds = GetSecondsSince(begin);
    m_policy.Remember(site.group, site.place, counts);
    const std::string defect = FindDefect(m_setting, counts, plan);
    if (!defect.empty())
    {
        client.Reject(place, defect);
        return false;
    }
    client.TakePlan(site, place, counts, std::move(plan), seconds);
    return true;
}

} // namespace ns3::rails
