// SPDX-License-Identifier: GPL-2.0-only
#include "failure-rebalancer.h"

#include "ns3/log.h"
#include "ns3/rails-quantity.h"

#include <utility>

namespace ns3::rails
{

NS_LOG_COMPONENT_DEFINE("RailsFailureRebalancer");

namespace
{

/// \return true when failures leave a way to another server (see ServerView::reach)
bool
HasWay(const ServerView& view, uint32_t to)
{
    return view.reach.count(to) > 0;
}

} // namespace

FailureRebalancer::FailureRebalancer(
    ClusterShape shape,
    const TrafficBalancers& balancers,
    ExchangeMessages& messages,
    PieceSender& sender,
    std::function<std::vector<uint32_t>(uint32_t, uint32_t)> findMembers)
    : m_shape(shape),
      m_balancers(balancers),
      m_messages(messages),
      m_sender(sender),
      m_findMembers(std::move(findMembers))
{
}

void
FailureRebalancer::Replan()
{
    m_sender.OnConverged();
    PassFinished();
    const Stranded stranded = GiveUpAll();
    NoteRates();
    std::map<std::pair<uint16_t, uint32_t>, ExchangeCounts>
        counts; // as far as balancers ask for it
    for (const auto& [where, demands] : stranded)
    {
        const auto& [kind, step, server, traits] = where;
        ServerView view{m_shape, server, {}};
        view.SetGroup(m_findMembers(server, step));
        for (const auto& [way, bytes] : demands)
        {
            const auto& [source, destination, on] = way;
            view.demands.push_back({source, destination, bytes, on});
        }
        NS_LOG_INFO(FormatTime(NowPs()) << ": server " << server << " plans " << demands.size()
                                        << " stranded demands of step " << step << " anew");
        PlanMaker& maker = m_balancers.GetMaker(kind, traits.isPinned);
        auto known = counts.find({kind, step});
        const bool needsCounts = maker.GetBalancer().GetTraits().needsCounts;
        if (needsCounts && known == counts.end())
        {
            known = counts.emplace(std::pair(kind, step), CountStep(stranded, kind, step)).first;
        }
        Post(traits, step, maker.MakePlan(std::move(view), needsCounts ? &known->second : nullptr));
    }
    m_sender.SendWaiting(); // a message may have waited for a rail that has come back
}

/// Gives up all messages whose way is cut, or slower than their pace was made for.
FailureRebalancer::Stranded
FailureRebalancer::GiveUpAll()
{
    Stranded stranded;
    const size_t end = m_messages.GetSize();
    for (size_t id = m_firstOpen; id < end; ++id)
    {
        Message& message = m_messages.Get(id);
        if (GiveUp(message))
        {
            const uint32_t server = m_shape.GetServer(message.source);
            MessageTraits traits = MessageTraits::Of(message);
            traits.isPinned = traits.isPinned && m_balancers.MayPin(MakeView(message));
            const RailQueue on =
                traits.isPinned
                    ? RailQueue{message.txRail,
                                m_balancers.GetMaker(message.kind, true).GetQueue(message.subflow)}
                    : RailQueue{};
            stranded[{message.kind, message.step, server, traits}]
                    [{message.source, message.destination, on}] += message.bytes;
        }
    }
    return stranded;
}

/// \return what servers tell each other of what is stranded of a step
ExchangeCounts
FailureRebalancer::CountStep(const Stranded& stranded, uint16_t kind, uint32_t step) const
{
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> pairs; // by source and destination GPU
    for (auto part = stranded.lower_bound({kind, step, 0, MessageTraits{}});
         part != stranded.end() && std::get<0>(part->first) == kind &&
         std::get<1>(part->first) == step;
         ++part)
    {
        for (const auto& [way, bytes] : part->second)
        {
            pairs[{std::get<0>(way), std::get<1>(way)}] += bytes;
        }
    }
    TrafficMatrix matrix(m_shape);
    for (const auto& [pair, bytes] : pairs)
    {
        matrix.Add(pair.first, pair.second, bytes);
    }
    return {std::move(matrix), m_balancers.GetFrames()};
}

void
FailureRebalancer::PassFinished()
{
    const auto isFinished = [](const Message& message) {
        return message.acknowledged != kNever || message.isAbandoned;
    };
    while (m_firstOpen < m_messages.GetSize() && isFinished(m_messages.Get(m_firstOpen)))
    {
        ++m_firstOpen;
    }
}

/// \return true when the way of a posted message has become slower, and somebody paces: all that is
/// between two NICs is given up together, with a pace or without
bool
FailureRebalancer::IsSlower(const Message& message) const
{
    const auto findRate = [&](uint32_t gpu, uint16_t rail) {
        const uint32_t nic = m_shape.GetNic(m_shape.GetServer(gpu), rail);
        const uint64_t before = m_rates.at(nic);
        return std::pair(m_balancers.GetKnownRate(nic), before);
    };
    const bool isInside = message.txRail == kNoRail;
    if (isInside || !m_balancers.Pace() || message.start == kNever || m_rates.empty())
    {
        return false;
    }
    const auto [txNow, txBefore] = findRate(message.source, message.txRail);
    const auto [rxNow, rxBefore] = findRate(message.destination, message.rxRail);
    return txNow < txBefore || rxNow < rxBefore;
}

void
FailureRebalancer::NoteRates()
{
    m_rates.resize(m_shape.GetNics());
    for (uint32_t nic = 0; nic < m_rates.size(); ++nic)
    {
        m_rates[nic] = m_balancers.GetKnownRate(nic);
    }
}

/// \return what the server of a message's sender has, if that is the message alone
ServerView
FailureRebalancer::MakeView(const Message& message) const
{
    return {m_shape, m_shape.GetServer(message.source), {{message.source, message.destination, 1}}};
}

bool
FailureRebalancer::GiveUp(Message& message)
{
    if (message.acknowledged != kNever || message.isAbandoned || !m_sender.HasRails(message))
    {
        return false;
    }
    ServerView view = MakeView(message);
    const bool isPinned = message.isPinned && m_balancers.MayPin(view);
    const ReachabilityView& reachability = m_balancers.GetReachability(message.kind, isPinned);
    const bool isCut = reachability.IsCut(message);
    if (!isCut && !IsSlower(message))
    {
        return false;
    }
    const uint32_t to = m_shape.GetServer(message.destination);
    reachability.ShowTo(view);
    if (isCut && !HasWay(view, to))
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
FailureRebalancer::Post(const MessageTraits& traits, uint32_t step, ServerPlan plan)
{
    m_messages.SetTraits(traits);
    const size_t first =
        m_messages.AddPlanned(plan, step, static_cast<uint32_t>(m_messages.GetSize()));
    const size_t end = m_messages.GetSize();
    m_sender.OnPlanned(std::move(plan), first);
    for (size_t id = first; id < end; ++id)
    {
        m_sender.Send(m_messages.Get(id));
    }
}

} // namespace ns3::rails
