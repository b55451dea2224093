// SPDX-License-Identifier: GPL-2.0-only
#include "sharing-graph.h"

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
SharingGraph::AddResource(double capacity)
{
    Resource resource;
    resource.capacity = capacity;
    m_resources.push_back(resource);
    Share share;
    share.limit = capacity;
    m_shares.push_back(share);
    m_rows.emplace_back();
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
    const FlowClass& flowClass = m_classes[number];
    for (const Incidence& use : GetUses(flowClass))
    {
        TakeOutOfPassing(use);
    }
    for (const Incidence& load : GetLoads(flowClass))
    {
        Resource& resource = m_resources[load.resource];
        if (--resource.loads == 0)
        {
            resource.load = PreciseSum();
        }
    }
}

/// A class does not pass a resource any more.
void
SharingGraph::TakeOutOfPassing(const Incidence& use)
{
    MemberLists::List& passing = m_resources[use.resource].passing;
    const uint32_t slot = use.slot;
    const Member moved = m_members.Remove(passing, slot);
    m_incidences[moved.incidence].slot = slot;
    if (passing.size == 0)
    {
        m_shares[use.resource].passing = PreciseSum();
        m_shares[use.resource].fastest = 0;
    }
}

/**
 * What a class takes of a resource changes.
 * \param takings of those that the same resource holds back
 * \param sum of what is taken of the resource, at their level
 * \param before what the class took, per rate; 0 when it comes
 * \param after what it takes now; 0 when it goes
 */
void
SharingGraph::Take(std::vector<Taking>& takings,
                   uint32_t resource,
                   PreciseSum& sum,
                   double level,
                   double before,
                   double after)
{
    auto taking = takings.begin();
    while (taking != takings.end() && taking->resource != resource)
    {
        ++taking;
    }
    if (taking == takings.end())
    {
        takings.push_back({resource, 0, {}});
        taking = std::prev(takings.end());
    }
    sum.Add(-(taking->weight.Get() * level));
    taking->weight.Add(-before);
    taking->weight.Add(after);
    taking->classes += (before == 0 ? 1 : 0);
    taking->classes -= (after == 0 ? 1 : 0);
    if (taking->classes > 0)
    {
        sum.Add(taking->weight.Get() * level);
        return;
    }
    *taking = takings.back();
    takings.pop_back();
}

/// What a class takes of all that it uses and loads changes with its weight, at its holder's level.
void
SharingGraph::TakeAll(uint32_t number, double before, double after)
{
    const FlowClass& flowClass = m_classes[number];
    Row& row = m_rows[flowClass.holder];
    const double level = m_shares[flowClass.holder].level;
    for (const Incidence& use : GetUses(flowClass))
    {
        Share& share = m_shares[use.resource];
        if (use.resource == flowClass.holder)
        {
            share.weight.Add(-(before * use.share));
            share.weight.Add(after * use.share);
        }
        else
        {
            Take(row.uses,
                 use.resource,
                 share.passing,
                 level,
                 before * use.share,
                 after * use.share);
        }
    }
    for (const Incidence& load : GetLoads(flowClass))
    {
        Take(row.loads,
             load.resource,
             m_resources[load.resource].load,
             level,
             before * load.share,
             after * load.share);
        NoteLoad(load.resource);
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
SharingGraph::SetWeight(uint32_t number, double weight)
{
    FlowClass& flowClass = m_classes[number];
    const double before = flowClass.weight;
    if (weight == before)
    {
        return;
    }
    if (before == 0)
    {
        flowClass.weight = weight;
        Note(number);
        Enlist(number);
        OpenClass(number);
        return;
    }
    for (const Incidence& use : GetUses(flowClass))
    {
        Touch(use.resource);
    }
    if (weight == 0)
    {
        Note(number);
        flowClass.open ? CloseClass(flowClass) : Release(number);
        Unlist(number);
    }
    else if (flowClass.open)
    {
        for (const Incidence& use : GetUses(flowClass))
        {
            m_shares[use.resource].open += (weight - before) * use.share;
        }
    }
    else
    {
        TakeAll(number, before, weight);
    }
    flowClass.weight = weight;
}

void
SharingGraph::Watch(uint32_t number)
{
    FlowClass& flowClass = m_classes[number];
    if (!flowClass.watched && flowClass.holder != kNone)
    {
        m_rows[flowClass.holder].watched.push_back(number);
    }
    flowClass.watched = true;
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

/// A class that is watched got another rate.
void
SharingGraph::Name(uint32_t number)
{
    if (!m_classes[number].named)
    {
        m_classes[number].named = true;
        m_areApart ? void() : m_named.push_back(number);
    }
}

void
SharingGraph::BeginApart()
{
    for (uint32_t number = 0; number < m_classes.size(); ++number)
    {
        m_classes[number].weight > 0 ? Note(number) : void();
    }
    m_members.Share(m_incidences.size() / MemberLists::kChunk + m_resources.size());
    m_areApart = true;
}

void
SharingGraph::EndApart()
{
    m_areApart = false;
    m_members.Unshare();
    m_noted.clear();
    m_loadMoved.clear();
    m_named.clear();
    for (uint32_t number = 0; number < m_resources.size(); ++number)
    {
        m_resources[number].noted ? m_noted.push_back(number) : void();
        m_resources[number].loadMoved ? m_loadMoved.push_back(number) : void();
    }
    for (uint32_t number = 0; number < m_classes.size(); ++number)
    {
        m_classes[number].named ? m_named.push_back(number) : void();
    }
}

void
SharingGraph::NoteLevel(uint32_t number)
{
    if (!m_resources[number].noted)
    {
        m_resources[number].noted = true;
        m_areApart ? void() : m_noted.push_back(number);
    }
}

/// What a resource holds back loads others at its level, and no more at another one; it is named
/// where it is watched.
void
SharingGraph::MoveLoads(uint32_t number, double before)
{
    const Row& row = m_rows[number];
    const double level = m_shares[number].level;
    for (const Taking& taking : row.loads)
    {
        const double weight = taking.weight.Get();
        PreciseSum& load = m_resources[taking.resource].load;
        load.Add(-(weight * before));
        load.Add(weight * level);
        NoteLoad(taking.resource);
    }
    for (const uint32_t flowClass : row.watched)
    {
        Name(flowClass);
    }
}

/// A class is not held back any more: it passes all that it uses.
void
SharingGraph::Release(uint32_t number)
{
    FlowClass& flowClass = m_classes[number];
    TakeAll(number, flowClass.weight, 0);
    Resource& holder = m_resources[flowClass.holder];
    Incidence& use = m_incidences[flowClass.bottleneck];
    use.slot = m_members.Append(holder.passing, {number, flowClass.bottleneck});
    std::vector<uint32_t>& watched = m_rows[flowClass.holder].watched;
    if (flowClass.watched)
    {
        watched.erase(std::find(watched.begin(), watched.end(), number));
    }
    if (--holder.held == 0)
    {
        NoteLevel(flowClass.holder);
        m_shares[flowClass.holder].weight = PreciseSum();
        m_shares[flowClass.holder].level = 0;
    }
    flowClass.bottleneck = kNone;
    flowClass.holder = kNone;
}

/// A class that was open has a rate now, or no weight.
void
SharingGraph::CloseClass(FlowClass& flowClass)
{
    flowClass.open = false;
    for (const Incidence& use : GetUses(flowClass))
    {
        double& open = m_shares[use.resource].open;
        open = --m_resources[use.resource].open == 0 ? 0 : open - flowClass.weight * use.share;
    }
}

void
SharingGraph::SetBottleneck(uint32_t number, uint32_t incidence)
{
    FlowClass& flowClass = m_classes[number];
    Note(number);
    if (flowClass.open)
    {
        CloseClass(flowClass);
    }
    else
    {
        Release(number);
    }
    flowClass.bottleneck = incidence;
    flowClass.holder = m_incidences[incidence].resource;
    TakeOutOfPassing(m_incidences[incidence]);
    ++m_resources[flowClass.holder].held;
    TakeAll(number, 0, flowClass.weight);
    if (flowClass.watched)
    {
        m_rows[flowClass.holder].watched.push_back(number);
        Name(number);
    }
}

void
SharingGraph::OpenAll()
{
    for (uint32_t number = 0; number < m_classes.size(); ++number)
    {
        const FlowClass& flowClass = m_classes[number];
        if (flowClass.weight > 0 && !flowClass.open)
        {
            Note(number);
            Release(number);
            OpenClass(number);
        }
    }
    for (Share& share : m_shares)
    {
        share.passing = PreciseSum();
        share.fastest = 0;
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
SharingGraph::NoteLoad(uint32_t number)
{
    if (!m_resources[number].loadMoved)
    {
        m_resources[number].loadMoved = true;
        m_areApart ? void() : m_loadMoved.push_back(number);
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
        const bool moved = resource.HasMovedLoad(precision);
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

bool
SharingGraph::HasMovedLoad(double precision) const
{
    return std::any_of(m_loadMoved.begin(), m_loadMoved.end(), [&](uint32_t number) {
        return m_resources[number].HasMovedLoad(precision);
    });
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
