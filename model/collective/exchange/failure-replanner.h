// SPDX-License-Identifier: GPL-2.0-only
#ifndef FAILURE_REPLANNER_H
#define FAILURE_REPLANNER_H

#include "exchange-messages.h"
#include "piece-sender.h"
#include "traffic-planners.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// Plans anew what the ways that have failed leave stranded.
class FailureReplanner
{
  public:
    /**
     * \param shape the cluster
     * \param planners what makes plans, and what servers know of failures
     * \param messages all messages
     * \param sender what posts messages to other servers. All three must outlive this object
     * \param findMembers tells which GPUs of a server take part in a step (ServerView::SetGroup())
     */
    FailureReplanner(ClusterShape shape,
                     const TrafficPlanners& planners,
                     ExchangeMessages& messages,
                     PieceSender& sender,
                     std::function<std::vector<uint32_t>(uint32_t, uint32_t)> findMembers);

    /**
     * To be called when the routing has converged after a failure. A posted message whose way is
     * cut, as far as its server knows, and that has not arrived is given up, and its bytes are
     * planned and posted anew over the ways that are left; where none is left it stays. So is one
     * whose way has become slower, where a planner paces. A planned message that is not posted yet
     * moves to the next rail that works. What servers tell each other of it costs no time.
     */
    void Replan();

    /// Takes the rates of NICs as those that paces were made for.
    void NoteRates();

  private:
    /// What is to be planned anew, in bytes: by kind of traffic (Message::kind), step, server and
    /// what messages are; of these by source and destination GPU, and by rail and queue pair where
    /// these are not a planner's.
    using Stranded = std::map<std::tuple<uint16_t, uint32_t, uint32_t, MessageTraits>,
                              std::map<std::tuple<uint32_t, uint32_t, RailQueue>, uint64_t>>;

    void PassFinished();
    bool IsSlower(const Message& message) const;
    ServerView MakeView(const Message& message) const;
    /// Moves a message or gives it up when its way is cut. \return true when it was given up
    bool GiveUp(Message& message);
    Stranded GiveUpAll();
    ExchangeCounts CountStep(const Stranded& stranded, uint16_t kind, uint32_t step) const;
    /// Posts what was planned anew of a step.
    void Post(const MessageTraits& traits, uint32_t step, ServerPlan plan);

    ClusterShape m_shape;
    const TrafficPlanners& m_planners;
    ExchangeMessages& m_messages;
    PieceSender& m_sender;
    std::function<std::vector<uint32_t>(uint32_t, uint32_t)> m_findMembers;
    size_t m_firstOpen{0};           //!< all messages before were acknowledged or given up
    std::vector<uint64_t> m_rates{}; //!< of NICs, as the routing had told when it last converged
};

} // namespace ns3::rails

#endif // FAILURE_REPLANNER_H
