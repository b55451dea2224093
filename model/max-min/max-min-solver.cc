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

/// Loads that still change after this many rounds are left to the next solve.
constexpr uint32_t kLoadRounds = 100;

/// After this many rounds only half of each change of a load counts: where ACKs weigh as much as
/// data, rates and loads would otherwise oscillate forever.
constexpr uint32_t kWholeRounds = 8;

/// After this many rounds decreases of loads no longer count: where ACKs weigh more than data, one
/// direction would otherwise take ever more capacity from the other.
constexpr uint32_t kFallingRounds = 50;

/// Fair shares are computed in parts when at least kMuch constraints changed, and finding the parts
/// is cheap in comparison: at most kLookUps uses and loads per changed constraint.
constexpr size_t kMuch = 256;
constexpr size_t kLookUps = 128;

#ifdef __SANITIZE_ADDRESS__
/// Sanitized builds check systems with fewer uses than this after each solve.
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

MaxMinSystem::Counting
FindCounting(uint32_t round)
{
    if (round < kWholeRounds)
    {
        return MaxMinSystem::Counting::Whole;
    }
    return round < kFallingRounds ? MaxMinSystem::Counting::Half
                                  : MaxMinSystem::Counting::HalfOfRises;
}

} // namespace

uint32_t
MaxMinSolver::AddConstraint(double capacity)
{
    CheckAmount(capacity, "capacity");
    return m_system.AddConstraint(capacity);
}

void
MaxMinSolver::SetCapacity(uint32_t constraint, double capacity)
{
    CheckAmount(capacity, "capacity");
    m_system.SetCapacity(constraint, capacity);
}

void
MaxMinSolver::CheckUses(const std::vector<Use>& uses) const
{
    for (const Use& use : uses)
    {
        CheckAmount(use.share, "share");
        if (use.share == 0 || use.constraint >= m_system.GetConstraints().size())
        {
            throw std::logic_error("a share of 0, or of a resource that is not there");
        }
    }
}

uint32_t
MaxMinSolver::AddVariable(const std::vector<Use>& uses, const std::vector<Use>& loads)
{
    if (uses.empty())
    {
        throw std::logic_error("a class of flows without uses");
    }
    CheckUses(uses);
    CheckUses(loads);
    return m_system.AddVariable(uses, loads);
}

void
MaxMinSolver::SetWeight(uint32_t number, double weight)
{
    CheckAmount(weight, "weight");
    if (weight > 0 && m_system.GetVariables().at(number).uses == 0)
    {
        throw std::logic_error("weight of a class that was removed");
    }
    m_system.SetWeight(number, weight);
}

void
MaxMinSolver::RemoveVariable(uint32_t number)
{
    const Variable& variable = m_system.GetVariables().at(number);
    if (variable.weight > 0 || variable.uses == 0)
    {
        throw std::logic_error(
            "removal of a class of flows that has weight, or was removed before");
    }
    m_system.RemoveVariable(number);
}

void
MaxMinSolver::Watch(uint32_t variable)
{
    m_system.Watch(variable);
}

double
MaxMinSolver::GetRate(uint32_t variable) const
{
    return m_system.GetRate(m_system.GetVariables().at(variable));
}

uint32_t
MaxMinSolver::GetBottleneck(uint32_t variable) const
{
    return m_system.GetVariables().at(variable).bottleneck;
}

double
MaxMinSolver::GetFairShare(uint32_t constraint) const
{
    return m_system.GetState(constraint).fairShare;
}

double
MaxMinSolver::GetCapacity(uint32_t constraint) const
{
    return m_system.GetConstraints().at(constraint).capacity;
}

double
MaxMinSolver::GetWeight(uint32_t variable) const
{
    return m_system.GetVariables().at(variable).weight;
}

bool
MaxMinSolver::IsUsed(uint32_t constraint) const
{
    return m_system.GetConstraints().at(constraint).HasMembers();
}

double
MaxMinSolver::GetLoad(uint32_t constraint) const
{
    return m_system.GetLoad(constraint);
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
    m_sweep.SetPrecision(relative);
}

MaxMinSolver::Statistics
MaxMinSolver::GetStatistics() const
{
    return {m_solves, m_parted, m_sweep.GetStatistics()};
}

/// \return true when computing in parts pays; it depends only on sizes
bool
MaxMinSolver::IsMuch() const
{
    const size_t isTouched = m_system.GetTouched().size();
    return isTouched >= kMuch &&
           (m_parts.IsKnown() || isTouched * kLookUps >= m_system.CountElements());
}

/// Computes the fair shares after changes of the touched constraints.
void
MaxMinSolver::Sweep()
{
    if (m_system.MayHaveUnfrozen())
    {
        m_parts.Forget();
    }
    const bool isDone =
        IsMuch() && m_parts.Sort(m_system.GetTouched()).size() > 1 ? SweepApart() : SweepTogether();
    if (!isDone)
    {
        m_sweep.Restart();
    }
    m_system.ForgetUnfrozen();
}

/// \return false when the computation gave up
bool
MaxMinSolver::SweepTogether()
{
    m_system.ForEachTouched([this](uint32_t constraint) { m_sweep.Examine(constraint); });
    return m_sweep.Run();
}

/// \return false when the computation of some part gave up
bool
MaxMinSolver::SweepApart()
{
    m_system.ForEachTouched([](uint32_t) {});
    bool areDone = true;
    for (const IndependentParts::Constraints& part : m_parts.GetSorted())
    {
        for (const uint32_t constraint : part)
        {
            m_sweep.Examine(constraint);
        }
        areDone = m_sweep.Run() && areDone;
    }
    ++m_parted;
    return areDone;
}

const MaxMinSolver::Changes&
MaxMinSolver::Solve(Loads loads)
{
    ++m_solves;
    bool more = m_system.CountLoads(m_loadPrecision, MaxMinSystem::Counting::Whole);
    const uint32_t rounds = loads == Loads::Final ? kLoadRounds : 1;
    for (uint32_t round = 0; round < rounds && (more || !m_system.GetTouched().empty()); ++round)
    {
        Sweep();
        more = loads == Loads::Final && m_system.CountLoads(m_loadPrecision, FindCounting(round));
    }
    m_system.TakeChanges(m_changes);
#ifdef __SANITIZE_ADDRESS__
    if (loads == Loads::Final && m_system.CountElements() < kLargest)
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
    return rails::FindViolation(m_system, m_sweep.GetPrecision(), m_loadPrecision);
}

} // namespace ns3::rails
