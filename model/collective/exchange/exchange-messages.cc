// SPDX-License-Identifier: GPL-2.0-only
#include "exchange-messages.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::rails
{

namespace
{

/// \return the later of two times; kNever stands for none so far
TimePs
GetLater(TimePs latest, TimePs time)
{
    return latest == kNever ? time : std::max(latest, time);
}

/**
 * \param place of a message among its plan's messages on a NIC
 * \return entropy of the message for hashing, independent of the order of posts
 */
uint32_t
MakeEntropy(uint32_t step, uint32_t place)
{
    return step * 0x9e3779b9U + place; // places of two steps are far apart
}

} // namespace

ExchangeMessages::ExchangeMessages(ClusterShape shape, Ptr<MessageService> service)
    : m_shape(shape),
      m_service(service)
{
}

void
ExchangeMessages::SetTraits(const MessageTraits& traits)
{
    m_traits = traits;
}

Message&
ExchangeMessages::Add(uint32_t source, uint32_t destination, uint64_t bytes, uint32_t step)
{
    Forget();
    Message& message = m_messages.emplace_back();
    message.id = GetSize() - 1;
    message.pair = source * m_shape.GetGpus() + destination;
    message.source = source;
    message.destination = destination;
    message.step = step;
    message.kind = m_traits.kind;
    message.channel = m_traits.channel;
    message.isAwaited = m_traits.isAwaited;
    message.isPinned = m_traits.isPinned;
    message.bytes = bytes;
    ++m_undelivered;
    ++m_unacknowledged;
    return message;
}

void
ExchangeMessages::ForgetBeyond(size_t most)
{
    m_most = most;
}

void
ExchangeMessages::Forget()
{
    while (m_messages.size() > m_most && m_messages.front().isDeliveryKnown &&
           m_messages.front().isAckKnown)
    {
        const Message& message = m_messages.front();
        if (message.sent != kNever)
        {
            m_slowestForgotten = std::max(m_slowestForgotten, message.acknowledged - message.sent);
        }
        m_messages.pop_front();
        ++m_forgotten;
    }
}

void
ExchangeMessages::AddInside(uint32_t source, const Demand& demand, uint32_t step)
{
    Add(source, demand.destination, demand.bytes, step);
}

size_t
ExchangeMessages::AddPlanned(const ServerPlan& plan, uint32_t step, uint32_t made)
{
    const size_t first = GetSize();
    std::vector<uint32_t> places(m_shape.nicsPerServer + 1, made); // by NIC; the last without a NIC
    for (const Piece& piece : plan.pieces)
    {
        const LocalDemand& demand = plan.view.demands[piece.demand];
        Message& message = Add(demand.source, demand.destination, piece.bytes, step);
        message.txRail = piece.txRail;
        message.rxRail = piece.rxRail;
        message.subflow = piece.subflow;
        message.paceBps = piece.paceBps;
        message.entropy =
            MakeEntropy(step, places[std::min<size_t>(piece.txRail, m_shape.nicsPerServer)]++);
    }
    return first;
}

void
ExchangeMessages::BeginPlanning(TimePs at)
{
    m_firstPost = std::min(m_firstPost, at);
}

void
ExchangeMessages::Post(Message& message)
{
    ++m_travelling;
    m_service->Post(message);
    m_firstPost = std::min(m_firstPost, message.start);
    m_lastPost = GetLater(m_lastPost, message.start);
}

bool
ExchangeMessages::Abandon(Message& message)
{
    m_service->Abandon(message);
    if (!message.isAbandoned)
    {
        return false;
    }
    ++m_abandoned;
    --m_undelivered;
    --m_travelling;
    --m_unacknowledged;
    return true;
}

void
ExchangeMessages::OnDelivered(Message& message)
{
    message.isDeliveryKnown = true;
    --m_undelivered;
    --m_travelling;
    m_deliveredBytes += message.bytes;
    m_lastDelivery = GetLater(m_lastDelivery, message.end);
}

void
ExchangeMessages::OnAcknowledged(Message& message)
{
    message.isAckKnown = true;
    --m_unacknowledged;
    m_lastAcknowledgement = GetLater(m_lastAcknowledgement, message.acknowledged);
}

Message&
ExchangeMessages::Get(size_t id)
{
    if (id < m_forgotten)
    {
        throw std::logic_error("message " + std::to_string(id) + " is forgotten");
    }
    return m_messages[id - m_forgotten];
}

size_t
ExchangeMessages::GetSize() const
{
    return m_forgotten + m_messages.size();
}

uint64_t
ExchangeMessages::GetDelivered() const
{
    return GetSize() - m_undelivered - m_abandoned;
}

} // namespace ns3::rails
