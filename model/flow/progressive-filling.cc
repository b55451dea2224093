// SPDX-License-Identifier: GPL-2.0-only
#include "progressive-filling.h"

#include <algorithm>
#include <cmath>

namespace ns3::rails
{

namespace
{

/// A rate that moved by less than this part is left as it was.
constexpr double kSame = 1e-13;

} // namespace

ProgressiveFilling::ProgressiveFilling(SharingGraph& graph)
    : m_graph(graph)
{
}

void
ProgressiveFilling::Forget()
{
    m_candidates.clear();
}

void
ProgressiveFilling::Fill(const std::vector<uint32_t>& classes,
                         const std::vector<uint32_t>& resources)
{
    Open(classes, resources);
    RaiseLevels(resources);
}

void
ProgressiveFilling::FillAll(const std::vector<uint32_t>& resources)
{
    OpenAll();
    RaiseLevels(resources);
}

bool
ProgressiveFilling::AreAllCandidates(uint32_t number) const
{
    const SharingGraph::Resource& resource = m_graph.GetResource(number);
    uint32_t left = resource.bottlenecked.size + resource.passing.size;
    ForEachCandidate(number, [&left](const Member&) { --left; });
    return left == 0;
}

/// Opens the classes that are to be filled, in front of all others.
void
ProgressiveFilling::Open(const std::vector<uint32_t>& classes,
                         const std::vector<uint32_t>& resources)
{
    for (const uint32_t resource : resources)
    {
        Filling& filling = m_graph.GetFilling(resource);
        filling.weight = PreciseSum();
        filling.open = 0;
        filling.first = kNone;
        filling.level = -1;
        filling.highest = 0;
    }
    for (const uint32_t number : classes)
    {
        FlowClass& flowClass = m_graph.GetClass(number);
        if (flowClass.weight == 0)
        {
            continue;
        }
        flowClass.open = true;
        uint32_t incidence = flowClass.first;
        for (const Incidence& use : m_graph.GetUses(flowClass))
        {
            Filling& filling = m_graph.GetFilling(use.resource);
            const double weight = flowClass.weight * use.share;
            filling.used.Add(-(weight * flowClass.rate));
            filling.weight.Add(weight);
            ++filling.open;
            m_candidates.push_back({{number, incidence++}, filling.first});
            filling.first = static_cast<uint32_t>(m_candidates.size() - 1);
        }
    }
}

/// Opens all classes; sums begin anew. Without lists of candidates: all members are.
void
ProgressiveFilling::OpenAll()
{
    for (Filling& filling : m_graph.GetFillings())
    {
        const double limit = filling.limit;
        filling = Filling();
        filling.limit = limit;
        filling.highest = 0;
    }
    for (FlowClass& flowClass : m_graph.GetClasses())
    {
        if (flowClass.weight == 0)
        {
            continue;
        }
        flowClass.open = true;
        for (const Incidence& use : m_graph.GetUses(flowClass))
        {
            Filling& filling = m_graph.GetFilling(use.resource);
            filling.weight.Add(flowClass.weight * use.share);
            ++filling.open;
        }
    }
}

/// The rates of all open classes rise until each is stopped.
void
ProgressiveFilling::RaiseLevels(const std::vector<uint32_t>& resources)
{
    m_levels.Clear();
    for (const uint32_t resource : resources)
    {
        const Filling& filling = m_graph.GetFilling(resource);
        if (filling.open > 0)
        {
            m_levels.Append({filling.GetLeft() / filling.weight.Get(), resource});
        }
    }
    m_levels.Build();
    double level = 0;
    while (!m_levels.IsEmpty())
    {
        const uint32_t resource = m_levels.GetLeast().resource;
        const Filling& filling = m_graph.GetFilling(resource);
        if (filling.open > 0)
        {
            const double left = filling.GetLeft();
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
ProgressiveFilling::StopAt(uint32_t resource, double level)
{
    Filling& filling = m_graph.GetFilling(resource);
    filling.level = level;
    const auto stop = [this, level](const Member& member) { StopClass(member, level); };
    if (filling.first == kNone)
    {
        m_graph.ForEachMember(m_graph.GetResource(resource), stop);
    }
    ForEachCandidate(resource, stop);
}

/// \param member a class, stopped already or not, and its use of the resource that is full
void
ProgressiveFilling::StopClass(const Member& member, double level)
{
    FlowClass& flowClass = m_graph.GetClass(member.flowClass);
    if (!flowClass.open)
    {
        return;
    }
    flowClass.open = false;
    if (std::fabs(flowClass.rate - level) > kSame * level)
    {
        flowClass.rate = level;
    }
    for (const Incidence& use : m_graph.GetUses(flowClass))
    {
        Filling& filling = m_graph.GetFilling(use.resource);
        const double weight = flowClass.weight * use.share;
        filling.used.Add(weight * flowClass.rate);
        filling.weight.Add(-weight);
        --filling.open;
        filling.highest = std::max(filling.highest, flowClass.rate);
    }
    m_graph.SetBottleneck(member.flowClass, member.incidence);
}

} // namespace ns3::rails
