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
    Filling filling;
    filling.limit = capacity;
    m_fillings.push_back(filling);
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
    flowClass.rate = 0;
}

void
SharingGraph::ReleaseNumber(uint32_t number)
{
    m_unusedClasses.push_back(number);
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
            TakeOutOf(resource.bottlenecked, index);
            --resource.freed;
        }
        else
        {
            TakeOutOf(resource.passing, index);
        }
        if (!resource.HasMembers())
        {
            m_fillings[at].used = PreciseSum();
            resource.fastest = 0;
        }
    }
    flowClass.bottleneck = kNone;
    for (const Incidence& load : GetLoads(flowClass))
    {
        Resource& resource = m_resources[load.resource];
        if (--resource.loads == 0)
        {
            resource.load = PreciseSum();
        }
    }
}

void
SharingGraph::TakeOutOf(MemberLists::List& list, uint32_t incidence)
{
    const uint32_t slot = m_incidences[incidence].slot;
    const Member moved = m_members.Remove(list, slot);
    m_incidences[moved.incidence].slot = slot;
}

void
SharingGraph::SetBottleneck(uint32_t number, uint32_t incidence)
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

void
SharingGraph::SetWeight(uint32_t number, double weight)
{
    FlowClass& flowClass = m_classes[number];
    for (const Incidence& use : GetUses(flowClass))
    {
        PreciseSum& used = m_fillings[use.resource].used;
        used.Add(-(flowClass.weight * use.share * flowClass.rate));
        used.Add(weight * use.share * flowClass.rate);
        Touch(use.resource);
    }
    for (const Incidence& load : GetLoads(flowClass))
    {
        MoveLoad(load, -(flowClass.weight * load.share * flowClass.rate));
        MoveLoad(load, weight * load.share * flowClass.rate);
    }
    flowClass.weight = weight;
}

void
SharingGraph::MoveLoads(const FlowClass& flowClass, double before)
{
    for (const Incidence& load : GetLoads(flowClass))
    {
        const double weight = flowClass.weight * load.share;
        MoveLoad(load, -(weight * before));
        MoveLoad(load, weight * flowClass.rate);
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
    if (limit != m_fillings[resource].limit)
    {
        m_fillings[resource].limit = limit;
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
