// SPDX-License-Identifier: GPL-2.0-only
#include "graph-times.h"

#include <algorithm>
#include <utility>

namespace ns3::rails
{

GraphTimes::GraphTimes(uint32_t gpus, const std::vector<std::string>& kinds, bool isKept)
    : m_isKept(isKept)
{
    if (!m_isKept)
    {
        return;
    }
    m_gpus.assign(gpus, Gpu{0, 0, std::vector<uint32_t>(kinds.size(), 0)});
    m_record.gpus = gpus;
    for (const std::string& kind : kinds)
    {
        KindRecord record;
        record.name = kind;
        m_record.kinds.push_back(record);
    }
}

GraphTimes::Path
GraphTimes::Extend(const Path& path, uint16_t kind, TimePs time) const
{
    if (time == 0 || !m_isKept)
    {
        return path;
    }
    std::vector<TimePs> longer = path ? *path : std::vector<TimePs>(m_record.kinds.size(), 0);
    longer[kind] += time;
    return std::make_shared<const std::vector<TimePs>>(std::move(longer));
}

void
GraphTimes::Begin(uint32_t gpu, uint16_t kind, bool isCompute, TimePs at, bool isOnHost)
{
    if (!m_isKept)
    {
        return;
    }
    Gpu& state = m_gpus[gpu];
    Count(state, at);
    ++state.active[kind];
    state.computing += isCompute ? 1 : 0;
    m_record.kinds[kind].isCompute = m_record.kinds[kind].isCompute || isCompute;
    m_record.kinds[kind].isOnHost = isOnHost;
    ++m_record.kinds[kind].nodes;
    ++m_record.nodes;
}

void
GraphTimes::End(uint32_t gpu, uint16_t kind, bool isCompute, TimePs at, const Path& path)
{
    if (!m_isKept)
    {
        return;
    }
    Gpu& state = m_gpus[gpu];
    Count(state, at);
    --state.active[kind];
    state.computing -= isCompute ? 1 : 0;
    m_record.kinds[kind].end = std::max(m_record.kinds[kind].end, at);
    if (at > m_record.end)
    {
        m_record.end = at;
        m_last = path;
    }
}

void
GraphTimes::Count(Gpu& gpu, TimePs at)
{
    const auto time = static_cast<double>(at - gpu.since);
    gpu.since = at;
    if (time == 0)
    {
        return;
    }
    m_record.computing += gpu.computing > 0 ? time : 0;
    for (std::size_t kind = 0; kind < gpu.active.size(); ++kind)
    {
        if (gpu.active[kind] > 0)
        {
            m_record.kinds[kind].busy += time;
            m_record.kinds[kind].exposed += gpu.computing == 0 ? time : 0;
        }
    }
}

void
GraphTimes::Post(uint32_t gpu, uint32_t step, uint64_t bytes, TimePs at, const Path& path)
{
    if (m_isKept && bytes > 0)
    {
        m_sent[MakeKey(gpu, step)] = {at, path, bytes};
    }
}

GraphTimes::Path
GraphTimes::Deliver(const Message& message, bool wantsPath)
{
    if (!m_isKept)
    {
        return nullptr;
    }
    const auto found = m_sent.find(MakeKey(message.source, message.step));
    Sent& sent = found->second;
    const Path path = wantsPath ? Extend(sent.path, message.phase, message.end - sent.at) : nullptr;
    sent.bytes -= message.bytes;
    if (sent.bytes == 0)
    {
        m_sent.erase(found);
    }
    return path;
}

void
GraphTimes::AddBytes(uint16_t kind, uint64_t bytes)
{
    if (m_isKept)
    {
        m_record.kinds[kind].bytes += bytes;
    }
}

TimePs
GraphTimes::GetEnd() const
{
    return m_record.end;
}

GraphRecord
GraphTimes::GetRecord() const
{
    GraphRecord record = m_record;
    for (std::size_t kind = 0; m_last && kind < record.kinds.size(); ++kind)
    {
        record.kinds[kind].critical = (*m_last)[kind];
    }
    return record;
}

} // namespace ns3::rails
