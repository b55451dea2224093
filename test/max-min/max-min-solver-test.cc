// SPDX-License-Identifier: GPL-2.0-only
#include "../support/sanitized.h"

#include "ns3/max-min-solver.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails::test
{

namespace
{

using Use = MaxMinSolver::Use;
using Uses = std::vector<Use>;

/// A solver, and beside it what it was told, from which the rates are found the plain way.
class PlainFilling
{
  public:
    uint32_t AddConstraint(double capacity)
    {
        m_capacities.push_back(capacity);
        return m_solver.AddConstraint(capacity);
    }

    void SetCapacity(uint32_t constraint, double capacity)
    {
        m_capacities[constraint] = capacity;
        m_solver.SetCapacity(constraint, capacity);
    }

    uint32_t AddVariable(const Uses& uses, const Uses& loads, double weight)
    {
        const uint32_t number = m_solver.AddVariable(uses, loads);
        m_variables.resize(std::max<size_t>(m_variables.size(), number + 1));
        m_variables[number] = {uses, loads, weight, 0, false, 0};
        m_loads = m_loads || !loads.empty();
        if (number % 3 == 0)
        {
            m_variables[number].isWatched = true;
            m_solver.Watch(number);
        }
        m_solver.SetWeight(number, weight);
        return number;
    }

    void SetWeight(uint32_t number, double weight)
    {
        m_variables[number].weight = weight;
        m_solver.SetWeight(number, weight);
    }

    void RemoveVariable(uint32_t number)
    {
        SetWeight(number, 0);
        m_solver.RemoveVariable(number);
    }

    MaxMinSolver& GetSolver()
    {
        return m_solver;
    }

    /// Solves both ways. \return what is different, or nothing
    std::string Compare(bool withCertificate)
    {
        std::vector<double> before;
        for (const PlainClass& plain : m_variables)
        {
            before.push_back(plain.solved);
        }
        const MaxMinSolver::Changes& changes = m_solver.Solve();
        for (const auto* list : {&changes.fairShares, &changes.moved, &changes.watched})
        {
            if (!std::is_sorted(list->begin(), list->end()))
            {
                return "what changed is not in order";
            }
        }
        for (const uint32_t constraint : changes.fairShares)
        {
            m_queue.resize(m_capacities.size(), 0);
            const double moved = std::fabs(m_solver.GetFairShare(constraint) - m_queue[constraint]);
            m_queue[constraint] = m_solver.GetFairShare(constraint);
            // Loads may come back to what they were in many steps.
            if (!m_loads && moved < 1e-14 * m_queue[constraint])
            {
                return "resource " + std::to_string(constraint) + " is named for a rounding";
            }
        }
        Fill();
        for (uint32_t number = 0; number < m_variables.size(); ++number)
        {
            PlainClass& plain = m_variables[number];
            const double rate = m_solver.GetRate(number);
            if (!(std::fabs(rate - plain.rate) <= 1e-9 * plain.rate))
            {
                return "class " + std::to_string(number) + " has the rate " + std::to_string(rate) +
                       " instead of " + std::to_string(plain.rate);
            }
            const auto isIn = [](const std::vector<uint32_t>& list, uint32_t what) {
                return std::binary_search(list.begin(), list.end(), what);
            };
            const bool reported = isIn(changes.moved, number) ||
                                  isIn(changes.fairShares, m_solver.GetBottleneck(number));
            if (plain.weight > 0 && rate != before[number])
            {
                if (!reported)
                {
                    return "class " + std::to_string(number) + " changed without being named";
                }
                if (plain.isWatched && !isIn(changes.watched, number))
                {
                    return "class " + std::to_string(number) + " is watched, and not named";
                }
            }
            if (!plain.isWatched && isIn(changes.watched, number))
            {
                return "class " + std::to_string(number) + " is named, and not watched";
            }
            plain.solved = rate;
        }
        return withCertificate ? m_solver.FindViolation() : "";
    }

  private:
    struct PlainClass
    {
        Uses uses;
        Uses loads;
        double weight{0};
        double rate{0};
        bool stopped{false};
        double solved{0};
        bool isWatched{false};
    };

    /// Fills again and again until the loads stay as they are.
    void Fill()
    {
        std::vector<double> loads(m_capacities.size(), 0);
        double moved = 1;
        for (uint32_t round = 0; moved > 0; ++round)
        {
            ASSERT_LT(round, 50u) << "the loads do not come to rest";
            FillBeside(loads);
            std::vector<double> now(m_capacities.size(), 0);
            for (const PlainClass& plain : m_variables)
            {
                for (const Use& load : plain.loads)
                {
                    now[load.constraint] += plain.weight * load.share * plain.rate;
                }
            }
            moved = 0;
            for (size_t constraint = 0; constraint < loads.size(); ++constraint)
            {
                const double difference = std::fabs(now[constraint] - loads[constraint]);
                moved = std::max(moved,
                                 difference - 1e-12 * (m_capacities[constraint] + now[constraint]));
            }
            loads = now;
        }
    }

    void FillBeside(const std::vector<double>& loads)
    {
        std::vector<double> left;
        for (size_t constraint = 0; constraint < loads.size(); ++constraint)
        {
            const double capacity = m_capacities[constraint];
            left.push_back(std::max(capacity - loads[constraint], capacity / 100));
        }
        size_t unfrozen = 0;
        for (PlainClass& plain : m_variables)
        {
            plain.stopped = plain.weight == 0;
            plain.rate = 0;
            unfrozen += plain.stopped ? 0 : 1;
        }
        double fairShare = 0;
        while (unfrozen > 0)
        {
            std::vector<double> weights(left.size(), 0);
            for (const PlainClass& plain : m_variables)
            {
                for (const Use& use : plain.uses)
                {
                    weights[use.constraint] += plain.stopped ? 0 : plain.weight * use.share;
                }
            }
            double rise = std::numeric_limits<double>::infinity();
            for (size_t constraint = 0; constraint < left.size(); ++constraint)
            {
                if (weights[constraint] > 0)
                {
                    rise = std::min(rise, left[constraint] / weights[constraint]);
                }
            }
            fairShare += rise;
            std::vector<bool> full(left.size());
            for (size_t constraint = 0; constraint < left.size(); ++constraint)
            {
                const double rest = left[constraint] - rise * weights[constraint];
                full[constraint] = rest <= 1e-14 * m_capacities[constraint];
                left[constraint] = std::max(rest, 0.0);
            }
            for (PlainClass& plain : m_variables)
            {
                const bool stops = std::any_of(plain.uses.begin(), plain.uses.end(), [&](Use use) {
                    return full[use.constraint];
                });
                if (!plain.stopped && stops)
                {
                    plain.stopped = true;
                    plain.rate = fairShare;
                    --unfrozen;
                }
            }
        }
    }

    MaxMinSolver m_solver;
    std::vector<double> m_capacities;
    std::vector<PlainClass> m_variables;
    std::vector<double> m_queue; //!< by constraint, as they were told
    bool m_loads{false};         //!< some variables had some
};

/// Random arrivals, departures and changes in a network of its own.
class RandomHistory
{
  public:
    struct Shape
    {
        uint32_t constraints;
        uint32_t variables; //!< at the same time, about
        uint32_t reach;     //!< a variable uses constraints that are at most so far apart
        bool loads;
        bool equal; //!< capacities, weights and shares are 1, so that most fair shares tie
    };

    RandomHistory(const Shape& shape, uint32_t seed)
        : m_shape(shape),
          m_random(seed)
    {
        for (uint32_t constraint = 0; constraint < shape.constraints; ++constraint)
        {
            m_plain.AddConstraint(DrawCapacity());
        }
    }

    /// Changes something, or several things.
    void Step()
    {
        do
        {
            ChangeOne();
        } while (Draw(4) == 0);
    }

    PlainFilling& Get()
    {
        return m_plain;
    }

  private:
    uint32_t Draw(uint32_t number)
    {
        return static_cast<uint32_t>(m_random() % number);
    }

    double DrawAmount(double least, double most)
    {
        const double part = static_cast<double>(m_random()) / 4294967296.0;
        return m_shape.equal ? 1 : least * std::pow(most / least, part);
    }

    /// Loads have to be small beside capacities.
    double DrawCapacity()
    {
        return m_shape.loads ? DrawAmount(1, 3) : DrawAmount(0.1, 10);
    }

    Uses DrawUses(uint32_t first, double least, double most)
    {
        Uses uses;
        for (uint32_t number = Draw(4) + 1; number > 0; --number)
        {
            const uint32_t constraint = (first + Draw(m_shape.reach)) % m_shape.constraints;
            uses.push_back({constraint, DrawAmount(least, most)});
        }
        return uses;
    }

    void ChangeOne()
    {
        const uint32_t kind = Draw(16);
        if (kind == 0)
        {
            const uint32_t constraint = Draw(m_shape.constraints);
            m_plain.SetCapacity(constraint, Draw(8) == 0 ? 0 : DrawCapacity());
        }
        else if (kind < 3 && !m_present.empty())
        {
            const uint32_t variable = m_present[Draw(static_cast<uint32_t>(m_present.size()))];
            m_plain.SetWeight(variable, Draw(4) == 0 ? 0 : DrawAmount(0.5, 20));
        }
        else if (m_present.empty() || Draw(2 * m_shape.variables) >= m_present.size())
        {
            const uint32_t first = Draw(m_shape.constraints);
            const Uses loads = DrawUses(first, 0.001, 0.01);
            const Uses uses = DrawUses(first, 0.5, 1);
            m_present.push_back(
                m_plain.AddVariable(uses, m_shape.loads ? loads : Uses(), DrawAmount(0.5, 20)));
        }
        else
        {
            const uint32_t index = Draw(static_cast<uint32_t>(m_present.size()));
            m_plain.RemoveVariable(m_present[index]);
            m_present[index] = m_present.back();
            m_present.pop_back();
        }
    }

    Shape m_shape;
    std::mt19937 m_random;
    PlainFilling m_plain;
    std::vector<uint32_t> m_present;
};

/// Adds a variable that has weight.
uint32_t
AddFlow(MaxMinSolver& solver, const Uses& uses, double weight = 1, const Uses& loads = {})
{
    const uint32_t number = solver.AddVariable(uses, loads);
    solver.SetWeight(number, weight);
    return number;
}

void
ExpectNoChange(const MaxMinSolver::Changes& changes)
{
    EXPECT_TRUE(changes.fairShares.empty());
    EXPECT_TRUE(changes.moved.empty());
    EXPECT_TRUE(changes.watched.empty());
}

/// Adds groups of four flows that have nothing to do with each other. \return the variables
std::vector<uint32_t>
AddIslands(MaxMinSolver& solver, uint32_t islands)
{
    std::vector<uint32_t> variables;
    for (uint32_t island = 0; island < islands; ++island)
    {
        const uint32_t shared = solver.AddConstraint(1);
        for (const double capacity : {0.2, 0.3, 0.4, 0.5})
        {
            variables.push_back(
                AddFlow(solver, {{shared, 1}, {solver.AddConstraint(capacity), 1}}));
        }
    }
    return variables;
}

/// Compares after each step: 100,000 of all tests together, fewer in the slow sanitized build.
void
Follow(const RandomHistory::Shape& shape, uint32_t seeds, uint32_t steps)
{
    steps /= test::IsSanitized() ? 10 : 1;
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        RandomHistory history(shape, seed);
        for (uint32_t step = 0; step < steps; ++step)
        {
            history.Step();
            ASSERT_EQ(history.Get().Compare(step % 16 == 0), "")
                << "seed " << seed << ", step " << step;
        }
    }
}

} // namespace

TEST(MaxMinSolver, DoesWhatTheExampleInItsHeaderSays)
{
    using Numbers = std::vector<uint32_t>;
    MaxMinSolver solver;
    EXPECT_EQ(solver.AddConstraint(10), 0U);
    EXPECT_EQ(solver.AddConstraint(4), 1U);
    EXPECT_EQ(solver.AddVariable({{0, 1}, {1, 1}}, {}), 0U);
    EXPECT_EQ(solver.AddVariable({{0, 1}}, {}), 1U);
    EXPECT_EQ(solver.AddVariable({{1, 1}}, {}), 2U);
    solver.SetWeight(0, 1);
    solver.SetWeight(1, 1);
    solver.SetWeight(2, 1);
    EXPECT_EQ(solver.Solve().moved, (Numbers{0, 1, 2}));
    EXPECT_DOUBLE_EQ(solver.GetRate(0), 2);
    EXPECT_DOUBLE_EQ(solver.GetRate(1), 8);
    EXPECT_DOUBLE_EQ(solver.GetRate(2), 2);
    EXPECT_DOUBLE_EQ(solver.GetFairShare(0), 8);
    EXPECT_DOUBLE_EQ(solver.GetFairShare(1), 2);
    EXPECT_DOUBLE_EQ(solver.GetLoad(0), 10);
    EXPECT_DOUBLE_EQ(solver.GetLoad(1), 4);
    solver.SetWeight(2, 0);
    EXPECT_EQ(solver.Solve().fairShares, (Numbers{0, 1}));
    EXPECT_DOUBLE_EQ(solver.GetRate(0), 4);
    EXPECT_DOUBLE_EQ(solver.GetRate(1), 6);
    EXPECT_EQ(solver.GetRate(2), 0);
    solver.SetWeight(1, 3);
    EXPECT_EQ(solver.Solve().moved, Numbers{0});
    EXPECT_DOUBLE_EQ(solver.GetRate(0), 2.5);
    EXPECT_DOUBLE_EQ(solver.GetRate(1), 2.5);
    EXPECT_DOUBLE_EQ(solver.GetLoad(0), 10);
    EXPECT_DOUBLE_EQ(solver.GetLoad(1), 2.5);
}

TEST(MaxMinSolver, SharesAResourceEqually)
{
    MaxMinSolver solver;
    const uint32_t link = solver.AddConstraint(12);
    for (uint32_t sender = 0; sender < 8; ++sender)
    {
        EXPECT_EQ(AddFlow(solver, {{link, 1}, {solver.AddConstraint(10), 1}}), sender);
    }
    EXPECT_EQ(solver.Solve().moved.size(), 8u);
    for (uint32_t sender = 0; sender < 8; ++sender)
    {
        EXPECT_DOUBLE_EQ(solver.GetRate(sender), 1.5);
    }
    EXPECT_DOUBLE_EQ(solver.GetLoad(link), 12);
    EXPECT_DOUBLE_EQ(solver.GetLoad(link + 1), 1.5);
    ExpectNoChange(solver.Solve());
}

TEST(MaxMinSolver, LetsTheLongFlowOfAParkingLotHaveItsShareOfTheNarrowestLink)
{
    MaxMinSolver solver;
    Uses all;
    for (const double capacity : {10, 6, 8})
    {
        all.push_back({solver.AddConstraint(capacity), 1});
        AddFlow(solver, {all.back()});
    }
    const uint32_t through = AddFlow(solver, all);
    EXPECT_EQ(solver.Solve().moved, (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_DOUBLE_EQ(solver.GetRate(through), 3);
    EXPECT_DOUBLE_EQ(solver.GetRate(0), 7);
    EXPECT_DOUBLE_EQ(solver.GetRate(1), 3);
    EXPECT_DOUBLE_EQ(solver.GetRate(2), 5);
}

TEST(MaxMinSolver, GivesEachFlowOfAWeightTheSameRate)
{
    MaxMinSolver solver;
    const uint32_t link = solver.AddConstraint(12);
    const uint32_t one = AddFlow(solver, {{link, 1}});
    const uint32_t three = AddFlow(solver, {{link, 1}}, 3);
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(one), 3);
    EXPECT_DOUBLE_EQ(solver.GetRate(three), 3);
    EXPECT_EQ(solver.GetWeight(three), 3);
    solver.SetWeight(three, 0.5);
    EXPECT_EQ(solver.Solve().fairShares, std::vector<uint32_t>{link});
    EXPECT_DOUBLE_EQ(solver.GetRate(one), 8);
    EXPECT_DOUBLE_EQ(solver.GetRate(three), 8);
}

TEST(MaxMinSolver, TakesOnlyTheShareOfAUse)
{
    MaxMinSolver solver;
    const uint32_t left = solver.AddConstraint(4);
    const uint32_t right = solver.AddConstraint(4);
    const uint32_t split = AddFlow(solver, {{left, 0.5}, {right, 0.5}});
    const uint32_t whole = AddFlow(solver, {{right, 1}});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(split), 4.0 / 1.5);
    EXPECT_DOUBLE_EQ(solver.GetRate(whole), 4.0 / 1.5);
    solver.SetCapacity(left, 1);
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(split), 2);
    EXPECT_DOUBLE_EQ(solver.GetRate(whole), 3);
}

TEST(MaxMinSolver, AddsUpUsesOfTheSameResource)
{
    MaxMinSolver solver;
    const uint32_t link = solver.AddConstraint(6);
    const uint32_t twice = AddFlow(solver, {{link, 0.5}, {link, 1}});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(twice), 4);
}

/// Two flows of which each loads the other's link.
struct BothWays
{
    MaxMinSolver solver;
    const uint32_t forth = solver.AddConstraint(10);
    const uint32_t back = solver.AddConstraint(10);
    const uint32_t there = AddFlow(solver, {{forth, 1}}, 1, {{back, 0.02}});
    const uint32_t here = AddFlow(solver, {{back, 1}}, 1, {{forth, 0.02}});
};

TEST(MaxMinSolver, TakesLoadsAheadOfFlows)
{
    BothWays both;
    auto& [solver, forth, back, there, here] = both;
    solver.Solve(); // x + 0.02 x = 10
    EXPECT_NEAR(solver.GetRate(there), 10 / 1.02, 1e-9);
    EXPECT_NEAR(solver.GetRate(here), 10 / 1.02, 1e-9);
    EXPECT_NEAR(solver.GetLoad(back), 10, 1e-9);
    solver.SetWeight(here, 0);
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(there), 10);
    EXPECT_DOUBLE_EQ(solver.GetLoad(back), 0.2);
}

TEST(MaxMinSolver, LoadsOfTheRatesBeforeCountOnceAndAreBehindUntilTheyAreFinal)
{
    BothWays both;
    auto& [solver, forth, back, there, here] = both;
    EXPECT_FALSE(solver.IsBehind());
    solver.Solve(MaxMinSolver::Loads::Before);
    EXPECT_DOUBLE_EQ(solver.GetRate(there), 10) << "nothing was sent before";
    EXPECT_TRUE(solver.IsBehind());
    solver.Solve(MaxMinSolver::Loads::Before);
    EXPECT_DOUBLE_EQ(solver.GetRate(there), 10 - 0.2);
    EXPECT_DOUBLE_EQ(solver.GetRate(here), 10 - 0.2);
    EXPECT_TRUE(solver.IsBehind());
    solver.Solve();
    EXPECT_NEAR(solver.GetRate(there), 10 / 1.02, 1e-9);
    EXPECT_FALSE(solver.IsBehind());
}

TEST(MaxMinSolver, LeavesFlowsSomethingBesideLoads)
{
    MaxMinSolver solver;
    const uint32_t wide = solver.AddConstraint(100);
    const uint32_t narrow = solver.AddConstraint(1);
    AddFlow(solver, {{wide, 1}}, 1, {{narrow, 0.02}});
    const uint32_t starved = AddFlow(solver, {{narrow, 1}});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(starved), 0.01);
}

TEST(MaxMinSolver, LoadsAsLargeAsWhatCausesThemSettle)
{
    // Each of two flows loads the other's link as much as it uses its own: a message of a byte and
    // its ACK.
    MaxMinSolver solver;
    solver.SetLoadPrecision(1e-9);
    const uint32_t there = solver.AddConstraint(100);
    const uint32_t back = solver.AddConstraint(100);
    for (const double share : {0.5, 0.9, 1.0, 1.01})
    {
        const uint32_t one = solver.AddVariable({{there, 1}}, {{back, share}});
        const uint32_t other = solver.AddVariable({{back, 1}}, {{there, share}});
        solver.SetWeight(one, 1);
        solver.SetWeight(other, 1);
        solver.Solve();
        EXPECT_NEAR(solver.GetRate(one), 100 / (1 + share), 1e-4) << share;
        EXPECT_NEAR(solver.GetRate(other), 100 / (1 + share), 1e-4) << share;
        EXPECT_EQ(solver.FindViolation(), "") << share;
        for (const uint32_t variable : {one, other})
        {
            solver.SetWeight(variable, 0);
            solver.RemoveVariable(variable);
        }
        solver.Solve();
    }
}

TEST(MaxMinSolver, LoadsHeavierThanWhatCausesThemComeToRestWithoutTakingMoreThanThereIs)
{
    // Here rates beside loads are not unique, and one direction can starve the other.
    std::mt19937 random(12);
    const auto draw = [&random](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    for (int network = 0; network < 200; ++network)
    {
        MaxMinSolver solver;
        solver.SetLoadPrecision(1e-9);
        std::vector<uint32_t> variables;
        for (int i = 0; i < 6; ++i)
        {
            solver.AddConstraint(100);
        }
        for (int i = 0; i < 12; ++i)
        {
            const double share = 1 + 0.01 * draw(50);
            variables.push_back(solver.AddVariable({{draw(6), 1}, {draw(6), 1}},
                                                   {{draw(6), share}, {draw(6), share}}));
        }
        for (int change = 0; change < 10; ++change)
        {
            solver.SetWeight(variables[draw(12)], draw(3));
            solver.Solve();
            ASSERT_EQ(solver.FindViolation(), "") << network << " " << change;
        }
    }
}

TEST(MaxMinSolver, LeavesLoadsAsTheyAreWithinThePrecision)
{
    MaxMinSolver solver;
    solver.SetLoadPrecision(0.1);
    const uint32_t forth = solver.AddConstraint(10);
    const uint32_t back = solver.AddConstraint(10);
    AddFlow(solver, {{forth, 1}}, 1, {{back, 0.05}});
    const uint32_t here = AddFlow(solver, {{back, 1}});
    solver.Solve();
    EXPECT_EQ(solver.GetRate(here), 10);
    AddFlow(solver, {{forth, 1}}, 1, {{back, 1}});
    solver.Solve(); // 5 * 0.05 + 5 * 1
    EXPECT_DOUBLE_EQ(solver.GetRate(here), 4.75);
}

TEST(MaxMinSolver, StopsWhatUsesAResourceWithoutCapacity)
{
    MaxMinSolver solver;
    const uint32_t dead = solver.AddConstraint(4);
    const uint32_t shared = solver.AddConstraint(4);
    const uint32_t stopped = AddFlow(solver, {{dead, 1}, {shared, 1}});
    const uint32_t other = AddFlow(solver, {{shared, 1}});
    solver.Solve();
    solver.SetCapacity(dead, 0);
    EXPECT_EQ(solver.Solve().moved, std::vector<uint32_t>{stopped});
    EXPECT_EQ(solver.GetRate(stopped), 0);
    EXPECT_EQ(solver.GetRate(other), 4);
    solver.SetCapacity(dead, 1);
    solver.Solve();
    EXPECT_EQ(solver.GetRate(stopped), 1);
    EXPECT_EQ(solver.GetRate(other), 3);
}

/// Nothing is brought to a flow for a while, and then more than anything takes.
TEST(MaxMinSolver, ARateThatWasAsGoodAsUnlimitedLeavesNoRounding)
{
    MaxMinSolver solver;
    const uint32_t link = solver.AddConstraint(48997547406.976242);
    const uint32_t feed = solver.AddConstraint(0);
    const uint32_t other = solver.AddConstraint(25774921.375);
    const uint32_t fed = AddFlow(solver, {{link, 1}, {feed, 1}});
    AddFlow(solver, {{link, 1}, {other, 1}});
    solver.Solve();
    EXPECT_EQ(solver.GetRate(fed), 0);
    solver.SetCapacity(feed, 1e18);
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(fed), 48997547406.976242 - 25774921.375);
    EXPECT_EQ(solver.FindViolation(), "");
}

TEST(MaxMinSolver, HasNoRateForAClassWithoutWeight)
{
    MaxMinSolver solver;
    const uint32_t link = solver.AddConstraint(4);
    const uint32_t variable = solver.AddVariable({{link, 1}}, {});
    ExpectNoChange(solver.Solve());
    EXPECT_EQ(solver.GetRate(variable), 0);
    solver.SetWeight(variable, 1);
    solver.Solve();
    solver.SetWeight(variable, 0);
    EXPECT_EQ(solver.GetRate(variable), 0);
    EXPECT_TRUE(solver.Solve().moved.empty());
    EXPECT_EQ(solver.GetRate(variable), 0);
    EXPECT_EQ(solver.GetLoad(link), 0);
}

TEST(MaxMinSolver, UsesNumbersOfRemovedClassesAgain)
{
    MaxMinSolver solver;
    const uint32_t link = solver.AddConstraint(4);
    const uint32_t first = AddFlow(solver, {{link, 1}});
    solver.Solve();
    solver.SetWeight(first, 0);
    solver.RemoveVariable(first);
    const uint32_t second = AddFlow(solver, {{link, 1}, {link, 1}});
    EXPECT_EQ(solver.Solve().moved, std::vector<uint32_t>{second})
        << "a removed class does not change";
    EXPECT_EQ(AddFlow(solver, {{link, 1}}), first);
}

TEST(MaxMinSolver, RefusesWhatMakesNoSense)
{
    MaxMinSolver solver;
    const uint32_t link = solver.AddConstraint(4);
    EXPECT_THROW(solver.AddConstraint(-1), std::logic_error);
    EXPECT_THROW(solver.AddConstraint(std::numeric_limits<double>::infinity()), std::logic_error);
    EXPECT_THROW(solver.SetCapacity(link, std::nan("")), std::logic_error);
    EXPECT_THROW(solver.AddVariable({}, {{link, 1}}), std::logic_error);
    EXPECT_THROW(solver.AddVariable({{link, 0}}, {}), std::logic_error);
    EXPECT_THROW(solver.AddVariable({{link + 1, 1}}, {}), std::logic_error);
    EXPECT_THROW(solver.AddVariable({{link, 1}}, {{link, -1}}), std::logic_error);
    const uint32_t variable = AddFlow(solver, {{link, 1}});
    EXPECT_THROW(solver.SetWeight(variable, -1), std::logic_error);
    EXPECT_THROW(solver.RemoveVariable(variable), std::logic_error);
    solver.SetWeight(variable, 0);
    solver.RemoveVariable(variable);
    EXPECT_THROW(solver.RemoveVariable(variable), std::logic_error);
    EXPECT_THROW(solver.SetWeight(variable, 1), std::logic_error);
}

/// Class i uses constraints i and i + 1 and is bottlenecked by constraint i, which variable i - 1
/// uses, too.
TEST(MaxMinSolver, FollowsAChangeAlongAChain)
{
    constexpr uint32_t length = 40;
    MaxMinSolver solver;
    solver.AddConstraint(1);
    for (uint32_t link = 0; link < length; ++link)
    {
        solver.AddConstraint(2 * link + 3);
        AddFlow(solver, {{link, 1}, {link + 1, 1}});
    }
    AddIslands(solver, 1000);
    solver.Solve();
    for (const double moved : {0.25, 0.0, -0.25})
    {
        const uint64_t isTouched = solver.GetStatistics().sweeps.changedVariables;
        solver.SetCapacity(0, 1 + moved);
        EXPECT_EQ(solver.Solve().fairShares.size(), length);
        for (uint32_t link = 0; link < length; ++link)
        {
            EXPECT_DOUBLE_EQ(solver.GetRate(link), link + 1 + (link % 2 == 0 ? moved : -moved));
        }
        EXPECT_EQ(solver.FindViolation(), "");
        EXPECT_LE(solver.GetStatistics().sweeps.changedVariables - isTouched, length);
    }
}

TEST(MaxMinSolver, TouchesOnlyWhatIsNearAChange)
{
    MaxMinSolver solver;
    const std::vector<uint32_t> variables = AddIslands(solver, 1000);
    solver.Solve();
    const uint64_t isTouched = solver.GetStatistics().sweeps.changedVariables;
    EXPECT_EQ(isTouched, variables.size());
    for (uint32_t departures = 0; departures < 100; ++departures)
    {
        solver.SetWeight(variables[departures * 37], 0);
        solver.Solve();
    }
    EXPECT_LE(solver.GetStatistics().sweeps.changedVariables - isTouched, 100u * 3 * 2)
        << "no class is set more than twice";
    const uint64_t fairShares = solver.GetStatistics().sweeps.fairShares;
    solver.SetWeight(variables[37], 1);
    solver.Solve();
    EXPECT_LE(solver.GetStatistics().sweeps.fairShares - fairShares, 4u);
    EXPECT_EQ(solver.FindViolation(), "");
}

/// When one flow of an all-to-all ends, the others of its sender are still bottlenecked by
/// receivers.
TEST(MaxMinSolver, ChangesNoRateThatOthersHoldBack)
{
    constexpr uint32_t nics = 32;
    MaxMinSolver solver;
    for (uint32_t nic = 0; nic < 2 * nics; ++nic)
    {
        solver.AddConstraint(1 / 3.0);
    }
    for (uint32_t flow = 0; flow < nics * nics; ++flow)
    {
        AddFlow(solver, {{flow / nics, 1}, {nics + flow % nics, 1}});
    }
    EXPECT_EQ(solver.Solve().moved.size(), nics * nics);
    const double rate = solver.GetRate(0);
    for (uint32_t flow = 0; flow < nics * nics; ++flow)
    {
        EXPECT_EQ(solver.GetRate(flow), rate);
    }
    solver.SetWeight(100, 0);
    solver.Solve();
    for (uint32_t flow = 0; flow < nics * nics; ++flow)
    {
        EXPECT_EQ(solver.GetRate(flow), flow == 100 ? 0 : rate);
    }
    EXPECT_LE(solver.GetStatistics().sweeps.changedVariables, nics * nics + 3 * nics);
}

/// Each departure gives the others 0.1 % more, which does not matter; ten of them do.
TEST(MaxMinSolver, LetsSmallChangesAddUpUntilTheyMatter)
{
    constexpr uint32_t flows = 1000;
    MaxMinSolver solver;
    solver.SetRatePrecision(0.01);
    const uint32_t link = solver.AddConstraint(1);
    for (uint32_t flow = 0; flow < flows; ++flow)
    {
        AddFlow(solver, {{link, 1}});
    }
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(flows - 1), 1.0 / flows);
    uint32_t renewals = 0;
    for (uint32_t gone = 1; gone <= flows / 2; ++gone)
    {
        solver.SetWeight(gone, 0);
        renewals += solver.Solve().fairShares.empty() ? 0 : 1;
        const double fair = 1.0 / (flows - gone);
        ASSERT_NEAR(solver.GetRate(0), fair, 0.011 * fair);
        ASSERT_EQ(solver.FindViolation(), "");
    }
    EXPECT_GT(renewals, 50u);
    EXPECT_LT(renewals, 75u);
}

/// One of two flows is set anew with each step, and the other must not fall behind.
TEST(MaxMinSolver, ComparesWithTheSlowestAtABottleneck)
{
    MaxMinSolver solver;
    solver.SetRatePrecision(0.1);
    const uint32_t link = solver.AddConstraint(1);
    const uint32_t renewed = AddFlow(solver, {{link, 1}});
    const uint32_t other = AddFlow(solver, {{link, 1}});
    AddIslands(solver, 10); // or it would be quicker to set all anew
    solver.Solve();
    for (uint32_t step = 1; step <= 20; ++step)
    {
        solver.SetCapacity(link, 1 + 0.03 * step);
        solver.SetWeight(renewed, 1 + 1e-6 * step);
        solver.Solve();
        EXPECT_LE(solver.GetRate(renewed), 1.1 * solver.GetRate(other));
    }
}

/// The same fair share is reached by sums of many different shares.
TEST(MaxMinSolver, HasOneRateForAllWhereLevelsTie)
{
    constexpr uint32_t side = 20;
    MaxMinSolver solver;
    for (uint32_t constraint = 0; constraint < 2 * side; ++constraint)
    {
        solver.AddConstraint(0.7);
    }
    std::mt19937 random(20);
    std::vector<double> shares;
    for (uint32_t share = 0; share < side; ++share)
    {
        shares.push_back((1 + random() % 1000) / 1000.0);
    }
    for (uint32_t flow = 0; flow < side * side; ++flow)
    {
        const double share = shares[(flow / side + flow) % side];
        AddFlow(solver, {{flow / side, share}, {side + flow % side, share}});
    }
    const auto countRates = [&solver] {
        std::set<double> rates;
        for (uint32_t flow = 0; flow < side * side; ++flow)
        {
            rates.insert(solver.GetRate(flow));
        }
        return rates.size();
    };
    solver.Solve();
    EXPECT_EQ(countRates(), 1u);
    solver.SetCapacity(0, 0.35);
    solver.Solve();
    solver.SetCapacity(0, 0.7);
    solver.Solve();
    EXPECT_LE(countRates(), 2u) << "the rate before, and as good as that one";
}

TEST(MaxMinSolver, KeepsTheCertificateToThePrecisionOfRates)
{
    for (uint32_t seed = 1; seed <= 5; ++seed)
    {
        RandomHistory history({80, 150, 5, seed % 2 == 0, false}, seed);
        MaxMinSolver& solver = history.Get().GetSolver();
        solver.SetRatePrecision(0.02);
        for (uint32_t step = 0; step < 200; ++step)
        {
            history.Step();
            solver.Solve();
            ASSERT_EQ(solver.FindViolation(), "") << "seed " << seed << ", step " << step;
        }
    }
}

TEST(MaxMinSolver, FindsARateThatIsNotFair)
{
    MaxMinSolver solver;
    const uint32_t link = solver.AddConstraint(4);
    AddFlow(solver, {{link, 1}});
    EXPECT_EQ(solver.FindViolation(), "class 0 could be faster");
    solver.Solve();
    EXPECT_EQ(solver.FindViolation(), "");
    solver.SetCapacity(link, 3);
    EXPECT_EQ(solver.FindViolation(), "resource 0 gives more than it has");
}

/// Parts of a network that have nothing to do with each other, until a variable joins two of them.
class PartsOfANetwork
{
  public:
    PartsOfANetwork(uint32_t seed, bool equal)
        : m_random(seed),
          m_equal(equal)
    {
        for (uint32_t constraint = 0; constraint < kParts * kResources; ++constraint)
        {
            const double capacity = DrawAmount(1, 3);
            m_solver.AddConstraint(capacity);
        }
        for (uint32_t number = 0; number < kParts * kClasses; ++number)
        {
            Add(number % kParts, number % kParts);
        }
    }

    /// Changes most of all parts, and once in a while joins two of them for a time.
    void Step()
    {
        for (uint32_t& number : m_present)
        {
            const uint32_t kind = Draw(8);
            const double weight = kind == 0 ? 0 : DrawAmount(0.5, 20);
            m_solver.SetWeight(number, weight);
            if (weight == 0)
            {
                m_solver.RemoveVariable(number);
                m_watched.erase(number);
                number = m_present.back();
                m_present.pop_back();
                const uint32_t part = Draw(kParts);
                Add(part, Draw(4) == 0 ? Draw(kParts) : part);
                break;
            }
        }
        for (uint32_t constraint = 0; constraint < kParts * kResources; ++constraint)
        {
            const double capacity = DrawAmount(1, 3);
            m_solver.SetCapacity(constraint, capacity);
        }
    }

    /// \return what is not as it has to be; or nothing
    std::string Solve()
    {
        const MaxMinSolver::Changes& changes = m_solver.Solve();
        std::string wrong = m_solver.FindViolation();
        for (const uint32_t number : changes.watched)
        {
            m_watched.erase(number);
        }
        for (const auto& [number, rate] : m_watched)
        {
            wrong += m_solver.GetRate(number) != rate ? "a rate that was watched; " : "";
        }
        m_watched.clear();
        for (const uint32_t number : m_present)
        {
            if (m_areWatched.count(number) > 0)
            {
                m_watched[number] = m_solver.GetRate(number);
            }
        }
        return wrong;
    }

    MaxMinSolver::Statistics GetStatistics() const
    {
        return m_solver.GetStatistics();
    }

  private:
    static constexpr uint32_t kParts = 40;
    static constexpr uint32_t kResources = 12; // of a part
    static constexpr uint32_t kClasses = 20;

    uint32_t Draw(uint32_t number)
    {
        return static_cast<uint32_t>(m_random() % number);
    }

    double DrawAmount(double least, double most)
    {
        const double part = static_cast<double>(m_random()) / 4294967296.0;
        return m_equal ? 1 + Draw(2) : least * std::pow(most / least, part);
    }

    /// A variable that uses constraints of one part, and loads or uses some of another, or the same
    /// one.
    void Add(uint32_t one, uint32_t other)
    {
        Uses uses;
        Uses loads;
        for (const uint32_t part : {one, Draw(2) == 0 ? one : other, one})
        {
            uses.push_back({part * kResources + Draw(kResources), DrawAmount(0.5, 1)});
            loads.push_back({other * kResources + Draw(kResources), 0.002});
        }
        const double weight = DrawAmount(0.5, 20);
        const bool isWatched = Draw(3) == 0;
        const uint32_t number = m_solver.AddVariable(uses, loads);
        isWatched ? m_solver.Watch(number) : void();
        m_solver.SetWeight(number, weight);
        isWatched ? void(m_areWatched.insert(number)) : void(m_areWatched.erase(number));
        m_watched.erase(number);
        m_present.push_back(number);
    }

    std::mt19937 m_random;
    bool m_equal;
    MaxMinSolver m_solver;
    std::vector<uint32_t> m_present;
    std::set<uint32_t> m_areWatched;
    std::map<uint32_t, double> m_watched; // their rates before
};

TEST(MaxMinSolver, PartsAreFairWhoeverJoinsThem)
{
    for (uint32_t seed = 1; seed <= 6; ++seed)
    {
        PartsOfANetwork parts(seed, seed % 3 == 0);
        const uint32_t steps = test::IsSanitized() ? 10 : 60;
        for (uint32_t step = 0; step < steps; ++step)
        {
            ASSERT_EQ(parts.Solve(), "") << "seed " << seed << ", step " << step;
            parts.Step();
        }
        EXPECT_GE(parts.GetStatistics().parted, steps);
    }
}

TEST(MaxMinSolver, LooksForPartsOnlyWhereMuchChanges)
{
    MaxMinSolver solver;
    const std::vector<uint32_t> variables = AddIslands(solver, 100);
    solver.Solve();
    EXPECT_EQ(solver.GetStatistics().parted, 1U);
    solver.SetWeight(variables[0], 2);
    solver.SetWeight(variables[399], 2);
    solver.Solve();
    EXPECT_EQ(solver.GetStatistics().parted, 1U);
    for (const uint32_t variable : variables)
    {
        solver.SetWeight(variable, 3);
    }
    solver.Solve();
    EXPECT_EQ(solver.GetStatistics().parted, 2U);
    EXPECT_EQ(solver.FindViolation(), "");
}

TEST(MaxMinSolver, EqualsPlainFillingInSmallNetworks)
{
    Follow({6, 8, 6, false, false}, 20, 2000);
}

TEST(MaxMinSolver, EqualsPlainFillingWhenMostLevelsTie)
{
    Follow({12, 24, 6, false, true}, 10, 2000);
}

TEST(MaxMinSolver, EqualsPlainFillingWithLoads)
{
    Follow({10, 14, 5, true, false}, 10, 1500);
}

TEST(MaxMinSolver, EqualsPlainFillingAlongChains)
{
    Follow({60, 50, 4, false, false}, 10, 2000);
}

TEST(MaxMinSolver, EqualsPlainFillingInCrowds)
{
    Follow({40, 120, 40, false, false}, 5, 1000);
}

} // namespace ns3::rails::test
