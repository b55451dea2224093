// SPDX-License-Identifier: GPL-2.0-only
#include "incremental-water-filling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ns3::rails
{

namespace
{

/// A constraint with more than this part of its capacity left is not full.
constexpr double kFull = 1e-12;

/// A fair share keeps its value when it would change by less than this part.
constexpr double kSame = 1e-13;

/// Run() gives up after this number of fair shares for each constraint whose fair share changed,
/// and a constant for small systems.
constexpr uint64_t kMostFairShares = 16;
constexpr uint64_t kSomeFairShares = 1000;

/// \return the rate at which variables of a weight fill a constraint
double
FindFullFairShare(const MaxMinSystem::ConstraintState& share, double room, double weight)
{
    return share.limit == 0 ? 0
                            : std::max(room / weight, 0.0); // no rounding errors without capacity
}

} // namespace

IncrementalWaterFilling::IncrementalWaterFilling(MaxMinSystem& system)
    : m_system(system)
{
}

void
IncrementalWaterFilling::SetPrecision(double relative)
{
    m_precision = std::max(relative, kRates);
}

/**
 * \param weight of the variables bottlenecked at a constraint
 * \param room capacity left to these variables
 * \return true when the difference between room and their present use exceeds the precision
 */
bool
IncrementalWaterFilling::IsRelevant(const ConstraintState& share, double weight, double room) const
{
    const double bottlenecked = weight * share.fairShare;
    const double much = std::fabs(room - bottlenecked);
    return much > kFull * share.limit &&
           (much > m_precision * share.limit || much > m_precision * bottlenecked);
}

/**
 * \param fairShare set to the rate at which the constraint is full if all passing variables keep
 * their rates
 * \return false when the present fair share may stay
 */
bool
IncrementalWaterFilling::FindFairShare(uint32_t number, double& fairShare) const
{
    const ConstraintState& share = m_system.GetState(number);
    const MaxMinSystem::Constraint& constraint = m_system.GetConstraint(number);
    const double room = share.passing.TakeFrom(share.limit);
    const double weight = share.weight.Get() + share.unfrozen;
    if (weight > 0)
    {
        fairShare = FindFullFairShare(share, room, weight);
        const double excess = room - m_lastFairShare * weight;
        if (std::fabs(excess) <= kTie * share.limit)
        {
            fairShare = m_lastFairShare;
        }
        return constraint.unfrozen > 0 || share.fastest > share.fairShare * (1 + m_precision) ||
               IsRelevant(share, weight, room);
    }
    fairShare = 0;
    return room < -m_precision * share.limit;
}

void
IncrementalWaterFilling::Examine(uint32_t constraint)
{
    if (constraint >= m_places.size())
    {
        m_places.resize(m_system.GetConstraints().size(), KeyedHeap<double>::kOutside);
    }
    double fairShare = 0;
    // A rise is found when the constraint is taken from the queue.
    if (FindFairShare(constraint, fairShare) &&
        (m_places[constraint] == KeyedHeap<double>::kOutside ||
         fairShare < m_queue.GetKey(constraint, m_places)))
    {
        m_queue.Set(constraint, fairShare, m_places);
    }
}

bool
IncrementalWaterFilling::Run()
{
    return FindAll(true);
}

void
IncrementalWaterFilling::Restart()
{
    ++m_statistics.restarts;
    m_system.UnfreezeAll();
    for (uint32_t constraint = 0; constraint < m_system.GetConstraints().size(); ++constraint)
    {
        Examine(constraint);
    }
    FindAll(false); // each fair share is computed once then
}

/// \return false when it gave up
bool
IncrementalWaterFilling::FindAll(bool mayGiveUp)
{
    uint64_t found = 0;
    bool isEndless = false;
    while (!m_queue.IsEmpty() && !isEndless)
    {
        const uint32_t constraint = m_queue.GetLeast();
        double fairShare = 0;
        if (!FindFairShare(constraint, fairShare))
        {
            m_queue.Remove(constraint, m_places);
            continue;
        }
        fairShare = FindLocalFairShare(constraint, fairShare);
        m_queue.Set(constraint, fairShare, m_places);
        if (m_queue.GetLeast() != constraint)
        {
            continue; // another constraint has a lower fair share
        }
        m_queue.Remove(constraint, m_places);
        Saturate(constraint, fairShare);
        ++m_statistics.fairShares;
        isEndless =
            ++found > kSomeFairShares + kMostFairShares * m_system.CountChanged() && mayGiveUp;
    }
    m_queue.Clear(m_places);
    m_lastFairShare = 0; // the next run starts below all fair shares
    return !isEndless;
}

/**
 * \param fairShare at which the constraint is full if all passing variables keep their rates
 * \return the fair share at which it is full when no passing variable may be faster; m_fast lists
 * the variables to slow down
 */
double
IncrementalWaterFilling::FindLocalFairShare(uint32_t number, double fairShare)
{
    m_fast.clear();
    const ConstraintState& share = m_system.GetState(number);
    m_fastest = share.fastest;
    if (!(share.fastest > fairShare * (1 + m_precision)))
    {
        return fairShare;
    }
    m_fastest = 0;
    PreciseSum slow; // use by slow passing variables; the present use by fast ones does not count
    m_system.ForEachPassing(number, [&](const Member& member) {
        const Variable& variable = m_system.GetVariable(member.variable);
        const double weight = variable.weight * m_system.GetElement(member.element).share;
        const double rate = m_system.GetRate(variable);
        if (rate > fairShare)
        {
            m_fast.push_back({member, rate, weight});
            return;
        }
        m_fastest = std::max(m_fastest, rate);
        slow.Add(weight * rate);
    });
    const double weight = share.weight.Get() + share.unfrozen;
    for (std::size_t fast = 0; fast != m_fast.size() && !m_fast.empty();)
    {
        fast = m_fast.size();
        PreciseSum weights;
        for (const Fast& each : m_fast)
        {
            weights.Add(each.weight);
        }
        // The fair share rises with each round, as more variables are slower than it.
        fairShare = FindFullFairShare(share, slow.TakeFrom(share.limit), weight + weights.Get());
        const auto drop = [&](const Fast& each) {
            const bool isSlow = each.rate <= fairShare * (1 + kSame);
            m_fastest = isSlow ? std::max(m_fastest, each.rate) : m_fastest;
            slow.Add(isSlow ? each.weight * each.rate : 0);
            return isSlow;
        };
        m_fast.erase(std::remove_if(m_fast.begin(), m_fast.end(), drop), m_fast.end());
    }
    return fairShare;
}

/// Sets the fair share of a constraint, and makes it the bottleneck of its fast and unfrozen
/// variables. When it differs only by rounding from its previous value or from the rate of a
/// passing variable, it takes that value, so that symmetric constraints stay equal.
void
IncrementalWaterFilling::Saturate(uint32_t constraint, double fairShare)
{
    const double before = m_system.GetState(constraint).fairShare;
    for (const double known : {m_fastest, m_system.GetConstraint(constraint).reported, before})
    {
        fairShare = std::fabs(fairShare - known) <= kSame * fairShare ? known : fairShare;
    }
    m_lastFairShare = fairShare;
    if (fairShare != before)
    {
        m_system.SetFairShare(constraint, fairShare, [this, fairShare](uint32_t taken) {
            ConstraintState& share = m_system.GetState(taken);
            share.fastest = std::max(share.fastest, fairShare);
            Examine(taken);
        });
        m_statistics.changedVariables += m_system.GetConstraint(constraint).bottlenecked;
    }
    m_system.GetState(constraint).fastest = m_fastest;
    for (const Fast& fast : m_fast)
    {
        const uint32_t bottleneck = m_system.GetVariable(fast.member.variable).bottleneck;
        Restrain(fast.member, fairShare);
        MarkPassing(bottleneck, fairShare);
        ++m_statistics.moves;
    }
    m_system.ForEachUnfrozen(constraint,
                             [&](const Member& member) { Restrain(member, fairShare); });
    ExamineNear();
}

/// Makes a constraint the bottleneck of a faster or unfrozen variable.
void
IncrementalWaterFilling::Restrain(const Member& member, double fairShare)
{
    m_system.SetBottleneck(member.variable, member.element);
    const Variable& variable = m_system.GetVariable(member.variable);
    for (const Element& use : m_system.GetUses(variable))
    {
        if (use.constraint != variable.bottleneck)
        {
            MarkPassing(use.constraint, fairShare);
        }
    }
    ++m_statistics.changedVariables;
}

/// Records that a passing variable of a constraint changed.
void
IncrementalWaterFilling::MarkPassing(uint32_t number, double rate)
{
    ConstraintState& share = m_system.GetState(number);
    share.fastest = std::max(share.fastest, rate);
    MaxMinSystem::Constraint& constraint = m_system.GetConstraint(number);
    if (!constraint.isNear)
    {
        constraint.isNear = true;
        m_near.push_back(number);
    }
}

void
IncrementalWaterFilling::ExamineNear()
{
    for (const uint32_t number : m_near)
    {
        m_system.GetConstraint(number).isNear = false;
        Examine(number);
    }
    m_near.clear();
}

} // namespace ns3::rails
