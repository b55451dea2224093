// SPDX-License-Identifier: GPL-2.0-only
#ifndef PLAN_MAKER_H
#define PLAN_MAKER_H

#include "server-knowledge.h"

#include "ns3/planner.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// What a server sends to other servers, cut into pieces.
struct ServerPlan
{
    ServerView view;           //!< what the server knew when it planned
    std::vector<Piece> pieces; //!< one for each message to be, in the order of posting
};

/// What was planned of servers that have circuits.
struct CircuitTally
{
    uint64_t bytes{0};      //!< for other servers
    uint64_t byCircuits{0}; //!< of these, those that leave by a circuit
};

/// Makes the plan of a server: shows it what has failed, asks the planner, checks the answer, and
/// splits pieces over queue pairs.
class PlanMaker
{
  public:
    /**
     * \param planner what places pieces on rails
     * \param failures what servers know of failures; it must outlive this object
     */
    PlanMaker(Ptr<Planner> planner, const ServerKnowledge& failures);

    /// \param subflows into how many messages, each on a queue pair of its own, a piece is split
    void SetSubflows(uint32_t subflows);

    /// \return the queue pair that a piece had before it was split. \param subflow Message::subflow
    uint16_t GetQueue(uint16_t subflow) const;

    /// \return what makes the plans
    const Planner& GetPlanner() const;

    /**
     * \param view a server and what it has to send; what has failed is filled in here
     * \param counts what servers have told each other; may be null where the planner needs none
     * \return the plan; one that does not cover what the server has to send throws std::logic_error
     */
    ServerPlan MakePlan(ServerView view, const ExchangeCounts* counts = nullptr);

    /// \return what was planned of servers that have circuits, again after failures included
    const CircuitTally& GetTally() const;

  private:
    void CheckPlan(const ServerPlan& plan) const;
    void Count(const ServerPlan& plan);

    Ptr<Planner> m_planner;
    const ServerKnowledge& m_knowledge;
    uint32_t m_subflows{1};
    CircuitTally m_tally;
};

} // namespace ns3::rails

#endif // PLAN_MAKER_H
