// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_TRAFFIC_H
#define RUN_TRAFFIC_H

#include "exchange-messages.h"
#include "failure-replanner.h"
#include "piece-sender.h"
#include "traffic-planners.h"

#include "ns3/message-service.h"
#include "ns3/planner.h"
#include "ns3/rails-router.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// The messages of a run, with who plans and sends them, and what is done when ways fail.
class RunTraffic
{
  public:
    /// Tells which GPUs of a server take part in a step, ascending.
    using FindMembers = std::function<std::vector<uint32_t>(uint32_t server, uint32_t step)>;

    /**
     * \param shape the cluster
     * \param service what moves the messages
     * \param planner what places them on rails
     * \param findMembers asked when messages are planned anew
     */
    RunTraffic(const ClusterShape& shape,
               Ptr<MessageService> service,
               Ptr<Planner> planner,
               FindMembers findMembers);

    RunTraffic(const RunTraffic&) = delete;
    RunTraffic& operator=(const RunTraffic&) = delete;

    /// \param router what servers know of failures; without it they know of none
    void SetRouter(std::shared_ptr<const Router> router);

    /// To be called when the routing has converged after a failure (FailureReplanner::Replan()).
    void Replan();

    TrafficPlanners& GetPlanners()
    {
        return m_planners;
    }

    const TrafficPlanners& GetPlanners() const
    {
        return m_planners;
    }

    ExchangeMessages& GetMessages()
    {
        return m_messages;
    }

    const ExchangeMessages& GetMessages() const
    {
        return m_messages;
    }

    /// \return what posts messages to other servers
    PieceSender& GetSender()
    {
        return *m_sender;
    }

    /// \return true when the planner is asked for each piece as it is sent
    bool ChoosesAtSending() const
    {
        return m_choosesAtSending;
    }

  private:
    bool m_choosesAtSending; //!< asked once
    TrafficPlanners m_planners;
    ExchangeMessages m_messages;
    std::unique_ptr<PieceSender> m_sender;
    FailureReplanner m_replanner;
};

} // namespace ns3::rails

#endif // RUN_TRAFFIC_H
