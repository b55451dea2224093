// SPDX-License-Identifier: GPL-2.0-only
#include "max-min-solver.h"

#include "max-min-certificate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

/// A resource of which more than this part is left is not full.
constexpr double kFull = 1e-12;

/// When more than one class in so many was set anew, all are: more often than not the rest follows.
/// Counted in instructions, with two to sixteen flows a port: 4 was never more than 20 % above the
/// best of 1, 2, 4 and 8, the others up to 110 %.
constexpr uint64_t kAllBeyond = 4;

/// To pass over so many resources, or classes without weight, takes as long as to set one anew.
constexpr uint64_t kIdle = 16;

/// Loads that are still moving after so many rounds are left to the next solve.
constexpr uint32_t kLoadRounds = 100;

/// Loads that are still moving after so many rounds are counted by halves: where ACKs weigh as much
/// as data, each would otherwise make room for the other in turn, for ever.
constexpr uint32_t kWholeRounds = 8;

/// After so many rounds nothing that falls is counted any more: where ACKs weigh more than data,
/// one direction would otherwise take ever more from the other, and give ever less back.
constexpr uint32_t kFallingRounds = 50;

#ifdef __SANITIZE_ADDRESS__
/// Networks with fewer uses than this are looked at after each solve in sanitized builds.
constexpr size_t kLargest = 2000;
#endif

void
CheckAmount(double amount, const char* what)
{
    if (!(amount >= 0) || !std::isfinite(amount))
    {
        throw std::logic_error(std::string(what) +
                               " of a max-min solver that is negative or not finite");
    }
}

SharingGraph::Counting
FindCounting(uint32_t round)
{
    if (round < kWholeRounds)
    {
        return SharingGraph::Counting::Whole;
    }
    return round < kFallingRounds ? SharingGraph::Counting::Half
                                  : SharingGraph::Counting::HalfOfRises;
}

} // namespace

uint32_t
MaxMinSolver::AddResource(double capacity)
{
    CheckAmount(capacity, "capacity");
    return m_graph.AddResource(capacity);
}

void
MaxMinSolver::SetCapacity(uint32_t resource, double capacity)
{
    CheckAmount(capacity, "capacity");
    m_graph.SetCapacity(resource, capacity);
}

uint32_t
MaxMinSolver::AddClass(const std::vector<Use>& uses, const std::vector<Use>& loads)
{
    if (uses.empty())
    {
        throw std::logic_error("a class of flows without uses");
    }
    for (const std::vector<Use>* list : {&uses, &loads})
    {
        for (const Use& use : *list)
        {
            CheckAmount(use.share, "share");
            if (use.share == 0 || use.resource >= m_graph.GetResources().size())
            {
                throw std::logic_error("a share of 0, or of a resource that is not there");
            }
        }
    }
    return m_graph.AddClass(uses, loads);
}

void
MaxMinSolver::SetWeight(uint32_t number, double weight)
{
    CheckAmount(weight, "weight");
    FlowClass& flowClass = m_graph.GetClasses().at(number);
    if (weight == flowClass.weight)
    {
        return;
    }
    if (flowClass.uses == 0)
    {
        throw std::logic_error("weight of a class that was removed");
    }
    const bool arrives = flowClass.weight == 0;
    if (arrives)
    {
        m_graph.Enlist(number);
    }
    Free(number);
    if (arrives)
    {
        for (const Incidence& use : m_graph.GetUses(flowClass))
        {
            // They have to make room, and it does not show yet.
            FreeBottlenecked(use.resource);
        }
    }
    m_graph.SetWeight(number, weight);
    if (weight == 0)
    {
        m_graph.Unlist(number);
    }
}

void
MaxMinSolver::RemoveClass(uint32_t number)
{
    FlowClass& flowClass = m_graph.GetClasses().at(number);
    if (flowClass.weight > 0 || flowClass.uses == 0)
    {
        throw std::logic_error(
            "removal of a class of flows that has weight, or was removed before");
    }
    m_graph.RemoveClass(number);
    if (flowClass.touched)
    {
        m_removedClasses.push_back(number);
    }
    else
    {
        m_graph.ReleaseNumber(number);
    }
}

double
MaxMinSolver::GetRate(uint32_t flowClass) const
{
    return m_graph.GetClasses().at(flowClass).rate;
}

double
MaxMinSolver::GetCapacity(uint32_t resource) const
{
    return m_graph.GetResources().at(resource).capacity;
}

double
MaxMinSolver::GetWeight(uint32_t flowClass) const
{
    return m_graph.GetClasses().at(flowClass).weight;
}

bool
MaxMinSolver::IsUsed(uint32_t resource) const
{
    return m_graph.GetResources().at(resource).HasMembers();
}

double
MaxMinSolver::GetLoad(uint32_t resource) const
{
    return m_graph.GetLoad(resource);
}

void
MaxMinSolver::SetLoadPrecision(double relative)
{
    CheckAmount(relative, "precision");
    m_loadPrecision = relative;
}

void
MaxMinSolver::SetRatePrecision(double relative)
{
    CheckAmount(relative, "precision");
    m_precision = std::max(relative, kRates);
}

const MaxMinSolver::Statistics&
MaxMinSolver::GetStatistics() const
{
    return m_statistics;
}

void
MaxMinSolver::EnterScope(uint32_t resource)
{
    if (m_graph.GetFilling(resource).highest < 0)
    {
        m_graph.GetFilling(resource).highest = 0;
        m_scope.push_back(resource);
    }
}

/// A class is to be set anew. \return false when it is already
bool
MaxMinSolver::Free(uint32_t number)
{
    const FlowClass& flowClass = m_graph.GetClass(number);
    if (flowClass.free)
    {
        return false;
    }
    MarkFree(number);
    if (flowClass.bottleneck != kNone)
    {
        ++m_graph.GetResource(m_graph.GetIncidence(flowClass.bottleneck).resource).freed;
    }
    for (const Incidence& use : m_graph.GetUses(flowClass))
    {
        EnterScope(use.resource);
    }
    return true;
}

void
MaxMinSolver::MarkFree(uint32_t number)
{
    FlowClass& flowClass = m_graph.GetClass(number);
    flowClass.free = true;
    m_free.push_back(number);
    m_freeRates.push_back(flowClass.rate);
    if (!flowClass.touched)
    {
        flowClass.touched = true;
        m_touchedClasses.push_back(number);
        m_before.push_back(flowClass.rate);
    }
}

void
MaxMinSolver::FreeAll()
{
    for (uint32_t number = 0; number < m_graph.GetClasses().size(); ++number)
    {
        if (m_graph.GetClass(number).weight > 0 && !m_graph.GetClass(number).free)
        {
            MarkFree(number);
        }
    }
    for (uint32_t number = 0; number < m_graph.GetResources().size(); ++number)
    {
        Resource& resource = m_graph.GetResource(number);
        resource.freed = resource.bottlenecked.size;
        EnterScope(number);
    }
}

const std::vector<uint32_t>&
MaxMinSolver::Solve()
{
    ++m_statistics.solves;
    bool more = m_graph.CountLoads(m_loadPrecision, SharingGraph::Counting::Whole);
    for (uint32_t round = 0;
         round < kLoadRounds && (more || !m_free.empty() || m_graph.IsTouched());
         ++round)
    {
        Settle();
        more = m_graph.CountLoads(m_loadPrecision, FindCounting(round));
    }
    ReportChanges();
    for (const uint32_t number : m_removedClasses)
    {
        m_graph.ReleaseNumber(number);
    }
    m_removedClasses.clear();
#ifdef __SANITIZE_ADDRESS__
    if (m_graph.CountIncidences() < kLargest)
    {
        const std::string violation = FindViolation();
        if (!violation.empty())
        {
            throw std::logic_error(violation);
        }
    }
#endif
    return m_changed;
}

/// Finds the rates for the limits as they are.
void
MaxMinSolver::Settle()
{
    m_graph.ForEachTouched([this](uint32_t resource) {
        EnterScope(resource);
        if (Matters(resource, m_graph.GetFilling(resource).GetLeft()))
        {
            FreeBottlenecked(resource);
        }
    });
    m_filling.Forget();
    m_part = m_free;
    m_partScope = m_scope;
    for (uint64_t work = m_part.size();; work += m_part.size())
    {
        ++m_statistics.rounds;
        if (PaysToSetAllAnew(work))
        {
            FreeAll();
            m_filling.FillAll(m_scope);
            break;
        }
        m_filling.Fill(m_part, m_partScope);
        const size_t known = m_free.size();
        const uint64_t grown = Grow();
        m_statistics.grownClasses += grown;
        if (grown == 0)
        {
            break;
        }
        ChoosePart(known);
    }
    Commit();
}

/// \param work classes that were set anew for the limits as they are, each time counted
bool
MaxMinSolver::PaysToSetAllAnew(uint64_t work) const
{
    return work * kAllBeyond >
           m_graph.GetActive() +
               (m_graph.GetClasses().size() + m_graph.GetResources().size()) / kIdle;
}

/**
 * Finds the classes that have to be filled again: those that became free, those free ones that
 * share a resource with them, and so on. All others that are free have what they should have.
 * \param known number of classes that were free already
 */
void
MaxMinSolver::ChoosePart(size_t known)
{
    m_part.assign(m_free.begin() + static_cast<std::ptrdiff_t>(known), m_free.end());
    m_partScope.clear();
    for (const uint32_t number : m_part)
    {
        m_graph.GetClass(number).open = true;
    }
    for (size_t chosen = 0; chosen < m_part.size(); ++chosen)
    {
        for (const Incidence& use : m_graph.GetUses(m_graph.GetClass(m_part[chosen])))
        {
            if (m_graph.GetResource(use.resource).chosen)
            {
                continue;
            }
            m_graph.GetResource(use.resource).chosen = true;
            m_partScope.push_back(use.resource);
            m_filling.ForEachCandidate(use.resource, [this](const Member& candidate) {
                if (!m_graph.GetClass(candidate.flowClass).open)
                {
                    m_graph.GetClass(candidate.flowClass).open = true;
                    m_part.push_back(candidate.flowClass);
                }
            });
        }
    }
    for (const uint32_t resource : m_partScope)
    {
        m_graph.GetResource(resource).chosen = false;
    }
}

/**
 * Looks at the certificate where rates were set anew, and frees the classes for which it does not
 * hold. \return number of classes that were freed
 */
uint64_t
MaxMinSolver::Grow()
{
    uint64_t grown = 0;
    for (const uint32_t number : m_partScope)
    {
        Resource& resource = m_graph.GetResource(number);
        const Filling& filling = m_graph.GetFilling(number);
        const double left = filling.GetLeft();
        if (filling.highest > resource.held * (1 + m_precision) || Matters(number, left))
        {
            grown += FreeBottlenecked(number);
        }
        const bool stopped = filling.level >= 0;
        if (stopped && resource.fastest > filling.level && m_filling.AreAllCandidates(number))
        {
            resource.fastest = filling.level;
        }
        if (left < -m_precision * filling.limit ||
            (stopped && resource.fastest > filling.level * (1 + m_precision)))
        {
            grown += FreeFaster(number);
        }
    }
    return grown;
}

/**
 * \param left what a resource still has, negative when it gives too much
 * \return whether the classes that it holds back would gain or lose from that
 */
bool
MaxMinSolver::Matters(uint32_t number, double left) const
{
    const Resource& resource = m_graph.GetResource(number);
    const double limit = m_graph.GetFilling(number).limit;
    const double much = std::fabs(left);
    if (resource.freed == resource.bottlenecked.size || much <= kFull * limit)
    {
        return false;
    }
    if (much > m_precision * limit)
    {
        return true;
    }
    double held = 0;
    m_graph.ForEachBottlenecked(resource, [this, &held](const Member& member) {
        const FlowClass& flowClass = m_graph.GetClass(member.flowClass);
        if (!flowClass.free)
        {
            held +=
                flowClass.weight * m_graph.GetIncidence(member.incidence).share * flowClass.rate;
        }
    });
    return much > m_precision * held;
}

/// \return number of classes that were not free before
uint64_t
MaxMinSolver::FreeBottlenecked(uint32_t resource)
{
    uint64_t freed = 0;
    if (m_graph.GetResource(resource).freed < m_graph.GetResource(resource).bottlenecked.size)
    {
        m_graph.ForEachBottlenecked(
            m_graph.GetResource(resource),
            [this, &freed](const Member& member) { freed += Free(member.flowClass) ? 1 : 0; });
    }
    return freed;
}

/// Frees the classes that are too fast for a resource. \return their number
uint64_t
MaxMinSolver::FreeFaster(uint32_t resource)
{
    const double most = FindLocalLevel(resource);
    uint64_t freed = 0;
    m_graph.ForEachMember(m_graph.GetResource(resource),
                          [this, most, &freed](const Member& member) {
                              if (m_graph.GetClass(member.flowClass).rate > most)
                              {
                                  freed += Free(member.flowClass) ? 1 : 0;
                              }
                          });
    return freed;
}

/**
 * \return the rate to which a resource lets its classes rise if all those that are slower now stay
 * as they are, except those that this resource stopped
 */
double
MaxMinSolver::FindLocalLevel(uint32_t number)
{
    Resource& resource = m_graph.GetResource(number);
    const Filling& filling = m_graph.GetFilling(number);
    double level = std::max(filling.level, 0.0);
    for (;;)
    {
        PreciseSum slow;
        PreciseSum weights;
        double fastest = 0;
        m_graph.ForEachMember(resource, [&](const Member& member) {
            const FlowClass& flowClass = m_graph.GetClass(member.flowClass);
            const double weight = flowClass.weight * m_graph.GetIncidence(member.incidence).share;
            const bool stoppedHere = flowClass.free && flowClass.bottleneck == member.incidence;
            if (flowClass.rate > level || stoppedHere)
            {
                weights.Add(weight);
            }
            else
            {
                slow.Add(weight * flowClass.rate);
            }
            fastest = std::max(fastest, flowClass.rate);
        });
        resource.fastest = fastest;
        // Each time some more turn out to be slow: the level rises towards what it will be.
        const double higher = slow.TakeFrom(filling.limit) / weights.Get();
        if (!(higher > level * (1 + kRates)) || !std::isfinite(higher))
        {
            return level;
        }
        level = higher;
    }
}

/// The rates hold: loads follow, and nothing is free any more.
void
MaxMinSolver::Commit()
{
    for (size_t index = 0; index < m_free.size(); ++index)
    {
        FlowClass& flowClass = m_graph.GetClass(m_free[index]);
        const double before = m_freeRates[index];
        flowClass.free = false;
        if (flowClass.weight == 0)
        {
            flowClass.rate = 0;
        }
        if (flowClass.rate != before)
        {
            m_graph.MoveLoads(flowClass, before);
        }
    }
    m_free.clear();
    m_freeRates.clear();
    for (const uint32_t number : m_scope)
    {
        Resource& resource = m_graph.GetResource(number);
        Filling& filling = m_graph.GetFilling(number);
        if (filling.level >= 0)
        {
            const bool alone = resource.freed == resource.bottlenecked.size;
            resource.held = alone ? filling.level : std::min(resource.held, filling.level);
        }
        resource.freed = 0;
        resource.fastest = std::max(resource.fastest, filling.highest);
        filling.first = kNone;
        filling.level = -1;
        filling.highest = -1;
    }
    m_scope.clear();
}

void
MaxMinSolver::ReportChanges()
{
    m_changed.clear();
    for (size_t index = 0; index < m_touchedClasses.size(); ++index)
    {
        FlowClass& flowClass = m_graph.GetClass(m_touchedClasses[index]);
        flowClass.touched = false;
        if (flowClass.uses > 0 && flowClass.rate != m_before[index])
        {
            m_changed.push_back(m_touchedClasses[index]);
        }
    }
    m_statistics.touchedClasses += m_touchedClasses.size();
    m_touchedClasses.clear();
    m_before.clear();
    std::sort(m_changed.begin(), m_changed.end());
}

std::string
MaxMinSolver::FindViolation() const
{
    return rails::FindViolation(m_graph, m_precision, m_loadPrecision);
}

} // namespace ns3::rails
