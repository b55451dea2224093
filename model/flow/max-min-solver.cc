// SPDX-License-Identifier: GPL-2.0-only
#include "max-min-solver.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

/// Loads leave at least this part of a capacity to flows.
constexpr double kLeast = 0.01;

/// A resource of which at most this part is left when a level is reached is full at that level, so
/// that the resources of symmetric traffic fill at the same one.
constexpr double kTie = 1e-13;

/// A resource of which more than this part is left is not full.
constexpr double kFull = 1e-12;

/// A rate that moved by less than this part is left as it was.
constexpr double kSame = 1e-13;

/// When more than one class in so many was set anew, all are: more often than not the rest follows.
/// Counted in instructions, with two to sixteen flows a port: 4 was never more than 20 % above the
/// best of 1, 2, 4 and 8, the others up to 110 %.
constexpr uint64_t kAllBeyond = 4;

/// To pass over so many resources, or classes without weight, takes as long as to set one anew.
constexpr uint64_t kIdle = 16;

/// Loads that are still moving after so many rounds are left to the next solve.
constexpr uint32_t kLoadRounds = 100;

#ifdef __SANITIZE_ADDRESS__
/// Networks with fewer uses than this are looked at after each solve in sanitized builds.
constexpr size_t kLargest = 2000;
#endif

/// How exact a violation must be to be one, of capacities and rates.
constexpr double kViolation = 1e-9;

void
CheckAmount(double amount, const char* what)
{
    if (!(amount >= 0) || !std::isfinite(amount))
    {
        throw std::logic_error(std::string(what) +
                               " of a max-min solver that is negative or not finite");
    }
}

} // namespace

uint32_t
MaxMinSolver::AddResource(double capacity)
{
    CheckAmount(capacity, "capacity");
    Resource resource;
    resource.capacity = capacity;
    m_resources.push_back(resource);
    Filling filling;
    filling.limit = capacity;
    m_fillings.push_back(filling);
    return static_cast<uint32_t>(m_resources.size() - 1);
}

void
MaxMinSolver::SetCapacity(uint32_t resource, double capacity)
{
    CheckAmount(capacity, "capacity");
    m_resources.at(resource).capacity = capacity;
    RenewLimit(resource);
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
            if (use.share == 0 || use.resource >= m_resources.size())
            {
                throw std::logic_error("a share of 0, or of a resource that is not there");
            }
        }
    }
    const auto number = static_cast<uint32_t>(uses.size() + loads.size());
    FlowClass added;
    added.first = TakeIncidences(number);
    added.uses = WriteIncidences(uses, added.first);
    added.loads = WriteIncidences(loads, added.first + added.uses);
    added.room = number;
    if (m_unusedClasses.empty())
    {
        m_classes.push_back(added);
        return static_cast<uint32_t>(m_classes.size() - 1);
    }
    const uint32_t flowClass = m_unusedClasses.back();
    m_unusedClasses.pop_back();
    m_classes[flowClass] = added;
    return flowClass;
}

uint32_t
MaxMinSolver::TakeIncidences(uint32_t number)
{
    if (number < m_unusedIncidences.size() && m_unusedIncidences[number] != kNone)
    {
        const uint32_t first = m_unusedIncidences[number];
        m_unusedIncidences[number] = m_incidences[first].slot;
        return first;
    }
    const size_t first = m_incidences.size();
    if (first + number >= kNone)
    {
        throw std::length_error("too many uses of resources for a max-min solver");
    }
    m_incidences.resize(first + number);
    return static_cast<uint32_t>(first);
}

/// \return number of incidences: uses of the same resource are one
uint32_t
MaxMinSolver::WriteIncidences(const std::vector<Use>& uses, uint32_t first)
{
    uint32_t number = 0;
    for (const Use& use : uses)
    {
        // The mark of the resource finds an earlier use of it by the same class.
        Resource& resource = m_resources[use.resource];
        if (resource.mark >= first && resource.mark < first + number &&
            m_incidences[resource.mark].resource == use.resource)
        {
            m_incidences[resource.mark].share += use.share;
            continue;
        }
        resource.mark = first + number++;
        m_incidences[resource.mark] = {use.share, use.resource, kNone};
    }
    return number;
}

void
MaxMinSolver::SetWeight(uint32_t number, double weight)
{
    CheckAmount(weight, "weight");
    FlowClass& flowClass = m_classes.at(number);
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
        Enlist(number);
    }
    Free(number);
    for (uint32_t index = 0; arrives && index < flowClass.uses; ++index)
    {
        // They have to make room, and it does not show yet.
        FreeBottlenecked(m_incidences[flowClass.first + index].resource);
    }
    CountAnew(number, weight);
    if (weight == 0)
    {
        Unlist(number);
    }
}

void
MaxMinSolver::RemoveClass(uint32_t number)
{
    FlowClass& flowClass = m_classes.at(number);
    if (flowClass.weight > 0 || flowClass.uses == 0)
    {
        throw std::logic_error(
            "removal of a class of flows that has weight, or was removed before");
    }
    m_unusedIncidences.resize(std::max<size_t>(m_unusedIncidences.size(), flowClass.room + 1),
                              kNone);
    m_incidences[flowClass.first].slot = m_unusedIncidences[flowClass.room];
    m_unusedIncidences[flowClass.room] = flowClass.first;
    flowClass.uses = 0;
    flowClass.loads = 0;
    flowClass.rate = 0;
    (flowClass.touched ? m_removedClasses : m_unusedClasses).push_back(number);
}

double
MaxMinSolver::GetRate(uint32_t flowClass) const
{
    return m_classes.at(flowClass).rate;
}

double
MaxMinSolver::GetCapacity(uint32_t resource) const
{
    return m_resources.at(resource).capacity;
}

double
MaxMinSolver::GetWeight(uint32_t flowClass) const
{
    return m_classes.at(flowClass).weight;
}

double
MaxMinSolver::GetLoad(uint32_t resource) const
{
    return m_fillings.at(resource).used.Get() + m_resources[resource].load.Get();
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

/// A class has weight from now on.
void
MaxMinSolver::Enlist(uint32_t number)
{
    const FlowClass& flowClass = m_classes[number];
    ++m_active;
    uint32_t index = flowClass.first;
    for (; index < flowClass.first + flowClass.uses; ++index)
    {
        Incidence& use = m_incidences[index];
        use.slot = m_members.Append(m_resources[use.resource].passing, {number, index});
    }
    for (; index < flowClass.first + flowClass.uses + flowClass.loads; ++index)
    {
        ++m_resources[m_incidences[index].resource].loads;
    }
}

/// A class that is being set anew has no weight from now on.
void
MaxMinSolver::Unlist(uint32_t number)
{
    FlowClass& flowClass = m_classes[number];
    --m_active;
    uint32_t index = flowClass.first;
    for (; index < flowClass.first + flowClass.uses; ++index)
    {
        const uint32_t at = m_incidences[index].resource;
        Resource& resource = m_resources[at];
        if (index == flowClass.bottleneck)
        {
            TakeOutOf(resource.bottlenecked, index);
            --resource.freed;
        }
        else
        {
            TakeOutOf(resource.passing, index);
        }
        if (resource.bottlenecked.size + resource.passing.size == 0)
        {
            m_fillings[at].used = PreciseSum();
            resource.fastest = 0;
        }
    }
    flowClass.bottleneck = kNone;
    for (; index < flowClass.first + flowClass.uses + flowClass.loads; ++index)
    {
        Resource& resource = m_resources[m_incidences[index].resource];
        if (--resource.loads == 0)
        {
            resource.load = PreciseSum();
        }
    }
}

void
MaxMinSolver::TakeOutOf(MemberLists::List& list, uint32_t incidence)
{
    const uint32_t slot = m_incidences[incidence].slot;
    const Member moved = m_members.Remove(list, slot);
    m_incidences[moved.incidence].slot = slot;
}

/// A class that is being set anew found its bottleneck.
void
MaxMinSolver::SetBottleneck(uint32_t number, uint32_t incidence)
{
    FlowClass& flowClass = m_classes[number];
    const uint32_t last = flowClass.bottleneck;
    if (last == incidence)
    {
        return;
    }
    if (last != kNone)
    {
        Resource& resource = m_resources[m_incidences[last].resource];
        TakeOutOf(resource.bottlenecked, last);
        m_incidences[last].slot = m_members.Append(resource.passing, {number, last});
        --resource.freed;
    }
    Resource& resource = m_resources[m_incidences[incidence].resource];
    TakeOutOf(resource.passing, incidence);
    m_incidences[incidence].slot = m_members.Append(resource.bottlenecked, {number, incidence});
    ++resource.freed;
    flowClass.bottleneck = incidence;
}

/// What a class takes and loads at its last rate is counted with another weight.
void
MaxMinSolver::CountAnew(uint32_t number, double weight)
{
    FlowClass& flowClass = m_classes[number];
    uint32_t index = flowClass.first;
    for (; index < flowClass.first + flowClass.uses; ++index)
    {
        const Incidence& use = m_incidences[index];
        PreciseSum& used = m_fillings[use.resource].used;
        used.Add(-(flowClass.weight * use.share * flowClass.rate));
        used.Add(weight * use.share * flowClass.rate);
        Touch(use.resource);
    }
    for (; index < flowClass.first + flowClass.uses + flowClass.loads; ++index)
    {
        const Incidence& load = m_incidences[index];
        MoveLoad(load, -(flowClass.weight * load.share * flowClass.rate));
        MoveLoad(load, weight * load.share * flowClass.rate);
    }
    flowClass.weight = weight;
}

void
MaxMinSolver::RenewLimit(uint32_t resource)
{
    const Resource& changed = m_resources[resource];
    const double limit = std::max(changed.capacity - changed.counted, kLeast * changed.capacity);
    if (limit != m_fillings[resource].limit)
    {
        m_fillings[resource].limit = limit;
        Touch(resource);
    }
}

void
MaxMinSolver::Touch(uint32_t resource)
{
    if (!m_resources[resource].touched)
    {
        m_resources[resource].touched = true;
        m_touched.push_back(resource);
    }
}

void
MaxMinSolver::MoveLoad(const Incidence& load, double amount)
{
    Resource& resource = m_resources[load.resource];
    resource.load.Add(amount);
    if (!resource.loadMoved)
    {
        resource.loadMoved = true;
        m_loadMoved.push_back(load.resource);
    }
}

void
MaxMinSolver::EnterScope(uint32_t resource)
{
    if (m_fillings[resource].highest < 0)
    {
        m_fillings[resource].highest = 0;
        m_scope.push_back(resource);
    }
}

/// A class is to be set anew. \return false when it is already
bool
MaxMinSolver::Free(uint32_t number)
{
    const FlowClass& flowClass = m_classes[number];
    if (flowClass.free)
    {
        return false;
    }
    MarkFree(number);
    if (flowClass.bottleneck != kNone)
    {
        ++m_resources[m_incidences[flowClass.bottleneck].resource].freed;
    }
    for (uint32_t index = 0; index < flowClass.uses; ++index)
    {
        EnterScope(m_incidences[flowClass.first + index].resource);
    }
    return true;
}

void
MaxMinSolver::MarkFree(uint32_t number)
{
    FlowClass& flowClass = m_classes[number];
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
    for (uint32_t number = 0; number < m_classes.size(); ++number)
    {
        if (m_classes[number].weight > 0 && !m_classes[number].free)
        {
            MarkFree(number);
        }
    }
    for (uint32_t resource = 0; resource < m_resources.size(); ++resource)
    {
        m_resources[resource].freed = m_resources[resource].bottlenecked.size;
        EnterScope(resource);
    }
    m_partScope = m_scope;
}

const std::vector<uint32_t>&
MaxMinSolver::Solve()
{
    ++m_statistics.solves;
    CountLoads();
    uint32_t round = 0;
    for (; round < kLoadRounds && !(m_free.empty() && m_touched.empty()); ++round)
    {
        Settle();
        CountLoads();
    }
    ReportChanges();
    m_unusedClasses.insert(m_unusedClasses.end(), m_removedClasses.begin(), m_removedClasses.end());
    m_removedClasses.clear();
#ifdef __SANITIZE_ADDRESS__
    // Loads as large as what causes them (ACKs of messages of a few bytes) need not settle.
    if (m_incidences.size() < kLargest && round < kLoadRounds)
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

/// Takes the loads as they are now off what flows may take.
void
MaxMinSolver::CountLoads()
{
    for (const uint32_t number : m_loadMoved)
    {
        Resource& resource = m_resources[number];
        resource.loadMoved = false;
        const double load = resource.load.Get();
        if (std::fabs(load - resource.counted) > m_loadPrecision * resource.capacity)
        {
            resource.counted = load;
            RenewLimit(number);
        }
    }
    m_loadMoved.clear();
}

/// Finds the rates for the limits as they are.
void
MaxMinSolver::Settle()
{
    for (const uint32_t resource : m_touched)
    {
        m_resources[resource].touched = false;
        EnterScope(resource);
        const Filling& filling = m_fillings[resource];
        if (Matters(resource, filling.used.TakeFrom(filling.limit)))
        {
            FreeBottlenecked(resource);
        }
    }
    m_touched.clear();
    m_candidates.clear();
    m_part = m_free;
    m_partScope = m_scope;
    for (uint64_t work = m_part.size();; work += m_part.size())
    {
        ++m_statistics.rounds;
        if (PaysToSetAllAnew(work))
        {
            FreeAll();
            OpenAll();
            RaiseLevels();
            break;
        }
        OpenPart();
        RaiseLevels();
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
    return work * kAllBeyond > m_active + (m_classes.size() + m_resources.size()) / kIdle;
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
        m_classes[number].open = true;
    }
    for (size_t chosen = 0; chosen < m_part.size(); ++chosen)
    {
        const FlowClass& flowClass = m_classes[m_part[chosen]];
        for (uint32_t index = flowClass.first; index < flowClass.first + flowClass.uses; ++index)
        {
            const uint32_t resource = m_incidences[index].resource;
            if (m_resources[resource].chosen)
            {
                continue;
            }
            m_resources[resource].chosen = true;
            m_partScope.push_back(resource);
            for (uint32_t candidate = m_fillings[resource].first; candidate != kNone;
                 candidate = m_candidates[candidate].next)
            {
                const uint32_t number = m_candidates[candidate].member.flowClass;
                if (!m_classes[number].open)
                {
                    m_classes[number].open = true;
                    m_part.push_back(number);
                }
            }
        }
    }
    for (const uint32_t resource : m_partScope)
    {
        m_resources[resource].chosen = false;
    }
}

/// Opens the classes that are to be filled, in front of all others.
void
MaxMinSolver::OpenPart()
{
    for (const uint32_t resource : m_partScope)
    {
        Filling& filling = m_fillings[resource];
        filling.weight = PreciseSum();
        filling.open = 0;
        filling.first = kNone;
        filling.level = -1;
        filling.highest = 0;
    }
    for (const uint32_t number : m_part)
    {
        FlowClass& flowClass = m_classes[number];
        if (flowClass.weight == 0)
        {
            continue;
        }
        flowClass.open = true;
        for (uint32_t index = flowClass.first; index < flowClass.first + flowClass.uses; ++index)
        {
            const Incidence& use = m_incidences[index];
            Filling& filling = m_fillings[use.resource];
            const double weight = flowClass.weight * use.share;
            filling.used.Add(-(weight * flowClass.rate));
            filling.weight.Add(weight);
            ++filling.open;
            m_candidates.push_back({{number, index}, filling.first});
            filling.first = static_cast<uint32_t>(m_candidates.size() - 1);
        }
    }
}

/// Opens all classes; sums begin anew. Without lists of candidates: all members are.
void
MaxMinSolver::OpenAll()
{
    for (Filling& filling : m_fillings)
    {
        const double limit = filling.limit;
        filling = Filling();
        filling.limit = limit;
        filling.highest = 0;
    }
    for (FlowClass& flowClass : m_classes)
    {
        if (flowClass.weight == 0)
        {
            continue;
        }
        flowClass.open = true;
        for (uint32_t index = flowClass.first; index < flowClass.first + flowClass.uses; ++index)
        {
            const Incidence& use = m_incidences[index];
            Filling& filling = m_fillings[use.resource];
            filling.weight.Add(flowClass.weight * use.share);
            ++filling.open;
        }
    }
}

/// Progressive filling: the rates of all open classes rise until each is stopped.
void
MaxMinSolver::RaiseLevels()
{
    m_levels.Clear();
    for (const uint32_t resource : m_partScope)
    {
        const Filling& filling = m_fillings[resource];
        if (filling.open > 0)
        {
            const double left = filling.used.TakeFrom(filling.limit);
            m_levels.Append({left / filling.weight.Get(), resource});
        }
    }
    m_levels.Build();
    double level = 0;
    while (!m_levels.IsEmpty())
    {
        const uint32_t resource = m_levels.GetLeast().resource;
        const Filling& filling = m_fillings[resource];
        if (filling.open > 0)
        {
            const double left = filling.used.TakeFrom(filling.limit);
            const double weight = filling.weight.Get();
            if (left - level * weight > kTie * filling.limit)
            {
                // Others may have stopped since the level was noted: it can only have risen.
                const double reached = left / weight;
                if (!m_levels.RaiseLeast(reached))
                {
                    continue;
                }
                level = std::max(level, reached);
            }
            StopAt(resource, level);
        }
        m_levels.RemoveLeast();
    }
}

/// A resource is full: whoever uses it rises no more.
void
MaxMinSolver::StopAt(uint32_t resource, double level)
{
    Filling& filling = m_fillings[resource];
    filling.level = level;
    if (filling.first == kNone)
    {
        ForEachMember(m_resources[resource],
                      [this, level](const Member& member) { StopClass(member, level); });
    }
    for (uint32_t candidate = filling.first; candidate != kNone;)
    {
        StopClass(m_candidates[candidate].member, level);
        candidate = m_candidates[candidate].next;
    }
}

/// \param member a class, stopped already or not, and its use of the resource that is full
void
MaxMinSolver::StopClass(const Member& member, double level)
{
    FlowClass& flowClass = m_classes[member.flowClass];
    if (!flowClass.open)
    {
        return;
    }
    flowClass.open = false;
    if (std::fabs(flowClass.rate - level) > kSame * level)
    {
        flowClass.rate = level;
    }
    for (uint32_t index = flowClass.first; index < flowClass.first + flowClass.uses; ++index)
    {
        const Incidence& use = m_incidences[index];
        Filling& filling = m_fillings[use.resource];
        const double weight = flowClass.weight * use.share;
        filling.used.Add(weight * flowClass.rate);
        filling.weight.Add(-weight);
        --filling.open;
        filling.highest = std::max(filling.highest, flowClass.rate);
    }
    SetBottleneck(member.flowClass, member.incidence);
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
        Resource& resource = m_resources[number];
        const Filling& filling = m_fillings[number];
        const double left = filling.used.TakeFrom(filling.limit);
        if (filling.highest > resource.held * (1 + m_precision) || Matters(number, left))
        {
            grown += FreeBottlenecked(number);
        }
        const bool stopped = filling.level >= 0;
        if (stopped && resource.fastest > filling.level && AllAreCandidates(number))
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
    const Resource& resource = m_resources[number];
    const double limit = m_fillings[number].limit;
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
    m_members.ForEach(resource.bottlenecked, [this, &held](const Member& member) {
        const FlowClass& flowClass = m_classes[member.flowClass];
        if (!flowClass.free)
        {
            held += flowClass.weight * m_incidences[member.incidence].share * flowClass.rate;
        }
    });
    return much > m_precision * held;
}

bool
MaxMinSolver::AllAreCandidates(uint32_t resource) const
{
    uint32_t left = m_resources[resource].bottlenecked.size + m_resources[resource].passing.size;
    for (uint32_t candidate = m_fillings[resource].first; candidate != kNone; --left)
    {
        candidate = m_candidates[candidate].next;
    }
    return left == 0;
}

/// \return number of classes that were not free before
uint64_t
MaxMinSolver::FreeBottlenecked(uint32_t resource)
{
    uint64_t freed = 0;
    if (m_resources[resource].freed < m_resources[resource].bottlenecked.size)
    {
        m_members.ForEach(m_resources[resource].bottlenecked, [this, &freed](const Member& member) {
            freed += Free(member.flowClass) ? 1 : 0;
        });
    }
    return freed;
}

/// Frees the classes that are too fast for a resource. \return their number
uint64_t
MaxMinSolver::FreeFaster(uint32_t resource)
{
    const double most = FindLocalLevel(resource);
    uint64_t freed = 0;
    ForEachMember(m_resources[resource], [this, most, &freed](const Member& member) {
        if (m_classes[member.flowClass].rate > most)
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
    Resource& resource = m_resources[number];
    const Filling& filling = m_fillings[number];
    double level = std::max(filling.level, 0.0);
    for (;;)
    {
        PreciseSum slow;
        PreciseSum weights;
        double fastest = 0;
        ForEachMember(resource, [&](const Member& member) {
            const FlowClass& flowClass = m_classes[member.flowClass];
            const double weight = flowClass.weight * m_incidences[member.incidence].share;
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
        FlowClass& flowClass = m_classes[m_free[index]];
        const double before = m_freeRates[index];
        flowClass.free = false;
        if (flowClass.weight == 0)
        {
            flowClass.rate = 0;
        }
        if (flowClass.rate == before)
        {
            continue;
        }
        const uint32_t end = flowClass.first + flowClass.uses + flowClass.loads;
        for (uint32_t load = flowClass.first + flowClass.uses; load < end; ++load)
        {
            const double weight = flowClass.weight * m_incidences[load].share;
            MoveLoad(m_incidences[load], -(weight * before));
            MoveLoad(m_incidences[load], weight * flowClass.rate);
        }
    }
    m_free.clear();
    m_freeRates.clear();
    for (const uint32_t number : m_scope)
    {
        Resource& resource = m_resources[number];
        Filling& filling = m_fillings[number];
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
        FlowClass& flowClass = m_classes[m_touchedClasses[index]];
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
    std::vector<double> used(m_resources.size(), 0);
    std::vector<double> loaded(m_resources.size(), 0);
    for (const FlowClass& flowClass : m_classes)
    {
        for (uint32_t index = 0; index < flowClass.uses + flowClass.loads; ++index)
        {
            const Incidence& incidence = m_incidences[flowClass.first + index];
            (index < flowClass.uses ? used : loaded)[incidence.resource] +=
                flowClass.weight * incidence.share * flowClass.rate;
        }
    }
    const std::string overload = FindOverload(used, loaded);
    return overload.empty() ? FindUnfair(used) : overload;
}

std::string
MaxMinSolver::FindOverload(const std::vector<double>& used, const std::vector<double>& loaded) const
{
    for (uint32_t number = 0; number < m_resources.size(); ++number)
    {
        const double capacity = m_resources[number].capacity;
        const double limit = std::max(capacity - loaded[number], kLeast * capacity);
        const double precision =
            std::max(kViolation, 2 * m_precision) * (capacity + loaded[number]) +
            2 * m_loadPrecision * capacity;
        const std::string name = "resource " + std::to_string(number);
        if (!(std::fabs(limit - m_fillings[number].limit) <= precision))
        {
            return name + " counts with other loads than it has";
        }
        if (!(used[number] <= limit + precision))
        {
            return name + " gives more than it has";
        }
        if (!(std::fabs(used[number] + loaded[number] - GetLoad(number)) <= precision))
        {
            return name + " lost count of what is taken of it";
        }
    }
    return "";
}

std::string
MaxMinSolver::FindUnfair(const std::vector<double>& used) const
{
    std::vector<double> fastest(m_resources.size(), 0);
    for (const FlowClass& flowClass : m_classes)
    {
        for (uint32_t index = 0; flowClass.weight > 0 && index < flowClass.uses; ++index)
        {
            double& rate = fastest[m_incidences[flowClass.first + index].resource];
            rate = std::max(rate, flowClass.rate);
        }
    }
    const double precision = std::max(kViolation, 2 * m_precision);
    for (uint32_t number = 0; number < m_classes.size(); ++number)
    {
        const FlowClass& flowClass = m_classes[number];
        bool fair = flowClass.weight == 0;
        for (uint32_t index = 0; !fair && index < flowClass.uses; ++index)
        {
            const Incidence& use = m_incidences[flowClass.first + index];
            const double limit = m_fillings[use.resource].limit;
            const double ahead = fastest[use.resource] - flowClass.rate;
            fair = used[use.resource] >= limit * (1 - precision) &&
                   (ahead <= precision * flowClass.rate ||
                    ahead * flowClass.weight * use.share <= kTie * limit);
        }
        if (!fair)
        {
            return "class " + std::to_string(number) + " could be faster";
        }
    }
    return "";
}

} // namespace ns3::rails
