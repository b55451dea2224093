// SPDX-License-Identifier: GPL-2.0-only
#ifndef MAX_MIN_SOLVER_H
#define MAX_MIN_SOLVER_H

/*
 * A worked example (a test makes these calls): three flows over two links, of capacity 10 and 4.
 *
 *            link 0: 10     link 1: 4
 *   "long"   -------------------------->
 *   "near"   ------------>
 *   "far"                   ----------->
 *
 *   MaxMinSolver solver;
 *   solver.AddConstraint(10);                  returns 0
 *   solver.AddConstraint(4);                   returns 1
 *   solver.AddVariable({{0, 1}, {1, 1}}, {});  returns 0: long uses both links
 *   solver.AddVariable({{0, 1}}, {});          returns 1: near
 *   solver.AddVariable({{1, 1}}, {});          returns 2: far
 *   solver.SetWeight(0, 1);                    there is one flow of each
 *   solver.SetWeight(1, 1);
 *   solver.SetWeight(2, 1);
 *   solver.Solve();                            all variables have a bottleneck now
 *
 * The rates rise together. At 2 link 1 is full: it is the bottleneck of long and far. Near rises to
 * 8, where its bottleneck, link 0, is full.
 *
 *   solver.GetRate(0), (1), (2);               return 2, 8 and 2
 *   solver.GetFairShare(0), (1);               return 8 and 2, the rates of variables there
 *   solver.GetLoad(0), (1);                    return 10 and 4
 *
 * Far ends. Long is the only flow on link 1, gets 4 there, and leaves 6 to near.
 *
 *   solver.SetWeight(2, 0);
 *   solver.Solve();                            both fair shares changed, no bottleneck
 *   solver.GetRate(0), (1), (2);               return 4, 6 and 0
 *
 * Two more flows like near begin. Link 0 is full when each of the four has 2.5: now it is the
 * bottleneck of long, and link 1 has capacity left.
 *
 *   solver.SetWeight(1, 3);
 *   solver.Solve();                            the bottleneck of variable 0 changed
 *   solver.GetRate(0), (1);                    return 2.5 and 2.5, of one flow each
 *   solver.GetLoad(0), (1);                    return 10 and 2.5
 */

#include "incremental-water-filling.h"
#include "independent-parts.h"
#include "max-min-system.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Max-min fair rates of flows that share constraints (Bertsekas and Gallager, "Data Networks",
 * section 6.5.2). The rates of all flows rise together; when a constraint is full, the flows that
 * use it stop there. Flows with the same constraints are one variable with a weight. A variable of
 * weight w whose flows have the rate x takes w * share * x of each constraint that it uses.
 *
 * Rates are max-min fair exactly if no constraint exceeds its capacity and each flow has a
 * bottleneck: a full constraint of the flow on which no flow is faster. So all flows with the same
 * bottleneck have the same rate, the fair share of that constraint, which is stored once. After a
 * change few flows get another bottleneck, but many get another rate. IncrementalWaterFilling
 * computes only the fair shares that a change reaches; all others stay.
 *
 * Loads (acknowledgements, which have priority) are subtracted from the capacity before the flows
 * share it. Loads depend on rates: rates and loads are computed in turn until no load changes. This
 * converges when loads are small compared with the capacities.
 *
 * After large changes, fair shares are computed in independent parts, one part after the other:
 * equal fair shares of two parts are rounded separately.
 *
 * The same calls in the same order give the same bits with any compiler and processor.
 */
class MaxMinSolver
{
  public:
    /// Use of a constraint by one flow: a share of its rate.
    using Use = MaxMinSystem::Use;

    /// Changes of rates: by bottleneck, since most variables keep their bottleneck.
    using Changes = MaxMinSystem::Changes;

    /// Operation counts.
    struct Statistics
    {
        uint64_t solves{0};
        uint64_t parted{0}; //!< solves in several parts
        IncrementalWaterFilling::Statistics sweeps;
    };

    MaxMinSolver() = default;
    MaxMinSolver(const MaxMinSolver&) = delete;
    MaxMinSolver& operator=(const MaxMinSolver&) = delete;

    /**
     * \param capacity in any unit, the same for all constraints
     * \return the number of the constraint, from 0 on
     * \throw std::logic_error when the capacity is negative or not finite
     */
    uint32_t AddConstraint(double capacity);

    /// \throw std::logic_error as AddConstraint() does
    void SetCapacity(uint32_t constraint, double capacity);

    /**
     * Adds a variable for flows with the same constraints. Its weight is 0 at first: no flow.
     * \param uses limit its flows; uses of the same constraint are added up
     * \param loads have priority over all flows: they reduce the capacity for flows (to at least 1
     * % of the capacity), but do not limit the variable that causes them
     * \return the number of the variable; numbers of removed variables are reused
     * \throw std::logic_error without uses, or when a share is not a positive finite number
     */
    uint32_t AddVariable(const std::vector<Use>& uses, const std::vector<Use>& loads);

    /**
     * Sets the number of flows of weight 1 in a variable.
     * \throw std::logic_error when the weight is negative or not finite
     */
    void SetWeight(uint32_t variable, double weight);

    /// \throw std::logic_error unless the weight is 0
    void RemoveVariable(uint32_t variable);

    /// Changes::watched will list the variable when its rate changes.
    void Watch(uint32_t variable);

    /// Loads that Solve() counts.
    enum class Loads
    {
        Final, //!< loads at the new rates
        Before //!< loads at the previous rates; IsBehind() is true when the difference matters
    };

    /**
     * Computes the rates after all changes since the last call.
     * \return the changed fair shares, and the variables with another bottleneck than after the
     * last call; in ascending order, and valid until the next call
     */
    const Changes& Solve(Loads loads = Loads::Final);

    /// \return true when loads have changed that are not counted yet
    bool IsBehind() const
    {
        return m_system.HasMovedLoad(m_loadPrecision);
    }

    /// \return rate of one flow of weight 1 since the last Solve(); 0 when the weight of the
    /// variable or the capacity of one of its constraints is 0
    double GetRate(uint32_t variable) const;

    /// \return the bottleneck of a variable with weight since the last Solve()
    uint32_t GetBottleneck(uint32_t variable) const;

    /// \return the rate of all variables bottlenecked at a constraint; 0 without such variables
    double GetFairShare(uint32_t constraint) const;

    double GetWeight(uint32_t variable) const;

    double GetCapacity(uint32_t constraint) const;
    /// \return true when a variable with weight uses a constraint
    bool IsUsed(uint32_t constraint) const;

    /// \return sum over all variables of their use of a constraint, including loads
    double GetLoad(uint32_t constraint) const;

    /**
     * Sets the precision of loads.
     * \param relative a load that changed by less than this part of its constraint's capacity keeps
     * its previous value; errors do not add up
     */
    void SetLoadPrecision(double relative);

    /**
     * Sets the precision of rates after a change. A fair share stays while its constraint exceeds
     * its capacity by at most this part, and while the variables bottlenecked there would gain or
     * lose at most this part, or are slower than others there by at most this part. So a change
     * spreads only as far as it matters. Errors do not add up.
     *
     * \param relative by default 0: rates as exact as floating-point numbers allow
     */
    void SetRatePrecision(double relative);

    /**
     * Checks from scratch that no constraint exceeds its capacity, and that each flow has a
     * bottleneck.
     * \return a sentence about the first violation; empty without one
     */
    std::string FindViolation() const;

    Statistics GetStatistics() const;

  private:
    using Variable = MaxMinSystem::Variable;

    void CheckUses(const std::vector<Use>& uses) const;
    void Sweep();
    bool IsMuch() const;
    bool SweepTogether();
    bool SweepApart();

    MaxMinSystem m_system;
    IndependentParts m_parts{m_system};
    IncrementalWaterFilling m_sweep{m_system};
    double m_loadPrecision{1e-11};
    Changes m_changes;
    uint64_t m_solves{0};
    uint64_t m_parted{0};
};

} // namespace ns3::rails

#endif // MAX_MIN_SOLVER_H
