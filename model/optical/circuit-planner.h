// SPDX-License-Identifier: GPL-2.0-only
#ifndef CIRCUIT_PLANNER_H
#define CIRCUIT_PLANNER_H

#include "circuit-plan.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>

namespace ns3::rails
{

/**
 * Decides which servers of a region are joined by how many circuits. One object serves all regions;
 * what it answers for one must not depend on what it was asked of others.
 */
class CircuitPlanner : public Object
{
  public:
    static TypeId GetTypeId();

    /// \throws ConfigurationError with the key when it cannot work there
    virtual void Check(const CircuitRegion& region) const;

    /**
     * \param region whose circuits they are
     * \param demand what its servers have for each other
     * \return circuits that take no more ports of a server than it has, each way
     * \throws std::invalid_argument when the demand is that of another number of servers
     */
    CircuitPlan Plan(const CircuitRegion& region, const CircuitDemand& demand);

    /// \return what planning takes before circuits begin to change
    TimePs GetPlanningTime() const;

    /// \return true when every plan is one slot, of full-duplex circuits
    virtual bool IsLasting() const;

    /// \return false when the circuits are the same for every demand
    virtual bool FollowsDemand() const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream);

  private:
    virtual CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) = 0;

    Time m_planningTime;
};

} // namespace ns3::rails

#endif // CIRCUIT_PLANNER_H
