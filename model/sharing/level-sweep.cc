// SPDX-License-Identifier: GPL-2.0-only
#include "level-sweep.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ns3::rails
{

namespace
{

/// A resource of which more than this part is left is not full.
constexpr double kFull = 1e-12;

/// A level that moved by less than this part is left as it was.
constexpr double kSame = 1e-13;

/// So many levels for each resource whose level changed are more than any sweep needs; some more,
/// for small ones.
constexpr uint64_t kMostLevels = 16;
constexpr uint64_t kSomeLevels = 1000;

/// \return the rate at which flows of a weight take all the room that a resource has for them
double
FindFullLevel(const SharingGraph::Share& share, double room, double weight)
{
    return share.limit == 0 ? 0 : std::max(room / weight, 0.0); // of nothing, roundings are nothing
}

} // namespace

LevelSweep::LevelSweep(SharingGraph& graph)
    : m_graph(graph)
{
}

void
LevelSweep::SetPrecision(double relative)
{
    m_precision = std::max(relative, kRates);
}

/**
 * \param weight of what a resource holds back, which has its level
 * \param room what there is for that
 * \return whether it would gain or lose from what is left, or missing
 */
bool
LevelSweep::Matters(const Share& share, double weight, double room) const
{
    const double held = weight * share.level;
    const double much = std::fabs(room - held);
    return much > kFull * share.limit &&
           (much > m_precision * share.limit || much > m_precision * held);
}

/**
 * \param level is set to the rate at which a resource is full, if whatever passes it keeps its rate
 * \return false when it may stay as it is
 */
bool
LevelSweep::FindLevel(uint32_t number, double& level) const
{
    const Share& share = m_graph.GetShare(number);
    const SharingGraph::Resource& resource = m_graph.GetResource(number);
    const double room = share.passing.TakeFrom(share.limit);
    const double weight = share.weight.Get() + share.open;
    if (weight > 0)
    {
        level = FindFullLevel(share, room, weight);
        const double excess = room - m_reached * weight;
        if (std::fabs(excess) <= kTie * share.limit)
        {
            level = m_reached;
        }
        return resource.open > 0 || share.fastest > share.level * (1 + m_precision) ||
               Matters(share, weight, room);
    }
    level = 0;
    return room < -m_precision * share.limit;
}

void
LevelSweep::Look(uint32_t resource)
{
    if (resource >= m_places.size())
    {
        m_places.resize(m_graph.GetResources().size(), KeyedHeap<double>::kOutside);
    }
    double level = 0;
    // One whose level rises is left where it is: that is found when its turn comes.
    if (FindLevel(resource, level) && (m_places[resource] == KeyedHeap<double>::kOutside ||
                                       level < m_levels.GetKey(resource, m_places)))
    {
        m_levels.Set(resource, level, m_places);
    }
}

bool
LevelSweep::Run()
{
    return FindAll(true);
}

void
LevelSweep::Restart()
{
    ++m_statistics.restarts;
    m_graph.OpenAll();
    for (uint32_t resource = 0; resource < m_graph.GetResources().size(); ++resource)
    {
        Look(resource);
    }
    FindAll(false); // levels are found once then
}

/// \return false when it gave up
bool
LevelSweep::FindAll(bool mayGiveUp)
{
    uint64_t found = 0;
    bool isEndless = false;
    while (!m_levels.IsEmpty() && !isEndless)
    {
        const uint32_t resource = m_levels.GetLeast();
        double level = 0;
        if (!FindLevel(resource, level))
        {
            m_levels.Remove(resource, m_places);
            continue;
        }
        level = FindLocalLevel(resource, level);
        m_levels.Set(resource, level, m_places);
        if (m_levels.GetLeast() != resource)
        {
            continue; // others come first
        }
        m_levels.Remove(resource, m_places);
        Reach(resource, level);
        ++m_statistics.levels;
        isEndless = ++found > kSomeLevels + kMostLevels * m_graph.CountNoted() && mayGiveUp;
    }
    m_levels.Clear(m_places);
    m_reached = 0; // whoever is looked at next comes before all that was found
    return !isEndless;
}

/**
 * \param level at which a resource is full if whatever passes it keeps its rate
 * \return at which it is full if nothing that passes it is faster than that; those that are to be
 * slower for that are in m_fast then
 */
double
LevelSweep::FindLocalLevel(uint32_t number, double level)
{
    m_fast.clear();
    const Share& share = m_graph.GetShare(number);
    m_fastest = share.fastest;
    if (!(share.fastest > level * (1 + m_precision)))
    {
        return level;
    }
    m_fastest = 0;
    PreciseSum slow; // what those take that are not; whatever the fast ones took, it is forgotten
    m_graph.ForEachPassing(number, [&](const Member& member) {
        const FlowClass& flowClass = m_graph.GetClass(member.flowClass);
        const double weight = flowClass.weight * m_graph.GetIncidence(member.incidence).share;
        const double rate = m_graph.GetRate(flowClass);
        if (rate > level)
        {
            m_fast.push_back({member, rate, weight});
            return;
        }
        m_fastest = std::max(m_fastest, rate);
        slow.Add(weight * rate);
    });
    const double weight = share.weight.Get() + share.open;
    for (std::size_t fast = 0; fast != m_fast.size() && !m_fast.empty();)
    {
        fast = m_fast.size();
        PreciseSum weights;
        for (const Fast& each : m_fast)
        {
            weights.Add(each.weight);
        }
        // Each time some more turn out to be slow: the level rises towards what it will be.
        level = FindFullLevel(share, slow.TakeFrom(share.limit), weight + weights.Get());
        const auto drop = [&](const Fast& each) {
            const bool isSlow = each.rate <= level * (1 + kSame);
            m_fastest = isSlow ? std::max(m_fastest, each.rate) : m_fastest;
            slow.Add(isSlow ? each.weight * each.rate : 0);
            return isSlow;
        };
        m_fast.erase(std::remove_if(m_fast.begin(), m_fast.end(), drop), m_fast.end());
    }
    return level;
}

/// What a resource holds back has a level from now on, and so have those that it stops. Of levels
/// that are the same but for rounding one is taken that others have: who is alike stays alike.
void
LevelSweep::Reach(uint32_t resource, double level)
{
    const double before = m_graph.GetShare(resource).level;
    for (const double known : {m_fastest, m_graph.GetResource(resource).told, before})
    {
        level = std::fabs(level - known) <= kSame * level ? known : level;
    }
    m_reached = level;
    if (level != before)
    {
        m_graph.SetLevel(resource, level, [this, level](uint32_t taken) {
            Share& share = m_graph.GetShare(taken);
            share.fastest = std::max(share.fastest, level);
            Look(taken);
        });
        m_statistics.touchedClasses += m_graph.GetResource(resource).held;
    }
    m_graph.GetShare(resource).fastest = m_fastest;
    for (const Fast& fast : m_fast)
    {
        const uint32_t holder = m_graph.GetClass(fast.member.flowClass).holder;
        Hold(fast.member, level);
        NotePassing(holder, level);
        ++m_statistics.moves;
    }
    m_graph.ForEachOpen(resource, [&](const Member& member) { Hold(member, level); });
    LookNear();
}

/// A class that was too fast for a resource, or had no rate, is held back there from now on.
void
LevelSweep::Hold(const Member& member, double level)
{
    m_graph.SetBottleneck(member.flowClass, member.incidence);
    const FlowClass& flowClass = m_graph.GetClass(member.flowClass);
    for (const Incidence& use : m_graph.GetUses(flowClass))
    {
        if (use.resource != flowClass.holder)
        {
            NotePassing(use.resource, level);
        }
    }
    ++m_statistics.touchedClasses;
}

/// Something changed of what passes a resource.
void
LevelSweep::NotePassing(uint32_t number, double rate)
{
    Share& share = m_graph.GetShare(number);
    share.fastest = std::max(share.fastest, rate);
    SharingGraph::Resource& resource = m_graph.GetResource(number);
    if (!resource.near)
    {
        resource.near = true;
        m_near.push_back(number);
    }
}

void
LevelSweep::LookNear()
{
    for (const uint32_t number : m_near)
    {
        m_graph.GetResource(number).near = false;
        Look(number);
    }
    m_near.clear();
}

} // namespace ns3::rails
