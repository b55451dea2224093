// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/max-min-solver.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
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
    uint32_t AddResource(double capacity)
    {
        m_capacities.push_back(capacity);
        return m_solver.AddResource(capacity);
    }

    void SetCapacity(uint32_t resource, double capacity)
    {
        m_capacities[resource] = capacity;
        m_solver.SetCapacity(resource, capacity);
    }

    uint32_t AddClass(const Uses& uses, const Uses& loads, double weight)
    {
        const uint32_t number = m_solver.AddClass(uses, loads);
        m_classes.resize(std::max<size_t>(m_classes.size(), number + 1));
        m_classes[number] = {uses, loads, weight, 0, false};
        m_solver.SetWeight(number, weight);
        return number;
    }

    void SetWeight(uint32_t number, double weight)
    {
        m_classes[number].weight = weight;
        m_solver.SetWeight(number, weight);
    }

    void RemoveClass(uint32_t number)
    {
        SetWeight(number, 0);
        m_solver.RemoveClass(number);
    }

    MaxMinSolver& GetSolver()
    {
        return m_solver;
    }

    double GetWeight(uint32_t number) const
    {
        return m_classes[number].weight;
    }

    /// Solves both ways. \return what is different, or nothing
    std::string Compare(bool withCertificate)
    {
        std::vector<double> before;
        for (const PlainClass& plain : m_classes)
        {
            before.push_back(plain.solved);
        }
        const std::vector<uint32_t> changed = m_solver.Solve();
        if (!std::is_sorted(changed.begin(), changed.end()))
        {
            return "the changed classes are not in order";
        }
        Fill();
        for (uint32_t number = 0; number < m_classes.size(); ++number)
        {
            PlainClass& plain = m_classes[number];
            const double rate = m_solver.GetRate(number);
            const bool told = std::binary_search(changed.begin(), changed.end(), number);
            if (!(std::fabs(rate - plain.rate) <= 1e-9 * plain.rate))
            {
                return "class " + std::to_string(number) + " has the rate " + std::to_string(rate) +
                       " instead of " + std::to_string(plain.rate);
            }
            if (told != (rate != before[number]) && !(plain.weight == 0 && rate == 0))
            {
                return "class " + std::to_string(number) + " changed without being named, or not";
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
    };

    /// Fills again and again until the loads stay as they are.
    void Fill()
    {
        std::vector<double> loads(m_capacities.size(), 0);
        for (double moved = 1; moved > 0;)
        {
            FillBeside(loads);
            std::vector<double> now(m_capacities.size(), 0);
            for (const PlainClass& plain : m_classes)
            {
                for (const Use& load : plain.loads)
                {
                    now[load.resource] += plain.weight * load.share * plain.rate;
                }
            }
            moved = 0;
            for (size_t resource = 0; resource < loads.size(); ++resource)
            {
                const double difference = std::fabs(now[resource] - loads[resource]);
                moved = std::max(moved, difference - 1e-13 * m_capacities[resource]);
            }
            loads = now;
        }
    }

    void FillBeside(const std::vector<double>& loads)
    {
        std::vector<double> left;
        for (size_t resource = 0; resource < loads.size(); ++resource)
        {
            const double capacity = m_capacities[resource];
            left.push_back(std::max(capacity - loads[resource], capacity / 100));
        }
        size_t open = 0;
        for (PlainClass& plain : m_classes)
        {
            plain.stopped = plain.weight == 0;
            plain.rate = 0;
            open += plain.stopped ? 0 : 1;
        }
        double level = 0;
        while (open > 0)
        {
            std::vector<double> weights(left.size(), 0);
            for (const PlainClass& plain : m_classes)
            {
                for (const Use& use : plain.uses)
                {
                    weights[use.resource] += plain.stopped ? 0 : plain.weight * use.share;
                }
            }
            double rise = std::numeric_limits<double>::infinity();
            for (size_t resource = 0; resource < left.size(); ++resource)
            {
                if (weights[resource] > 0)
                {
                    rise = std::min(rise, left[resource] / weights[resource]);
                }
            }
            level += rise;
            std::vector<bool> full(left.size());
            for (size_t resource = 0; resource < left.size(); ++resource)
            {
                const double rest = left[resource] - rise * weights[resource];
                full[resource] = rest <= 1e-14 * m_capacities[resource];
                left[resource] = std::max(rest, 0.0);
            }
            for (PlainClass& plain : m_classes)
            {
                const bool stops = std::any_of(plain.uses.begin(), plain.uses.end(), [&](Use use) {
                    return full[use.resource];
                });
                if (!plain.stopped && stops)
                {
                    plain.stopped = true;
                    plain.rate = level;
                    --open;
                }
            }
        }
    }

    MaxMinSolver m_solver;
    std::vector<double> m_capacities;
    std::vector<PlainClass> m_classes;
};

/// Random arrivals, departures and changes in a network of its own.
class RandomHistory
{
  public:
    struct Shape
    {
        uint32_t resources;
        uint32_t classes; //!< at the same time, about
        uint32_t reach;   //!< a class uses resources that are at most so far apart
        bool loads;
        bool equal; //!< capacities, weights and shares are 1, so that most levels tie
    };

    RandomHistory(const Shape& shape, uint32_t seed)
        : m_shape(shape),
          m_random(seed)
    {
        for (uint32_t resource = 0; resource < shape.resources; ++resource)
        {
            m_plain.AddResource(DrawAmount(0.1, 10));
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

    Uses DrawUses(uint32_t first, double least, double most)
    {
        Uses uses;
        for (uint32_t number = Draw(4) + 1; number > 0; --number)
        {
            const uint32_t resource = (first + Draw(m_shape.reach)) % m_shape.resources;
            uses.push_back({resource, DrawAmount(least, most)});
        }
        return uses;
    }

    void ChangeOne()
    {
        const uint32_t kind = Draw(16);
        if (kind == 0)
        {
            m_plain.SetCapacity(Draw(m_shape.resources), Draw(8) == 0 ? 0 : DrawAmount(0.1, 10));
        }
        else if (kind < 3 && !m_present.empty())
        {
            const uint32_t flowClass = m_present[Draw(static_cast<uint32_t>(m_present.size()))];
            m_plain.SetWeight(flowClass, Draw(4) == 0 ? 0 : DrawAmount(0.5, 20));
        }
        else if (m_present.empty() || Draw(2 * m_shape.classes) >= m_present.size())
        {
            const uint32_t first = Draw(m_shape.resources);
            Uses loads = DrawUses(first, 0.005, 0.02);
            for (Use& load : loads)
            {
                load.share = std::min(load.share, 0.02);
            }
            const Uses uses = DrawUses(first, 0.2, 1);
            m_present.push_back(
                m_plain.AddClass(uses, m_shape.loads ? loads : Uses(), DrawAmount(0.5, 20)));
        }
        else
        {
            const uint32_t index = Draw(static_cast<uint32_t>(m_present.size()));
            m_plain.RemoveClass(m_present[index]);
            m_present[index] = m_present.back();
            m_present.pop_back();
        }
    }

    Shape m_shape;
    std::mt19937 m_random;
    PlainFilling m_plain;
    std::vector<uint32_t> m_present;
};

void
Follow(const RandomHistory::Shape& shape, uint32_t seeds, uint32_t steps)
{
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        RandomHistory history(shape, seed);
        for (uint32_t step = 0; step < steps; ++step)
        {
            history.Step();
            ASSERT_EQ(history.Get().Compare(step % 16 == 0), "") << "seed " << seed << ", step " << step;
        }
    }
}

} // namespace

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
