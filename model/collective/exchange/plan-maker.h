// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLAN_MAKER_H
#define PLAN_MAKER_H

#include "reachability-view.h"

#include "ns3/balancer.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Plan of a server: its traffic to other servers, split into chunks.
struct ServerPlan
{
    ServerView view;           //!< knowledge of the server at planning
    std::vector<Piece> pieces; //!< one per message, in the order of posting
};

/// Planned traffic of servers with optical circuits.
struct CircuitTally
{
    uint64_t bytes{0};      //!< bytes to other servers
    uint64_t byCircuits{0}; //!< bytes that leave over a circuit
};

/// Makes the plan of a server: fills in known failures, calls the balancer, checks the plan, and
/// splits chunks over queue pairs.
class PlanMaker
{
  public:
    /**
     * \param balancer assigns chunks to rails
     * \param failures known to servers; must outlive this object
     */
    PlanMaker(Ptr<Balancer> balancer, const ReachabilityView& failures);

    /// \param subflows number of messages, each on its own queue pair, that a chunk is split into
    void SetSubflows(uint32_t subflows);

    /// \return queue pair of the chunk before splitting. \param subflow Message::subflow
    uint16_t GetQueue(uint16_t subflow) const;

    /// \return the balancer
    const Balancer& GetBalancer() const;

    /**
     * \param view a server and its demands; known failures are filled in
     * \param counts exchanged between servers; may be null if the balancer needs none
     * \return the plan
     * \throws std::logic_error when the plan does not cover all demands exactly
     */
    ServerPlan MakePlan(ServerView view, const ExchangeCounts* counts = nullptr);

    /// \return planned traffic of servers with circuits, including traffic replanned after failures
    const CircuitTally& GetTally() const
    {
        return m_tally;
    }

  private:
    void CheckPlan(const ServerPlan& plan) const;
    void Count(const ServerPlan& plan);

    Ptr<Balancer> m_balancer;
    const ReachabilityView& m_reachability;
    uint32_t m_subflows{1};
    CircuitTally m_tally;
};

} // namespace ns3::rails

#endif // PLAN_MAKER_H
