// SPDX-License-Identifier: GPL-2.0-only
#ifndef INCREMENTAL_WATER_FILLING_H
#define INCREMENTAL_WATER_FILLING_H

#include "keyed-heap.h"
#include "max-min-system.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/**
 * Updates the fair shares of a MaxMinSystem after a change. The fair share of a constraint is the
 * rate of the variables bottlenecked there. It depends on lower fair shares only, as a variable
 * that passes a constraint is slower than the variables bottlenecked there. So fair shares are
 * computed in ascending order: first of the touched constraints, then of constraints whose passing
 * variables changed. An unfrozen variable gets the first of its constraints in this order as its
 * bottleneck. A variable that is faster than the new fair share of a constraint moves its
 * bottleneck there. When all variables are unfrozen this is progressive filling (Bertsekas and
 * Gallager, "Data Networks", section 6.5.2).
 *
 * A fair share that rises above an earlier computed fair share makes the earlier one be computed
 * again. When this does not end, Restart() unfreezes all variables.
 */
class IncrementalWaterFilling
{
  public:
    /// A constraint takes the last fair share when at most this part of its capacity is left there.
    /// So constraints of symmetric traffic have equal fair shares.
    static constexpr double kTie = 1e-13;

    /// Lower limit of SetPrecision().
    static constexpr double kRates = 1e-11;

    /// Operation counts.
    struct Statistics
    {
        uint64_t fairShares{0};       //!< computed fair shares
        uint64_t changedVariables{0}; //!< rates set
        uint64_t moves{0};            //!< changes of a bottleneck
        uint64_t restarts{0};         //!< calls of Restart()
    };

    /// \param system kept by reference
    explicit IncrementalWaterFilling(MaxMinSystem& system);

    /// \param relative see MaxMinSolver::SetRatePrecision(); at least kRates
    void SetPrecision(double relative);

    double GetPrecision() const
    {
        return m_precision;
    }

    /// Run() will examine a constraint, whose usage or capacity changed.
    void Examine(uint32_t constraint);

    /// Computes the fair shares of all examined constraints, and of their dependent constraints.
    /// \return false when it gave up, and Restart() must follow
    bool Run();

    /// Unfreezes all variables and computes all fair shares.
    void Restart();

    const Statistics& GetStatistics() const
    {
        return m_statistics;
    }

  private:
    using Member = MaxMinSystem::Member;
    using Element = MaxMinSystem::Element;
    using Variable = MaxMinSystem::Variable;
    using ConstraintState = MaxMinSystem::ConstraintState;

    /// A passing variable that is faster than the new fair share.
    struct Fast
    {
        Member member;
        double rate;
        double weight;
    };

    bool IsRelevant(const ConstraintState& share, double weight, double room) const;
    bool FindFairShare(uint32_t constraint, double& fairShare) const;
    bool FindAll(bool mayGiveUp);
    double FindLocalFairShare(uint32_t constraint, double fairShare);
    void Saturate(uint32_t constraint, double fairShare);
    void Restrain(const Member& member, double fairShare);
    void MarkPassing(uint32_t constraint, double rate);
    void ExamineNear();

    MaxMinSystem& m_system;
    KeyedHeap<double> m_queue;      //!< constraints to saturate, by fair share
    std::vector<uint32_t> m_places; //!< in m_queue, by constraint
    double m_precision{kRates};
    double m_lastFairShare{0};    //!< the fair share computed last
    std::vector<Fast> m_fast;     //!< of the constraint being saturated
    double m_fastest{0};          //!< upper bound of the other passing variables' rates
    std::vector<uint32_t> m_near; //!< constraints with changed passing variables
    Statistics m_statistics;
};

} // namespace ns3::rails

#endif // INCREMENTAL_WATER_FILLING_H
