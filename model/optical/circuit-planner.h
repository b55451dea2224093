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
 * Plans the circuits between the servers of a region. One object serves all regions; the plan of a
 * region must not depend on plans of other regions.
 */
class CircuitPlanner : public Object
{
  public:
    /// Constant properties of a class.
    struct Traits
    {
        bool isLasting{true};     //!< every plan is one slot of full-duplex circuits
        bool followsDemand{true}; //!< false: the circuits are the same for every demand
    };

    static TypeId GetTypeId();

    const Traits& GetTraits() const
    {
        return m_traits;
    }

    /// \throws ConfigurationError with the key when the planner cannot work in the region
    virtual void Check(const CircuitRegion& region) const;

    /**
     * \param region with its ports
     * \param demand bytes between its servers
     * \return circuits within the ports of each server, per direction
     * \throws std::invalid_argument when the demand has another number of servers
     */
    CircuitPlan Plan(const CircuitRegion& region, const CircuitDemand& demand);

    /// \return time of planning, before a reconfiguration starts
    TimePs GetPlanningTime() const;

    /**
     * Fixes the random streams.
     * \param stream first stream to use
     * \return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    Traits m_traits; //!< set by constructors alone

  private:
    virtual CircuitPlan DoPlan(const CircuitRegion& region, const CircuitDemand& demand) = 0;

    Time m_planningTime;
};

} // namespace ns3::rails

#endif // CIRCUIT_PLANNER_H
