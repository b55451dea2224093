// SPDX-License-Identifier: GPL-2.0-only
#include "run-traffic.h"

#include "choosing-sender.h"
#include "eager-sender.h"

#include <utility>

namespace ns3::rails
{

namespace
{

std::unique_ptr<PieceSender>
MakeSender(ClusterShape shape,
           Ptr<Balancer> balancer,
           Ptr<MessageService> service,
           const ReachabilityView& failures,
           ExchangeMessages& messages)
{
    if (balancer->GetTraits().choosesAtSending)
    {
        return std::make_unique<ChoosingSender>(shape, balancer, service, failures, messages);
    }
    return std::make_unique<EagerSender>(messages);
}

} // namespace

RunTraffic::RunTraffic(const ClusterShape& shape,
                       Ptr<MessageService> service,
                       Ptr<Balancer> balancer,
                       FindMembers findMembers)
    : m_choosesAtSending(balancer->GetTraits().choosesAtSending),
      m_balancers(shape, balancer),
      m_messages(shape, service),
      m_sender(
          MakeSender(shape, balancer, service, m_balancers.GetReachability(0, false), m_messages)),
      m_rebalancer(shape, m_balancers, m_messages, *m_sender, std::move(findMembers))
{
}

void
RunTraffic::SetRouter(std::shared_ptr<const Router> router)
{
    m_balancers.SetRouter(std::move(router));
    m_rebalancer.NoteRates();
}

void
RunTraffic::Replan()
{
    m_rebalancer.Replan();
}

} // namespace ns3::rails
