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
 *   solver.AddResource(10);                  returns 0
 *   solver.AddResource(4);                   returns 1
 *   solver.AddClass({{0, 1}, {1, 1}}, {});   returns 0: long takes as much as its rate of both
 *   solver.AddClass({{0, 1}}, {});           returns 1: near
 *   solver.AddClass({{1, 1}}, {});           returns 2: far
 *   solver.SetWeight(0, 1);                  there is one flow of each
 *   solver.SetWeight(1, 1);
 *   solver.SetWeight(2, 1);
 *   solver.Solve();                          all classes have a bottleneck now
 *
 * The rates rise together. At 2 link 1 is full: there long and far stop, of which it is the
 * bottleneck. Near goes on to 8, where link 0 is full, its bottleneck.
 *
 *   solver.GetRate(0), (1), (2);             return 2, 8 and 2
 *   solver.GetLevel(0), (1);                 return 8 and 2: the rate of those held back there
 *   solver.GetLoad(0), (1);                  return 10 and 4
 *
 * Far ends. Long has link 1 for itself, up to 4, and leaves 6 to near.
 *
 *   solver.SetWeight(2, 0);
 *   solver.Solve();                          the levels of links {0, 1} changed, no class moved
 *   solver.GetRate(0), (1), (2);             return 4, 6 and 0
 *
 * Two more flows begin that are like near. Link 0 is full when each of the four has 2.5: now it is
 * the bottleneck of long, and link 1 has something left.
 *
 *   solver.SetWeight(1, 3);
 *   solver.Solve();                          class 0 moved
 *   solver.GetRate(0), (1);                  return 2.5 and 2.5, of one flow each
 *   solver.GetLoad(0), (1);                  return 10 and 2.5
 */

#include "level-sweep.h"
#include "sharing-graph.h"
#include "sharing-parts.h"
#include "worker-pool.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3::rails
{

/**
 * Max-min fair rates of flows that share resources (Bertsekas and Gallager, "Data Networks",
 * section 6.5.2). The rates of all flows rise together; when a resource is full, the flows that use
 * it stop there. Flows with the same resources are one class with a weight. A class of weight w
 * whose flows have the rate x takes w * share * x of each resource that it uses.
 *
 * The rates are these and no others exactly if no resource has to give more than its capacity and
 * each flow has a bottleneck: a resource that it uses, that is full, and on which no flow is
 * faster. So all flows with the same bottleneck have the same rate, the level of that resource, and
 * a rate is known once for all of them. After a change few flows get another bottleneck, but many
 * another rate; levels are found anew where the change leads (LevelSweep), and all others stay as
 * they are.
 *
 * Loads (acknowledgements, which have priority) are taken off the capacity before the flows share
 * it. They depend on the rates in turn: rates and loads are found one after the other until no load
 * moves any more, which needs loads that are small beside the capacities.
 *
 * Where much changes at once, levels are found in parts that have nothing to do with each other, on
 * several threads where there are.
 *
 * The same calls in the same order give the same bits with any compiler, processor and number of
 * threads.
 */
class MaxMinSolver
{
  public:
    /// What one flow takes of a resource: a share of its rate.
    using Use = SharingGraph::Use;

    /// Where rates changed: as most of those with the same bottleneck did not get another one, they
    /// are told by that.
    using Changes = SharingGraph::Changes;

    /// What it took to solve.
    struct Statistics
    {
        uint64_t solves{0};
        uint64_t parted{0}; //!< times that levels were found in several parts
        LevelSweep::Statistics sweeps;
    };

    /// \param threads that find levels, at least 1: whoever calls Solve()
    explicit MaxMinSolver(uint32_t threads = 1);
    MaxMinSolver(const MaxMinSolver&) = delete;
    MaxMinSolver& operator=(const MaxMinSolver&) = delete;

    /**
     * \param capacity in any unit, the same for all resources
     * \return the number of the resource, from 0 on
     * \throw std::logic_error when the capacity is negative or not finite
     */
    uint32_t AddResource(double capacity);

    /// \throw std::logic_error as AddResource() does
    void SetCapacity(uint32_t resource, double capacity);

    /**
     * A class of flows with the same resources; of weight 0, so without a flow, at first.
     * \param uses hold its flows back; those of the same resource are added up
     * \param loads are taken ahead of all flows: they lower what a resource has for the flows that
     *     use it (to 1 % of its capacity at least), but do not hold back the class that causes them
     * \return the number of the class; numbers of removed classes are used again
     * \throw std::logic_error when there are no uses, or a share is not a positive finite number
     */
    uint32_t AddClass(const std::vector<Use>& uses, const std::vector<Use>& loads);

    /**
     * Says how many flows of weight 1 a class holds together.
     * \throw std::logic_error when the weight is negative or not finite
     */
    void SetWeight(uint32_t flowClass, double weight);

    /// \throw std::logic_error unless the weight is 0
    void RemoveClass(uint32_t flowClass);

    /// Solve() names the class when its rate changes.
    void Watch(uint32_t flowClass);

    /// Which loads are counted when rates are found.
    enum class Loads
    {
        Final, //!< those at these rates
        Before //!< those at the rates before; IsBehind() tells whether that matters
    };

    /**
     * Finds the rates after all changes since the last call.
     * \return which levels changed, and which classes have another bottleneck than after the last
     * call; all in ascending order, and valid until the next call
     */
    const Changes& Solve(Loads loads = Loads::Final);

    /// \return whether loads have moved that are not counted
    bool IsBehind() const
    {
        return m_graph.HasMovedLoad(m_loadPrecision);
    }

    /// \return rate of one flow of weight 1 since the last Solve(); 0 when the class has no weight
    /// or one of its resources no capacity
    double GetRate(uint32_t flowClass) const;

    /// \return the resource that holds a class with weight back since the last Solve()
    uint32_t GetBottleneck(uint32_t flowClass) const;

    /// \return the rate of all classes that a resource holds back; 0 when there are none
    double GetLevel(uint32_t resource) const;

    double GetWeight(uint32_t flowClass) const;

    double GetCapacity(uint32_t resource) const;
    /// \return true when a class with weight uses a resource
    bool IsUsed(uint32_t resource) const;

    /// \return what all classes together take of a resource, their loads included
    double GetLoad(uint32_t resource) const;

    /**
     * Says how exact loads are.
     * \param relative a load that moved by less than this part of its resource's capacity is left
     * as it was counted before; errors do not add up
     */
    void SetLoadPrecision(double relative);

    /**
     * Says how exact rates are beside a change. A level stays as it is while its resource gives at
     * most this part more than it has, and while those that it holds back would gain or lose at
     * most this part, or are slower than others there by at most this part. So a change spreads
     * only as far as it matters. Errors do not add up.
     *
     * \param relative 0, at first, for rates that are as exact as numbers allow
     */
    void SetRatePrecision(double relative);

    /**
     * Looks at everything anew: whether no resource gives more than it has, and each flow has a
     * bottleneck.
     * \return a sentence about what does not hold; empty when all is well
     */
    std::string FindViolation() const;

    Statistics GetStatistics() const;

  private:
    using FlowClass = SharingGraph::FlowClass;

    void CheckUses(const std::vector<Use>& uses) const;
    void Sweep();
    bool IsMuch() const;
    bool SweepTogether();
    bool SweepApart();

    SharingGraph m_graph;
    SharingParts m_parts{m_graph};
    WorkerPool m_workers;
    std::deque<LevelSweep> m_sweeps; // by worker
    double m_loadPrecision{1e-11};
    Changes m_changes;
    uint64_t m_solves{0};
    uint64_t m_parted{0};
};

} // namespace ns3::rails

#endif // MAX_MIN_SOLVER_H
