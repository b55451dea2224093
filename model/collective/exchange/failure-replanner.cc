// SPDX-License-Identifier: GPL-2.0-only
#include "failure-replanner.h"

#include "ns3/log.h"
#include "ns3/rails-quantity.h"

#include <map>
#include <tuple>
#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsFailureReplanner");

namespace
{

/// \return true when failures leave a way to another server (see ServerView::reach)
bool
HasWay(const ServerView& view, uint32_t to)
{
    return view.reach.count(to) > 0;
}

} // namespace

FailureReplanner::FailureReplanner(ClusterShape shape,
                                   const TrafficPlanners& planners,
                                   ExchangeMessages& messages,
                                   PieceSender& sender)
    : m_shape(shape),
      m_planners(planners),
      m_messages(messages),
      m_sender(sender)
{
}

void
FailureReplanner::Replan()
{
    m_sender.OnConverged();
    PassFinished();
    // By phase, step and server: source and destination GPU, and what there is for it.
    std::map<std::tuple<uint16_t, uint32_t, uint32_t>,
             std::map<std::pair<uint32_t, uint32_t>, uint64_t>>
        stranded;
    const size_t end = m_messages.GetSize();
    for (size_t id = m_firstOpen; id < end; ++id)
    {
        Message& message = m_messages.Get(id);
        if (GiveUp(message))
        {
            const uint32_t domain = m_shape.GetDomain(message.source);
            stranded[{message.phase, message.step, domain}]
                    [{message.source, message.destination}] += message.bytes;
        }
    }
    for (const auto& [where, demands] : stranded)
    {
        const auto [phase, step, domain] = where;
        ServerView view{m_shape, domain, {}};
        for (const auto& [gpus, bytes] : demands)
        {
            view.demands.push_back({gpus.first, gpus.second, bytes});
        }
        NS_LOG_INFO(FormatTime(NowPs()) << ": server " << domain << " plans " << demands.size()
                                        << " stranded demands of step " << step << " anew");
        m_messages.SetPhase(phase);
        Repost(phase, step, std::move(view));
    }
    m_sender.SendWaiting(); // a message may have waited for a rail that has come back
}

void
FailureReplanner::PassFinished()
{
    const auto isFinished = [](const Message& message) {
        return message.acknowledged != kNever || message.isAbandoned;
    };
    while (m_firstOpen < m_messages.GetSize() && isFinished(m_messages.Get(m_firstOpen)))
    {
        ++m_firstOpen;
    }
}

bool
FailureReplanner::GiveUp(Message& message)
{
    const ServerKnowledge& knowledge = m_planners.GetKnowledge(message.phase);
    if (message.acknowledged != kNever || message.isAbandoned || !m_sender.HasRails(message) ||
        !knowledge.IsCut(message))
    {
        return false;
    }
    const uint32_t to = m_shape.GetDomain(message.destination);
    ServerView view{m_shape,
                    m_shape.GetDomain(message.source),
                    {{message.source, message.destination, 1}}};
    knowledge.ShowTo(view);
    if (!HasWay(view, to))
    {
        return false;
    }
    if (message.start == kNever)
    {
        std::tie(message.txRail, message.rxRail) =
            view.MoveRails(to, message.txRail, message.rxRail);
        return false;
    }
    m_sender.OnAbandoning(message);
    return m_messages.Abandon(message);
}

void
FailureReplanner::Repost(uint16_t kind, uint32_t step, ServerView view)
{
    ServerPlan plan = m_planners.GetMaker(kind).MakePlan(std::move(view));
    const size_t first = m_messages.AddPlanned(plan, step);
    const size_t end = m_messages.GetSize();
    m_sender.OnPlanned(std::move(plan), first);
    for (size_t id = first; id < end; ++id)
    {
        m_sender.Send(m_messages.Get(id));
    }
}

} // namespace ns3::rails
