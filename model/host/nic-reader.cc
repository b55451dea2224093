// SPDX-License-Identifier: GPL-2.0-only
#include "nic-reader.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

NicReader::NicReader(uint32_t reads, uint64_t segmentBytes, Request request)
    : m_reads(reads),
      m_segmentBytes(segmentBytes),
      m_request(std::move(request))
{
}

void
NicReader::Add(uint32_t queuePair, uint32_t end, MessageState& transfer, uint64_t bytes)
{
    m_waiting[{queuePair, transfer.order, m_added++}] = {&transfer, end, bytes};
}

void
NicReader::OnRead()
{
    --m_underWay;
}

void
NicReader::AskForMore()
{
    while (m_underWay < m_reads && !m_waiting.empty())
    {
        auto next = m_waiting.lower_bound({m_nextQueue, 0, 0});
        next = next == m_waiting.end() ? m_waiting.begin() : next;
        m_nextQueue = std::get<0>(next->first) + 1;
        Waiting& waiting = next->second;
        const uint64_t bytes = std::min(waiting.bytes, m_segmentBytes);
        MessageState& transfer = *waiting.transfer;
        const uint32_t end = waiting.end;
        waiting.bytes -= bytes;
        if (waiting.bytes == 0)
        {
            m_waiting.erase(next);
        }
        ++m_underWay;
        m_request(end, transfer, bytes);
    }
}

} // namespace ns3::rails
