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
    Way longer = path ? *path : Way{std::vector<TimePs>(m_record.kinds.size(), 0), nullptr};
    longer.times[kind] += time;
    return std::make_shared<const Way>(std::move(longer));
}

void
GraphTimes::SetWatch(SegmentWatch* watch)
{
    m_watch = m_isKept ? watch : nullptr;
}

void
GraphTimes::KeepSpans(uint16_t kind)
{
    m_spanKind = m_isKept ? std::optional(kind) : std::nullopt;
    m_spans.resize(m_gpus.size());
}

GraphTimes::Path
GraphTimes::ExtendAsGiven(const Path& path, uint16_t kind, TimePs time) const
{
    return m_watch && time > 0 ? AddSegment(path, kind, time, m_watch->MakeGivenNote(time))
                               : Extend(path, kind, time);
}

GraphTimes::Path
GraphTimes::ExtendByReply(const Path& path, const Message& message, TimePs posted) const
{
    const TimePs time = message.acknowledged - posted;
    return m_watch && time > 0
               ? AddSegment(path, message.kind, time, m_watch->MakeReplyNote(message, posted))
               : Extend(path, message.kind, time);
}

GraphTimes::Path
GraphTimes::AddSegment(const Path& path,
                       uint16_t kind,
                       TimePs time,
                       std::shared_ptr<SegmentNote> note) const
{
    const Path longer = Extend(path, kind, time);
    if (longer->last)
    {
        longer->last->Absorb();
    }
    return std::make_shared<const Way>(
        Way{longer->times, std::make_shared<PathSegment>(longer->last, kind, std::move(note))});
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
    if (m_spanKind)
    {
        std::vector<TimeSpan>& computing = m_spans[gpu].computing;
        const bool goesOn = !computing.empty() && computing.back().end == at;
        if (isCompute && state.computing == 0 && !goesOn)
        {
            computing.push_back({at, at});
        }
        if (kind == *m_spanKind)
        {
            m_spans[gpu].ahead.push_back({at, at});
        }
    }
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
    if (m_spanKind && isCompute)
    {
        m_spans[gpu].computing.back().end = at;
    }
    if (m_spanKind == kind)
    {
        m_spans[gpu].ahead.back().end = at;
    }
    m_record.kinds[kind].end = std::max(m_record.kinds[kind].end, at);
    if (at > m_record.end)
    {
        m_record.end = at;
        m_last = path;
    }
}

void
GraphTimes::CountUpTo(TimePs at)
{
    for (Gpu& gpu : m_gpus)
    {
        Count(gpu, at);
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
    Path path;
    if (m_watch)
    {
        m_watch->OnDelivered(message);
    }
    const TimePs time = message.end - sent.at;
    if (wantsPath && m_watch && time > 0)
    {
        path = AddSegment(sent.path, message.kind, time, m_watch->MakeNote(message, sent.at));
    }
    else if (wantsPath)
    {
        path = Extend(sent.path, message.kind, time);
    }
    sent.bytes -= message.bytes;
    if (sent.bytes == 0)
    {
        m_sent.erase(found);
    }
    return path;
}

void
GraphTimes::Plan(uint16_t kind, uint32_t step, uint32_t gpu, const Demand& demand)
{
    if (m_isKept)
    {
        m_record.kinds[kind].bytes += demand.bytes;
    }
    if (m_watch)
    {
        m_watch->OnPlanned(step, gpu, demand);
    }
}

void
GraphTimes::Acknowledge(const Message& message)
{
    if (m_watch)
    {
        m_watch->OnAcknowledged(message);
    }
}

std::shared_ptr<const PathSegment>
GraphTimes::GetLastSegment() const
{
    return m_last ? m_last->last : nullptr;
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
        record.kinds[kind].critical = m_last->times[kind];
    }
    return record;
}

} // namespace ns3::rails
