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
           Ptr<Planner> planner,
           Ptr<MessageService> service,
           const ServerKnowledge& failures,
           ExchangeMessages& messages)
{
    if (planner->ChoosesAtSending())
    {
        return std::make_unique<ChoosingSender>(shape, planner, service, failures, messages);
    }
    return std::make_unique<EagerSender>(messages);
}

} // namespace

RunTraffic::RunTraffic(const ClusterShape& shape,
                       Ptr<MessageService> service,
                       Ptr<Planner> planner,
                       FindMembers findMembers)
    : m_choosesAtSending(planner->ChoosesAtSending()),
      m_planners(shape, planner),
      m_messages(shape, service),
      m_sender(MakeSender(shape, planner, service, m_planners.GetKnowledge(0, false), m_messages)),
      m_replanner(shape, m_planners, m_messages, *m_sender, std::move(findMembers))
{
}

void
RunTraffic::SetRouter(std::shared_ptr<const Router> router)
{
    m_planners.SetRouter(std::move(router));
    m_replanner.NoteRates();
}

void
RunTraffic::Replan()
{
    m_replanner.Replan();
}

} // namespace ns3::rails
