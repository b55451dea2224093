// SPDX-License-Identifier: GPL-2.0-only
#ifndef RUN_TRAFFIC_H
#define RUN_TRAFFIC_H

#include "exchange-messages.h"
#include "failure-rebalancer.h"
#include "piece-sender.h"
#include "traffic-balancers.h"

#include "ns3/balancer.h"
#include "ns3/message-service.h"
#include "ns3/rails-router.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::rails
{

/// Messages of a run, with their balancers, sender, and rebalancing after failures.
class RunTraffic
{
  public:
    /// Returns the GPUs of a server that take part in a step, ascending.
    using FindMembers = std::function<std::vector<uint32_t>(uint32_t server, uint32_t step)>;

    /**
     * \param shape the cluster
     * \param service transfers the messages
     * \param balancer assigns messages to rails
     * \param findMembers called when messages are replanned
     */
    RunTraffic(const ClusterShape& shape,
               Ptr<MessageService> service,
               Ptr<Balancer> balancer,
               FindMembers findMembers);

    RunTraffic(const RunTraffic&) = delete;
    RunTraffic& operator=(const RunTraffic&) = delete;

    /// \param router source of known failures; without it none are known
    void SetRouter(std::shared_ptr<const Router> router);

    /// To be called when routing has converged after a failure (FailureRebalancer::Replan()).
    void Replan();

    TrafficBalancers& GetBalancers()
    {
        return m_balancers;
    }

    const TrafficBalancers& GetBalancers() const
    {
        return m_balancers;
    }

    ExchangeMessages& GetMessages()
    {
        return m_messages;
    }

    const ExchangeMessages& GetMessages() const
    {
        return m_messages;
    }

    /// \return the sender of messages to other servers
    PieceSender& GetSender()
    {
        return *m_sender;
    }

    /// \return true when the balancer chooses rails as chunks are sent
    bool ChoosesAtSending() const
    {
        return m_choosesAtSending;
    }

  private:
    bool m_choosesAtSending; //!< initialized first, from the balancer
    TrafficBalancers m_balancers;
    ExchangeMessages m_messages;
    std::unique_ptr<PieceSender> m_sender;
    FailureRebalancer m_rebalancer;
};

} // namespace ns3::rails

#endif // RUN_TRAFFIC_H
