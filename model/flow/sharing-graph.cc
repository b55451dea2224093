// SPDX-License-Identifier: GPL-2.0-only
#include "sharing-graph.h"

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

} // namespace

uint32_t
SharingGraph::AddResource(double capacity)
{
    Resource resource;
    resource.capacity = capacity;
    m_resources.push_back(resource);
    Share share;
    share.limit = capacity;
    m_shares.push_back(share);
    return static_cast<uint32_t>(m_resources.size() - 1);
}

void
SharingGraph::SetCapacity(uint32_t resource, double capacity)
{
    m_resources.at(resource).capacity = capacity;
    RenewLimit(resource);
}

uint32_t
SharingGraph::AddClass(const std::vector<Use>& uses, const std::vector<Use>& loads)
{
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
SharingGraph::TakeIncidences(uint32_t number)
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
SharingGraph::WriteIncidences(const std::vector<Use>& uses, uint32_t first)
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
SharingGraph::RemoveClass(uint32_t number)
{
    FlowClass& flowClass = m_classes[number];
    m_unusedIncidences.resize(std::max<size_t>(m_unusedIncidences.size(), flowClass.room + 1),
                              kNone);
    m_incidences[flowClass.first].slot = m_unusedIncidences[flowClass.room];
    m_unusedIncidences[flowClass.room] = flowClass.first;
    flowClass.uses = 0;
    flowClass.loads = 0;
    if (flowClass.noted || flowClass.named)
    {
        m_released.push_back(number);
    }
    else
    {
        m_unusedClasses.push_back(number);
    }
}

void
SharingGraph::Enlist(uint32_t number)
{
    const FlowClass& flowClass = m_classes[number];
    ++m_active;
    for (uint32_t index = flowClass.first; index < flowClass.first + flowClass.uses; ++index)
    {
        Incidence& use = m_incidences[index];
        use.slot = m_members.Append(m_resources[use.resource].passing, {number, index});
    }
    for (const Incidence& load : GetLoads(flowClass))
    {
        ++m_resources[load.resource].loads;
    }
}

void
SharingGraph::Unlist(uint32_t number)
{
    FlowClass& flowClass = m_classes[number];
    --m_active;
    for (uint32_t index = flowClass.first; index < flowClass.first + flowClass.uses; ++index)
    {
        const uint32_t at = m_incidences[index].resource;
        Resource& resource = m_resources[at];
        if (index == flowClass.bottleneck)
        {
            TakeOutOf(resource.held, index);
            if (resource.held.size == 0)
            {
                m_shares[at].weight = PreciseSum();
                SetLevel(at, 0);
            }
        }
        else
        {
            TakeOutOf(resource.passing, index);
            if (resource.passing.size == 0)
            {
                m_shares[at].passing = PreciseSum();
                m_shares[at].fastest = 0;
            }
        }
    }
    flowClass.bottleneck = kNone;
    flowClass.holder = kNone;
    for (const Incidence& load : GetLoads(flowClass))
    {
        Resource& resource = m_resources[load.resource];
        if (--resource.loads == 0)
        {
            resource.load = PreciseSum();
        }
    }
}

/// A class is a member of what it uses, and has no rate.
void
SharingGraph::OpenClass(uint32_t number)
{
    FlowClass& flowClass = m_classes[number];
    flowClass.open = true;
    uint32_t incidence = flowClass.first;
    for (const Incidence& use : GetUses(flowClass))
    {
        Resource& resource = m_resources[use.resource];
        if (resource.firstOpen == kNone)
        {
            m_mayOpen.push_back(use.resource);
        }
        ++resource.open;
        m_open.push_back({{number, incidence++}, resource.firstOpen});
        resource.firstOpen = static_cast<uint32_t>(m_open.size() - 1);
        m_shares[use.resource].open += flowClass.weight * use.share;
        Touch(use.resource);
    }
}

void
SharingGraph::ForgetOpen()
{
    for (const uint32_t number : m_mayOpen)
    {
        m_resources[number].firstOpen = kNone;
    }
    m_mayOpen.clear();
    m_open.clear();
}

void
SharingGraph::TakeOutOf(MemberLists::List& list, uint32_t incidence)
{
    const uint32_t slot = m_incidences[incidence].slot;
    const Member moved = m_members.Remove(list, slot);
    m_incidences[moved.incidence].slot = slot;
}

void
SharingGraph::SetWeight(uint32_t number, double weight)
{
    FlowClass& flowClass = m_classes[number];
    const double before = flowClass.weight;
    if (weight == before)
    {
        return;
    }
    flowClass.weight = weight;
    if (before == 0)
    {
        Note(number);
        Enlist(number);
        OpenClass(number);
        return;
    }
    const double rate = GetRate(flowClass);
    for (const Incidence& use : GetUses(flowClass))
    {
        Share& share = m_shares[use.resource];
        Touch(use.resource);
        if (flowClass.open)
        {
            m_resources[use.resource].open -= weight == 0 ? 1 : 0;
            share.open = m_resources[use.resource].open == 0
                             ? 0
                             : share.open + (weight - before) * use.share;
        }
        else if (use.resource == flowClass.holder)
        {
            share.weight.Add(-(before * use.share));
            share.weight.Add(weight * use.share);
        }
        else
        {
            share.passing.Add(-(before * use.share * rate));
            share.passing.Add(weight * use.share * rate);
        }
    }
    for (const Incidence& load : GetLoads(flowClass))
    {
        MoveLoad(load, -(before * load.share * rate));
        MoveLoad(load, weight * load.share * rate);
    }
    if (weight == 0)
    {
        Note(number);
        flowClass.open = false;
        Unlist(number);
    }
}

void
SharingGraph::Watch(uint32_t number)
{
    m_classes[number].watched = true;
}

/// Keeps by what a class is held back until the changes are taken.
void
SharingGraph::Note(uint32_t number)
{
    FlowClass& flowClass = m_classes[number];
    if (!flowClass.noted)
    {
        flowClass.noted = true;
        m_heldBefore.push_back({number, flowClass.holder});
    }
}

void
SharingGraph::Name(uint32_t number)
{
    if (!m_classes[number].named)
    {
        m_classes[number].named = true;
        m_named.push_back(number);
    }
}

void
SharingGraph::SetLevel(uint32_t number, double level)
{
    Resource& resource = m_resources[number];
    if (!resource.noted)
    {
        resource.noted = true;
        m_noted.push_back(number);
    }
    m_shares[number].level = level;
}

void
SharingGraph::SetBottleneck(uint32_t number, uint32_t incidence)
{
    FlowClass& flowClass = m_classes[number];
    Note(number);
    if (flowClass.watched)
    {
        Name(number);
    }
    if (flowClass.bottleneck != kNone)
    {
        Resource& last = m_resources[flowClass.holder];
        TakeOutOf(last.held, flowClass.bottleneck);
        m_incidences[flowClass.bottleneck].slot =
            m_members.Append(last.passing, {number, flowClass.bottleneck});
        if (last.held.size == 0)
        {
            m_shares[flowClass.holder].weight = PreciseSum();
            SetLevel(flowClass.holder, 0);
        }
    }
    flowClass.bottleneck = incidence;
    flowClass.holder = m_incidences[incidence].resource;
    Resource& resource = m_resources[flowClass.holder];
    TakeOutOf(resource.passing, incidence);
    m_incidences[incidence].slot = m_members.Append(resource.held, {number, incidence});
    if (resource.passing.size == 0)
    {
        m_shares[flowClass.holder].passing = PreciseSum();
        m_shares[flowClass.holder].fastest = 0;
    }
}

void
SharingGraph::OpenAll()
{
    for (uint32_t number = 0; number < m_classes.size(); ++number)
    {
        FlowClass& flowClass = m_classes[number];
        if (flowClass.weight == 0 || flowClass.open)
        {
            continue;
        }
        Note(number);
        MoveLoads(number, GetRate(flowClass), 0);
        Resource& holder = m_resources[flowClass.holder];
        TakeOutOf(holder.held, flowClass.bottleneck);
        m_incidences[flowClass.bottleneck].slot =
            m_members.Append(holder.passing, {number, flowClass.bottleneck});
        flowClass.bottleneck = kNone;
        flowClass.holder = kNone;
        OpenClass(number);
    }
    for (uint32_t number = 0; number < m_resources.size(); ++number)
    {
        Share& share = m_shares[number];
        share.passing = PreciseSum();
        share.weight = PreciseSum();
        share.fastest = 0;
        SetLevel(number, 0);
    }
}

void
SharingGraph::TakeChanges(Changes& changes)
{
    changes.levels.clear();
    for (const uint32_t number : m_noted)
    {
        Resource& resource = m_resources[number];
        resource.noted = false;
        if (m_shares[number].level != resource.told)
        {
            resource.told = m_shares[number].level;
            changes.levels.push_back(number);
        }
    }
    m_noted.clear();
    changes.moved.clear();
    for (const auto& [number, holder] : m_heldBefore)
    {
        m_classes[number].noted = false;
        if (m_classes[number].holder != holder && m_classes[number].weight > 0)
        {
            changes.moved.push_back(number);
        }
    }
    m_heldBefore.clear();
    changes.watched.clear();
    for (const uint32_t number : m_named)
    {
        m_classes[number].named = false;
        if (m_classes[number].weight > 0)
        {
            changes.watched.push_back(number);
        }
    }
    m_named.clear();
    for (std::vector<uint32_t>* list : {&changes.levels, &changes.moved, &changes.watched})
    {
        std::sort(list->begin(), list->end());
    }
    m_unusedClasses.insert(m_unusedClasses.end(), m_released.begin(), m_released.end());
    m_released.clear();
}

void
SharingGraph::MoveLoads(uint32_t number, double before, double rate)
{
    const FlowClass& flowClass = m_classes[number];
    for (const Incidence& load : GetLoads(flowClass))
    {
        const double weight = flowClass.weight * load.share;
        MoveLoad(load, -(weight * before));
        MoveLoad(load, weight * rate);
    }
}

void
SharingGraph::MoveLoad(const Incidence& load, double amount)
{
    Resource& resource = m_resources[load.resource];
    resource.load.Add(amount);
    if (!resource.loadMoved)
    {
        resource.loadMoved = true;
        m_loadMoved.push_back(load.resource);
    }
}

bool
SharingGraph::CountLoads(double precision, Counting counting)
{
    std::vector<uint32_t> left;
    bool more = false;
    for (const uint32_t number : m_loadMoved)
    {
        Resource& resource = m_resources[number];
        const double change = resource.load.Get() - resource.counted;
        const bool moved = std::fabs(change) > precision * resource.capacity;
        resource.loadFell = moved && change < 0 && counting == Counting::HalfOfRises;
        if (moved && !resource.loadFell)
        {
            resource.counted += counting == Counting::Whole ? change : change / 2;
            RenewLimit(number);
            more = more || counting != Counting::Whole;
        }
        resource.loadMoved = moved && counting != Counting::Whole;
        if (resource.loadMoved)
        {
            left.push_back(number);
        }
    }
    m_loadMoved.swap(left);
    return more;
}

double
SharingGraph::FindLimit(double capacity, double load)
{
    return std::max(capacity - load, kLeast * capacity);
}

void
SharingGraph::RenewLimit(uint32_t resource)
{
    const Resource& changed = m_resources[resource];
    const double limit = FindLimit(changed.capacity, changed.counted);
    if (limit != m_shares[resource].limit)
    {
        m_shares[resource].limit = limit;
        Touch(resource);
    }
}

void
SharingGraph::Touch(uint32_t resource)
{
    if (!m_resources[resource].touched)
    {
        m_resources[resource].touched = true;
        m_touched.push_back(resource);
    }
}

} // namespace ns3::rails
