// SPDX-License-Identifier: GPL-2.0-only
#include "message-state.h"

#include "ns3/rails-prefetch.h"

namespace ns3::rails
{

MessageState&
MessageStatePool::Allocate(Message& message)
{
    if (!m_index.empty())
    {
        m_index.clear(); // clearing an empty map still visits all its buckets
    }
    if (m_free.empty())
    {
        m_blocks.push_back(std::make_unique<MessageState[]>(kBlock));
        for (std::size_t i = kBlock; i-- > 0;)
        {
            m_free.push_back(&m_blocks.back()[i]);
        }
    }
    MessageState& transfer = *m_free.back();
    m_free.pop_back();
    // Prefetched, as many messages are often posted at once.
    constexpr std::size_t kAhead = 4;
    if (m_free.size() >= kAhead)
    {
        Prefetch(m_free[m_free.size() - kAhead], sizeof(MessageState));
    }
    transfer = MessageState{};
    transfer.message = &message;
    transfer.id = message.id;
    transfer.bytes = message.bytes;
    transfer.pool = this;
    return transfer;
}

void
MessageStatePool::Retire(MessageState& transfer)
{
    transfer.message = nullptr;
    if (transfer.isRepeated || transfer.isAbandoned)
    {
        return;
    }
    transfer.bytes = 0;
    m_free.push_back(&transfer);
}

MessageState*
MessageStatePool::Find(const Message& message) const
{
    if (m_index.empty())
    {
        for (const auto& block : m_blocks)
        {
            for (std::size_t i = 0; i < kBlock; ++i)
            {
                if (block[i].message)
                {
                    m_index.emplace(block[i].message, &block[i]);
                }
            }
        }
    }
    const auto found = m_index.find(&message);
    const bool isOver = found == m_index.end() || found->second->message != &message;
    return isOver ? nullptr : found->second;
}

void
MessageStatePool::Visit(const std::function<void(const MessageState&)>& look) const
{
    for (const auto& block : m_blocks)
    {
        for (std::size_t i = 0; i < kBlock; ++i)
        {
            if (block[i].bytes > 0)
            {
                look(block[i]);
            }
        }
    }
}

} // namespace ns3::rails
