// SPDX-License-Identifier: GPL-2.0-only
#include "rails-transfer.h"

#include "ns3/rails-prefetch.h"

namespace ns3::rails
{

Transfer&
TransferPool::Allocate(Message& message)
{
    if (!m_free)
    {
        m_blocks.push_back(std::make_unique<Transfer[]>(kBlock));
        Transfer* block = m_blocks.back().get();
        for (std::size_t i = kBlock; i-- > 0;)
        {
            block[i].next = m_free;
            m_free = &block[i];
        }
    }
    Transfer& transfer = *m_free;
    m_free = transfer.next;
    Prefetch(m_free, sizeof(Transfer)); // many messages are often posted at once
    transfer = Transfer{};
    transfer.message = &message;
    transfer.id = message.id;
    transfer.bytes = message.bytes;
    transfer.pool = this;
    return transfer;
}

void
TransferPool::Retire(Transfer& transfer)
{
    transfer.message = nullptr;
    if (transfer.isRepeated || transfer.isAbandoned)
    {
        return;
    }
    transfer.bytes = 0;
    transfer.next = m_free;
    m_free = &transfer;
}

Transfer*
TransferPool::Find(const Message& message) const
{
    for (const auto& block : m_blocks)
    {
        for (std::size_t i = 0; i < kBlock; ++i)
        {
            if (block[i].message == &message)
            {
                return &block[i];
            }
        }
    }
    return nullptr;
}

void
TransferPool::Visit(const std::function<void(const Transfer&)>& look) const
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
