// SPDX-License-Identifier: GPL-2.0-only
#include "choosing-sender.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

ChoosingSender::ChoosingSender(ClusterShape shape,
                               Ptr<Planner> planner,
                               Ptr<MessageService> service,
                               const ServerKnowledge& failures,
                               ExchangeMessages& messages)
    : m_shape(shape),
      m_planner(planner),
      m_service(service),
      m_knowledge(failures),
      m_messages(messages),
      m_unsentBytes(shape.nicsPerDomain)
{
    StartPhase();
}

void
ChoosingSender::StartPhase()
{
    m_plans.clear();
    m_servers.assign(m_shape.domains,
                     Server{{}, std::vector<uint32_t>(m_shape.nicsPerDomain, 0), false});
}

void
ChoosingSender::OnPlanned(ServerPlan&& plan, size_t first)
{
    if (!plan.pieces.empty())
    {
        const size_t pieces = plan.pieces.size();
        m_plans.push_back({std::move(plan), first, pieces});
    }
}

void
ChoosingSender::Send(Message& message)
{
    const auto next =
        std::upper_bound(m_plans.begin(),
                         m_plans.end(),
                         message.id,
                         [](size_t id, const KeptPlan& kept) { return id < kept.first; });
    KeptPlan& kept = *std::prev(next);
    const uint32_t domain = kept.plan.view.domain;
    if (message.isPinned)
    {
        --kept.unposted; // it takes no other piece's place
        m_messages.Post(message);
        ForgetPosted();
        return;
    }
    m_servers[domain].waiting.push_back(
        {&kept, &kept.plan.pieces[message.id - kept.first], &message});
    PostWhatFits(domain);
}

void
ChoosingSender::PostWhatFits(uint32_t domain)
{
    Server& server = m_servers[domain];
    if (server.isPosting)
    {
        return;
    }
    server.isPosting = true;
    while (!server.waiting.empty() && FindRoom(domain, server.waiting.front()))
    {
        const Waiting next = server.waiting.front();
        server.waiting.pop_front();
        const uint16_t rail =
            m_planner->ChooseRail(next.kept->plan.view, *next.piece, m_unsentBytes);
        if (rail >= m_shape.nicsPerDomain)
        {
            throw std::logic_error(m_planner->GetInstanceTypeId().GetName() +
                                   ": chose a rail that does not exist");
        }
        next.message->txRail = rail;
        next.message->rxRail = rail;
        ++server.unsentPieces[rail];
        --next.kept->unposted;
        m_messages.Post(*next.message);
    }
    server.isPosting = false;
    ForgetPosted();
}

void
ChoosingSender::ForgetPosted()
{
    while (!m_plans.empty() && m_plans.front().unposted == 0)
    {
        m_plans.pop_front();
    }
}

bool
ChoosingSender::FindRoom(uint32_t domain, const Waiting& next)
{
    const Server& server = m_servers[domain];
    const uint32_t to = m_shape.GetDomain(next.message->destination);
    bool hasRoom = false;
    for (uint32_t rail = 0; rail < m_shape.nicsPerDomain; ++rail)
    {
        const bool takes = server.unsentPieces[rail] < m_planner->GetDepth() &&
                           next.kept->plan.view.Reaches(to, rail, rail);
        m_unsentBytes[rail] = takes ? m_service->GetUnsentBytes(domain, rail) : kRailFull;
        hasRoom = hasRoom || takes;
    }
    return hasRoom;
}

bool
ChoosingSender::HasRails(const Message& message) const
{
    return message.isPinned || message.start != kNever;
}

void
ChoosingSender::OnSent(Message& message)
{
    message.isSent = true;
    if (message.isPinned)
    {
        return;
    }
    const uint32_t domain = m_shape.GetDomain(message.source);
    --m_servers[domain].unsentPieces[message.txRail];
    PostWhatFits(domain);
}

void
ChoosingSender::OnAbandoning(const Message& message)
{
    if (!message.isSent && !message.isPinned)
    {
        --m_servers[m_shape.GetDomain(message.source)].unsentPieces[message.txRail];
    }
}

void
ChoosingSender::OnConverged()
{
    for (KeptPlan& kept : m_plans)
    {
        m_knowledge.ShowTo(kept.plan.view);
    }
}

void
ChoosingSender::SendWaiting()
{
    for (uint32_t domain = 0; domain < m_servers.size(); ++domain)
    {
        PostWhatFits(domain);
    }
}

} // namespace ns3::rails
