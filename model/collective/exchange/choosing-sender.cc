// SPDX-License-Identifier: GPL-2.0-only
#include "choosing-sender.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace ns3::rails
{

ChoosingSender::ChoosingSender(ClusterShape shape,
                               Ptr<Balancer> balancer,
                               Ptr<MessageService> service,
                               const ReachabilityView& failures,
                               ExchangeMessages& messages)
    : m_shape(shape),
      m_balancer(balancer),
      m_service(service),
      m_reachability(failures),
      m_messages(messages),
      m_unsentBytes(shape.nicsPerServer)
{
    StartPhase();
}

void
ChoosingSender::StartPhase()
{
    m_plans.clear();
    m_servers.assign(m_shape.servers,
                     Server{{}, std::vector<uint32_t>(m_shape.nicsPerServer, 0), false});
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
    const uint32_t server = kept.plan.view.server;
    if (message.isPinned)
    {
        --kept.unposted; // it does not count against the depth of a rail
        m_messages.Post(message);
        ForgetPosted();
        return;
    }
    m_servers[server].waiting.push_back(
        {&kept, &kept.plan.pieces[message.id - kept.first], &message});
    PostWhatFits(server);
}

void
ChoosingSender::PostWhatFits(uint32_t server)
{
    Server& own = m_servers[server];
    if (own.isPosting)
    {
        return;
    }
    own.isPosting = true;
    while (!own.waiting.empty() && FindRoom(server, own.waiting.front()))
    {
        const Waiting next = own.waiting.front();
        own.waiting.pop_front();
        const uint16_t rail =
            m_balancer->ChooseRail(next.kept->plan.view, *next.piece, m_unsentBytes);
        if (rail >= m_shape.nicsPerServer)
        {
            throw std::logic_error(m_balancer->GetInstanceTypeId().GetName() +
                                   ": chose a rail that does not exist");
        }
        next.message->txRail = rail;
        next.message->rxRail = rail;
        ++own.unsentPieces[rail];
        --next.kept->unposted;
        m_messages.Post(*next.message);
    }
    own.isPosting = false;
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
ChoosingSender::FindRoom(uint32_t server, const Waiting& next)
{
    const Server& own = m_servers[server];
    const uint32_t to = m_shape.GetServer(next.message->destination);
    bool hasRoom = false;
    for (uint32_t rail = 0; rail < m_shape.nicsPerServer; ++rail)
    {
        const bool takes = own.unsentPieces[rail] < m_balancer->GetDepth() &&
                           next.kept->plan.view.Reaches(to, rail, rail);
        m_unsentBytes[rail] = takes ? m_service->GetUnsentBytes(server, rail) : kRailFull;
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
    const uint32_t server = m_shape.GetServer(message.source);
    --m_servers[server].unsentPieces[message.txRail];
    PostWhatFits(server);
}

void
ChoosingSender::OnAbandoning(const Message& message)
{
    if (!message.isSent && !message.isPinned)
    {
        --m_servers[m_shape.GetServer(message.source)].unsentPieces[message.txRail];
    }
}

void
ChoosingSender::OnConverged()
{
    for (KeptPlan& kept : m_plans)
    {
        m_reachability.ShowTo(kept.plan.view);
    }
}

void
ChoosingSender::SendWaiting()
{
    for (uint32_t server = 0; server < m_servers.size(); ++server)
    {
        PostWhatFits(server);
    }
}

} // namespace ns3::rails
