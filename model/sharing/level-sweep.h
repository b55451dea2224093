// SPDX-License-Identifier: GPL-2.0-only
#ifndef LEVEL_SWEEP_H
#define LEVEL_SWEEP_H

#include "keyed-heap.h"
#include "sharing-graph.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Brings levels to where they are fair, after something changed. A resource that holds classes back
 * has a level, their rate. Levels depend on lower ones alone, as what passes a resource is slower
 * than what it holds back; so they are found from the lowest one up, those of resources at which
 * something changed, and of others as what passes them changes. Classes without a rate are stopped
 * by the first of their resources whose turn comes, and a class that is faster than a resource lets
 * it be is held back there from then on. When all classes are without a rate this is progressive
 * filling (Bertsekas and Gallager, "Data Networks", section 6.5.2).
 *
 * Where a level rises beyond one that was found before, that one is found again. Should that not
 * come to an end, all classes have to lose their rates.
 *
 * Several sweeps may run on threads of their own, in parts of the graph that have nothing to do
 * with each other.
 */
class LevelSweep
{
  public:
    /// A resource of which at most this part is left when a level is reached is full at that level,
    /// so that the resources of symmetric traffic fill at the same one.
    static constexpr double kTie = 1e-13;

    /// The least precision of rates that can be asked for.
    static constexpr double kRates = 1e-11;

    /// What it took.
    struct Statistics
    {
        uint64_t levels{0};         //!< that were found
        uint64_t touchedClasses{0}; //!< whose rates were set, each time counted
        uint64_t moves{0};          //!< of classes from one bottleneck to another
        uint64_t restarts{0};       //!< times that all classes lost their rates
    };

    /// \param graph whose levels these are
    explicit LevelSweep(SharingGraph& graph);

    /// \param relative see MaxMinSolver::SetRatePrecision(); at least kRates
    void SetPrecision(double relative);

    double GetPrecision() const
    {
        return m_precision;
    }

    /// What is taken of a resource, or what there is of it, changed: Run() looks at it.
    void Look(uint32_t resource);

    /// Finds the levels of all that was looked at, and of what follows from that.
    /// \return false when that came to no end; it is left then, and Restart() finds the levels
    bool Run();

    /// Takes all rates away, and finds them without what was known.
    void Restart();

    const Statistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    using Member = SharingGraph::Member;
    using Incidence = SharingGraph::Incidence;
    using FlowClass = SharingGraph::FlowClass;
    using Share = SharingGraph::Share;

    /// A class that passes a resource faster than that lets it.
    struct Fast
    {
        Member member;
        double rate;
        double weight;
    };

    bool Matters(const Share& share, double weight, double room) const;
    bool FindLevel(uint32_t resource, double& level) const;
    bool FindAll(bool mayGiveUp);
    double FindLocalLevel(uint32_t resource, double level);
    void Reach(uint32_t resource, double level);
    void Hold(const Member& member, double level);
    void NotePassing(uint32_t resource, double rate);
    void LookNear();

    SharingGraph& m_graph;
    KeyedHeap<double> m_levels;     //!< of resources whose turn is to come
    std::vector<uint32_t> m_places; //!< in that, by resource
    double m_precision{kRates};
    double m_reached{0};          //!< level that was found last
    std::vector<Fast> m_fast;     //!< of the resource whose turn it is
    double m_fastest{0};          //!< of the others that pass it, none is faster
    std::vector<uint32_t> m_near; //!< resources at which something changed meanwhile
    Statistics m_statistics;
};

} // namespace ns3::rails

#endif // LEVEL_SWEEP_H
