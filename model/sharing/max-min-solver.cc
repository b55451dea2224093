// SPDX-License-Identifier: GPL-2.0-only
#include "max-min-solver.h"

#include "max-min-certificate.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace ns3::rails
{

namespace
{

/// Loads that are still moving after so many rounds are left to the next solve.
constexpr uint32_t kLoadRounds = 100;

/// Loads that are still moving after so many rounds are counted by halves: where ACKs weigh as much
/// as data, each would otherwise make room for the other in turn, for ever.
constexpr uint32_t kWholeRounds = 8;

/// After so many rounds nothing that falls is counted any more: where ACKs weigh more than data,
/// one direction would otherwise take ever more from the other, and give ever less back.
constexpr uint32_t kFallingRounds = 50;

/// Levels are found in parts when so many resources changed at least, and to find the parts is
/// little beside it: so many uses and loads for each of these at most.
constexpr size_t kMuch = 256;
constexpr size_t kLookUps = 128;

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

MaxMinSolver::MaxMinSolver(uint32_t threads)
    : m_workers(threads)
{
    for (uint32_t worker = 0; worker < threads; ++worker)
    {
        m_sweeps.emplace_back(m_graph);
    }
}

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

void
MaxMinSolver::CheckUses(const std::vector<Use>& uses) const
{
    for (const Use& use : uses)
    {
        CheckAmount(use.share, "share");
        if (use.share == 0 || use.resource >= m_graph.GetResources().size())
        {
            throw std::logic_error("a share of 0, or of a resource that is not there");
        }
    }
}

uint32_t
MaxMinSolver::AddClass(const std::vector<Use>& uses, const std::vector<Use>& loads)
{
    if (uses.empty())
    {
        throw std::logic_error("a class of flows without uses");
    }
    CheckUses(uses);
    CheckUses(loads);
    return m_graph.AddClass(uses, loads);
}

void
MaxMinSolver::SetWeight(uint32_t number, double weight)
{
    CheckAmount(weight, "weight");
    if (weight > 0 && m_graph.GetClasses().at(number).uses == 0)
    {
        throw std::logic_error("weight of a class that was removed");
    }
    m_graph.SetWeight(number, weight);
}

void
MaxMinSolver::RemoveClass(uint32_t number)
{
    const FlowClass& flowClass = m_graph.GetClasses().at(number);
    if (flowClass.weight > 0 || flowClass.uses == 0)
    {
        throw std::logic_error(
            "removal of a class of flows that has weight, or was removed before");
    }
    m_graph.RemoveClass(number);
}

void
MaxMinSolver::Watch(uint32_t flowClass)
{
    m_graph.Watch(flowClass);
}

double
MaxMinSolver::GetRate(uint32_t flowClass) const
{
    return m_graph.GetRate(m_graph.GetClasses().at(flowClass));
}

uint32_t
MaxMinSolver::GetBottleneck(uint32_t flowClass) const
{
    return m_graph.GetClasses().at(flowClass).holder;
}

double
MaxMinSolver::GetLevel(uint32_t resource) const
{
    return m_graph.GetShare(resource).level;
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
    for (LevelSweep& sweep : m_sweeps)
    {
        sweep.SetPrecision(relative);
    }
}

MaxMinSolver::Statistics
MaxMinSolver::GetStatistics() const
{
    Statistics statistics{m_solves, m_parted, {}};
    for (const LevelSweep& sweep : m_sweeps)
    {
        const LevelSweep::Statistics& one = sweep.GetStatistics();
        statistics.sweeps.levels += one.levels;
        statistics.sweeps.touchedClasses += one.touchedClasses;
        statistics.sweeps.moves += one.moves;
        statistics.sweeps.restarts += one.restarts;
    }
    return statistics;
}

/// \return whether to know the parts is worth what it takes; it follows from sizes alone
bool
MaxMinSolver::IsMuch() const
{
    const size_t touched = m_graph.GetTouched().size();
    return touched >= kMuch &&
           (m_parts.IsKnown() || touched * kLookUps >= m_graph.CountIncidences());
}

/// Finds the levels that follow from what was touched.
void
MaxMinSolver::Sweep()
{
    if (m_graph.MayBeOpen())
    {
        m_parts.Forget();
    }
    const bool isDone =
        IsMuch() && m_parts.Sort(m_graph.GetTouched()).size() > 1 ? SweepApart() : SweepTogether();
    if (!isDone)
    {
        m_sweeps.front().Restart();
    }
    m_graph.ForgetOpen();
}

/// \return false when that came to no end
bool
MaxMinSolver::SweepTogether()
{
    LevelSweep& sweep = m_sweeps.front();
    m_graph.ForEachTouched([&sweep](uint32_t resource) { sweep.Look(resource); });
    return sweep.Run();
}

/// \return false when one of the parts came to no end
bool
MaxMinSolver::SweepApart()
{
    const std::vector<SharingParts::Resources>& parts = m_parts.GetSorted();
    m_graph.ForEachTouched([](uint32_t) {});
    std::atomic<bool> areDone{true};
    m_graph.BeginApart();
    m_workers.Run(parts.size(), [&](uint32_t worker, size_t part) {
        LevelSweep& sweep = m_sweeps[worker];
        for (const uint32_t resource : parts[part])
        {
            sweep.Look(resource);
        }
        if (!sweep.Run())
        {
            areDone = false;
        }
    });
    m_graph.EndApart();
    ++m_parted;
    return areDone;
}

const MaxMinSolver::Changes&
MaxMinSolver::Solve(Loads loads)
{
    ++m_solves;
    bool more = m_graph.CountLoads(m_loadPrecision, SharingGraph::Counting::Whole);
    const uint32_t rounds = loads == Loads::Final ? kLoadRounds : 1;
    for (uint32_t round = 0; round < rounds && (more || !m_graph.GetTouched().empty()); ++round)
    {
        Sweep();
        more = loads == Loads::Final && m_graph.CountLoads(m_loadPrecision, FindCounting(round));
    }
    m_graph.TakeChanges(m_changes);
#ifdef __SANITIZE_ADDRESS__
    if (loads == Loads::Final && m_graph.CountIncidences() < kLargest)
    {
        const std::string violation = FindViolation();
        if (!violation.empty())
        {
            throw std::logic_error(violation);
        }
    }
#endif
    return m_changes;
}

std::string
MaxMinSolver::FindViolation() const
{
    return rails::FindViolation(m_graph, m_sweeps.front().GetPrecision(), m_loadPrecision);
}

} // namespace ns3::rails
