// SPDX-License-Identifier: GPL-2.0-only
#include "max-min-system.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

/// Loads leave at least this part of a capacity to flows.
constexpr double kLeast = 0.01;

} // namespace

uint32_t
MaxMinSystem::AddConstraint(double capacity)
{
    Constraint constraint;
    constraint.capacity = capacity;
    m_constraints.push_back(constraint);
    ConstraintState share;
    share.limit = capacity;
    m_states.push_back(share);
    m_rows.emplace_back();
    return static_cast<uint32_t>(m_constraints.size() - 1);
}

void
MaxMinSystem::SetCapacity(uint32_t constraint, double capacity)
{
    m_constraints.at(constraint).capacity = capacity;
    RenewLimit(constraint);
}

uint32_t
MaxMinSystem::AddVariable(const std::vector<Use>& uses, const std::vector<Use>& loads)
{
    const auto number = static_cast<uint32_t>(uses.size() + loads.size());
    Variable added;
    added.first = TakeElements(number);
    added.uses = WriteElements(uses, added.first);
    added.loads = WriteElements(loads, added.first + added.uses);
    added.room = number;
    if (m_unusedVariables.empty())
    {
        m_variables.push_back(added);
        return static_cast<uint32_t>(m_variables.size() - 1);
    }
    const uint32_t variable = m_unusedVariables.back();
    m_unusedVariables.pop_back();
    m_variables[variable] = added;
    return variable;
}

uint32_t
MaxMinSystem::TakeElements(uint32_t number)
{
    if (number < m_unusedElements.size() && m_unusedElements[number] != kNone)
    {
        const uint32_t first = m_unusedElements[number];
        m_unusedElements[number] = m_elements[first].slot;
        return first;
    }
    const size_t first = m_elements.size();
    if (first + number >= kNone)
    {
        throw std::length_error("too many uses of resources for a max-min solver");
    }
    m_elements.resize(first + number);
    return static_cast<uint32_t>(first);
}

/// \return number of elements: uses of the same constraint share one
uint32_t
MaxMinSystem::WriteElements(const std::vector<Use>& uses, uint32_t first)
{
    uint32_t number = 0;
    for (const Use& use : uses)
    {
        // The mark of the constraint finds an earlier use of it by the same variable.
        Constraint& constraint = m_constraints[use.constraint];
        if (constraint.mark >= first && constraint.mark < first + number &&
            m_elements[constraint.mark].constraint == use.constraint)
        {
            m_elements[constraint.mark].share += use.share;
            continue;
        }
        constraint.mark = first + number++;
        m_elements[constraint.mark] = {use.share, use.constraint, kNone};
    }
    return number;
}

void
MaxMinSystem::RemoveVariable(uint32_t number)
{
    Variable& variable = m_variables[number];
    m_unusedElements.resize(std::max<size_t>(m_unusedElements.size(), variable.room + 1), kNone);
    m_elements[variable.first].slot = m_unusedElements[variable.room];
    m_unusedElements[variable.room] = variable.first;
    variable.uses = 0;
    variable.loads = 0;
    if (variable.isChanged || variable.isRateChanged)
    {
        m_released.push_back(number);
    }
    else
    {
        m_unusedVariables.push_back(number);
    }
}

void
MaxMinSystem::AddToPassing(uint32_t number)
{
    const Variable& variable = m_variables[number];
    for (uint32_t index = variable.first; index < variable.first + variable.uses; ++index)
    {
        Element& use = m_elements[index];
        use.slot = m_members.Append(m_constraints[use.constraint].passing, {number, index});
    }
    for (const Element& load : GetLoads(variable))
    {
        ++m_constraints[load.constraint].loads;
    }
}

void
MaxMinSystem::RemoveFromPassing(uint32_t number)
{
    const Variable& variable = m_variables[number];
    for (const Element& use : GetUses(variable))
    {
        RemoveFromPassingOf(use);
    }
    for (const Element& load : GetLoads(variable))
    {
        Constraint& constraint = m_constraints[load.constraint];
        if (--constraint.loads == 0)
        {
            constraint.load = PreciseSum();
        }
    }
}

/// Removes a variable from the passing variables of a constraint.
void
MaxMinSystem::RemoveFromPassingOf(const Element& use)
{
    MemberLists::List& passing = m_constraints[use.constraint].passing;
    const uint32_t slot = use.slot;
    const Member moved = m_members.Remove(passing, slot);
    m_elements[moved.element].slot = slot;
    if (passing.size == 0)
    {
        m_states[use.constraint].passing = PreciseSum();
        m_states[use.constraint].fastest = 0;
    }
}

/**
 * Changes the use of a constraint by a variable.
 * \param usages of the variables with the same bottleneck
 * \param sum use of the constraint by all variables, updated at the fair share of that bottleneck
 * \param before weight times share before; 0 for a new variable
 * \param after weight times share from now on; 0 to remove it
 */
void
MaxMinSystem::ChangeUsage(std::vector<Usage>& usages,
                          uint32_t constraint,
                          PreciseSum& sum,
                          double fairShare,
                          double before,
                          double after)
{
    auto usage = usages.begin();
    while (usage != usages.end() && usage->constraint != constraint)
    {
        ++usage;
    }
    if (usage == usages.end())
    {
        usages.push_back({constraint, 0, {}});
        usage = std::prev(usages.end());
    }
    sum.Add(-(usage->weight.Get() * fairShare));
    usage->weight.Add(-before);
    usage->weight.Add(after);
    usage->variables += (before == 0 ? 1 : 0);
    usage->variables -= (after == 0 ? 1 : 0);
    if (usage->variables > 0)
    {
        sum.Add(usage->weight.Get() * fairShare);
        return;
    }
    *usage = usages.back();
    usages.pop_back();
}

/// Updates all usages of a variable whose weight changes, at the fair share of its bottleneck.
void
MaxMinSystem::ChangeUsages(uint32_t number, double before, double after)
{
    const Variable& variable = m_variables[number];
    Row& row = m_rows[variable.bottleneck];
    const double fairShare = m_states[variable.bottleneck].fairShare;
    for (const Element& use : GetUses(variable))
    {
        ConstraintState& share = m_states[use.constraint];
        if (use.constraint == variable.bottleneck)
        {
            share.weight.Add(-(before * use.share));
            share.weight.Add(after * use.share);
        }
        else
        {
            ChangeUsage(row.uses,
                        use.constraint,
                        share.passing,
                        fairShare,
                        before * use.share,
                        after * use.share);
        }
    }
    for (const Element& load : GetLoads(variable))
    {
        ChangeUsage(row.loads,
                    load.constraint,
                    m_constraints[load.constraint].load,
                    fairShare,
                    before * load.share,
                    after * load.share);
        MarkLoad(load.constraint);
    }
}

/// Unfreezes a variable that is in the lists of all its constraints: it has no rate.
void
MaxMinSystem::Unfreeze(uint32_t number)
{
    Variable& variable = m_variables[number];
    variable.unfrozen = true;
    uint32_t element = variable.first;
    for (const Element& use : GetUses(variable))
    {
        Constraint& constraint = m_constraints[use.constraint];
        if (constraint.firstUnfrozen == kNone)
        {
            m_withUnfrozen.push_back(use.constraint);
        }
        ++constraint.unfrozen;
        m_unfrozen.push_back({{number, element++}, constraint.firstUnfrozen});
        constraint.firstUnfrozen = static_cast<uint32_t>(m_unfrozen.size() - 1);
        m_states[use.constraint].unfrozen += variable.weight * use.share;
        Touch(use.constraint);
    }
}

void
MaxMinSystem::ForgetUnfrozen()
{
    for (const uint32_t number : m_withUnfrozen)
    {
        m_constraints[number].firstUnfrozen = kNone;
    }
    m_withUnfrozen.clear();
    m_unfrozen.clear();
}

void
MaxMinSystem::SetWeight(uint32_t number, double weight)
{
    Variable& variable = m_variables[number];
    const double before = variable.weight;
    if (weight == before)
    {
        return;
    }
    if (before == 0)
    {
        variable.weight = weight;
        KeepFormer(number);
        AddToPassing(number);
        Unfreeze(number);
        return;
    }
    for (const Element& use : GetUses(variable))
    {
        Touch(use.constraint);
    }
    if (weight == 0)
    {
        KeepFormer(number);
        variable.unfrozen ? Freeze(variable) : Release(number);
        RemoveFromPassing(number);
    }
    else if (variable.unfrozen)
    {
        for (const Element& use : GetUses(variable))
        {
            m_states[use.constraint].unfrozen += (weight - before) * use.share;
        }
    }
    else
    {
        ChangeUsages(number, before, weight);
    }
    variable.weight = weight;
}

void
MaxMinSystem::Watch(uint32_t number)
{
    Variable& variable = m_variables[number];
    if (!variable.isWatched && variable.bottleneck != kNone)
    {
        m_rows[variable.bottleneck].watched.push_back(number);
    }
    variable.isWatched = true;
}

/// Stores the bottleneck of a variable until TakeChanges().
void
MaxMinSystem::KeepFormer(uint32_t number)
{
    Variable& variable = m_variables[number];
    if (!variable.isChanged)
    {
        variable.isChanged = true;
        m_former.push_back({number, variable.bottleneck});
    }
}

/// Records that the rate of a watched variable changed.
void
MaxMinSystem::MarkRate(uint32_t number)
{
    if (!m_variables[number].isRateChanged)
    {
        m_variables[number].isRateChanged = true;
        m_rateChanged.push_back(number);
    }
}

void
MaxMinSystem::MarkFairShare(uint32_t number)
{
    if (!m_constraints[number].isChanged)
    {
        m_constraints[number].isChanged = true;
        m_changed.push_back(number);
    }
}

/// Updates the loads of all variables bottlenecked at a constraint from a former to the present
/// fair share.
void
MaxMinSystem::MoveLoads(uint32_t number, double before)
{
    const Row& row = m_rows[number];
    const double fairShare = m_states[number].fairShare;
    for (const Usage& usage : row.loads)
    {
        const double weight = usage.weight.Get();
        PreciseSum& load = m_constraints[usage.constraint].load;
        load.Add(-(weight * before));
        load.Add(weight * fairShare);
        MarkLoad(usage.constraint);
    }
    for (const uint32_t variable : row.watched)
    {
        MarkRate(variable);
    }
}

/// Removes the bottleneck of a variable, which then passes all its constraints.
void
MaxMinSystem::Release(uint32_t number)
{
    Variable& variable = m_variables[number];
    ChangeUsages(number, variable.weight, 0);
    Constraint& bottleneck = m_constraints[variable.bottleneck];
    Element& use = m_elements[variable.bottleneckElement];
    use.slot = m_members.Append(bottleneck.passing, {number, variable.bottleneckElement});
    std::vector<uint32_t>& watched = m_rows[variable.bottleneck].watched;
    if (variable.isWatched)
    {
        watched.erase(std::find(watched.begin(), watched.end(), number));
    }
    if (--bottleneck.bottlenecked == 0)
    {
        MarkFairShare(variable.bottleneck);
        m_states[variable.bottleneck].weight = PreciseSum();
        m_states[variable.bottleneck].fairShare = 0;
    }
    variable.bottleneckElement = kNone;
    variable.bottleneck = kNone;
}

/// Freezes a variable that gets a rate, or has lost its weight.
void
MaxMinSystem::Freeze(Variable& variable)
{
    variable.unfrozen = false;
    for (const Element& use : GetUses(variable))
    {
        double& unfrozen = m_states[use.constraint].unfrozen;
        unfrozen = --m_constraints[use.constraint].unfrozen == 0
                       ? 0
                       : unfrozen - variable.weight * use.share;
    }
}

void
MaxMinSystem::SetBottleneck(uint32_t number, uint32_t element)
{
    Variable& variable = m_variables[number];
    KeepFormer(number);
    if (variable.unfrozen)
    {
        Freeze(variable);
    }
    else
    {
        Release(number);
    }
    variable.bottleneckElement = element;
    variable.bottleneck = m_elements[element].constraint;
    RemoveFromPassingOf(m_elements[element]);
    ++m_constraints[variable.bottleneck].bottlenecked;
    ChangeUsages(number, 0, variable.weight);
    if (variable.isWatched)
    {
        m_rows[variable.bottleneck].watched.push_back(number);
        MarkRate(number);
    }
}

void
MaxMinSystem::UnfreezeAll()
{
    for (uint32_t number = 0; number < m_variables.size(); ++number)
    {
        const Variable& variable = m_variables[number];
        if (variable.weight > 0 && !variable.unfrozen)
        {
            KeepFormer(number);
            Release(number);
            Unfreeze(number);
        }
    }
    for (ConstraintState& share : m_states)
    {
        share.passing = PreciseSum();
        share.fastest = 0;
    }
}

void
MaxMinSystem::TakeChanges(Changes& changes)
{
    changes.fairShares.clear();
    for (const uint32_t number : m_changed)
    {
        Constraint& constraint = m_constraints[number];
        constraint.isChanged = false;
        if (m_states[number].fairShare != constraint.reported)
        {
            constraint.reported = m_states[number].fairShare;
            changes.fairShares.push_back(number);
        }
    }
    m_changed.clear();
    changes.moved.clear();
    for (const auto& [number, bottleneck] : m_former)
    {
        m_variables[number].isChanged = false;
        if (m_variables[number].bottleneck != bottleneck && m_variables[number].weight > 0)
        {
            changes.moved.push_back(number);
        }
    }
    m_former.clear();
    changes.watched.clear();
    for (const uint32_t number : m_rateChanged)
    {
        m_variables[number].isRateChanged = false;
        if (m_variables[number].weight > 0)
        {
            changes.watched.push_back(number);
        }
    }
    m_rateChanged.clear();
    for (std::vector<uint32_t>* list : {&changes.fairShares, &changes.moved, &changes.watched})
    {
        std::sort(list->begin(), list->end());
    }
    m_unusedVariables.insert(m_unusedVariables.end(), m_released.begin(), m_released.end());
    m_released.clear();
}

void
MaxMinSystem::MarkLoad(uint32_t number)
{
    if (!m_constraints[number].loadMoved)
    {
        m_constraints[number].loadMoved = true;
        m_loadMoved.push_back(number);
    }
}

bool
MaxMinSystem::CountLoads(double precision, Counting counting)
{
    std::vector<uint32_t> left;
    bool more = false;
    for (const uint32_t number : m_loadMoved)
    {
        Constraint& constraint = m_constraints[number];
        const double change = constraint.load.Get() - constraint.counted;
        const bool moved = constraint.HasMovedLoad(precision);
        constraint.loadFell = moved && change < 0 && counting == Counting::HalfOfRises;
        if (moved && !constraint.loadFell)
        {
            constraint.counted += counting == Counting::Whole ? change : change / 2;
            RenewLimit(number);
            more = more || counting != Counting::Whole;
        }
        constraint.loadMoved = moved && counting != Counting::Whole;
        if (constraint.loadMoved)
        {
            left.push_back(number);
        }
    }
    m_loadMoved.swap(left);
    return more;
}

bool
MaxMinSystem::HasMovedLoad(double precision) const
{
    return std::any_of(m_loadMoved.begin(), m_loadMoved.end(), [&](uint32_t number) {
        return m_constraints[number].HasMovedLoad(precision);
    });
}

double
MaxMinSystem::FindLimit(double capacity, double load)
{
    return std::max(capacity - load, kLeast * capacity);
}

void
MaxMinSystem::RenewLimit(uint32_t constraint)
{
    const Constraint& changed = m_constraints[constraint];
    const double limit = FindLimit(changed.capacity, changed.counted);
    if (limit != m_states[constraint].limit)
    {
        m_states[constraint].limit = limit;
        Touch(constraint);
    }
}

void
MaxMinSystem::Touch(uint32_t constraint)
{
    if (!m_constraints[constraint].isTouched)
    {
        m_constraints[constraint].isTouched = true;
        m_touched.push_back(constraint);
    }
}

} // namespace ns3::rails
