// SPDX-License-Identifier: GPL-2.0-only
#include "chain-layout.h"

namespace ns3::rails
{

bool
ChainLayout::IsLast(const Place& place) const
{
    const Stream& stream = m_streams[place.stream];
    return stream.nodes == place.count && !stream.isReserved;
}

/// \return the stream for a node; a free stream is taken off its list
uint32_t
ChainLayout::Choose(const std::vector<Place>& before)
{
    const Place* best = nullptr;
    for (const Place& place : before)
    {
        // Prefer the stream with the most free streams, which then need not be moved.
        if (IsLast(place) &&
            (!best || m_streams[place.stream].free.size() > m_streams[best->stream].free.size()))
        {
            best = &place;
        }
    }
    if (best)
    {
        return best->stream;
    }
    for (const Place& place : before)
    {
        std::deque<Free>& free = m_streams[place.stream].free;
        while (!free.empty() && free.front().from <= place.count)
        {
            const Place last = free.front().last;
            free.pop_front();
            if (IsLast(last))
            {
                return last.stream;
            }
        }
    }
    m_streams.emplace_back();
    return GetStreams() - 1;
}

ChainLayout::Place
ChainLayout::Add(const std::vector<Place>& before)
{
    const uint32_t number = Choose(before);
    Stream& stream = m_streams[number];
    ++stream.nodes;
    for (const Place& place : before)
    {
        if (place.stream == number || !IsLast(place))
        {
            continue;
        }
        stream.free.push_back({place, stream.nodes});
        std::deque<Free>& others = m_streams[place.stream].free;
        for (const Free& other : others)
        {
            stream.free.push_back({other.last, stream.nodes});
        }
        others.clear();
    }
    return {number, stream.nodes};
}

void
ChainLayout::Reserve(uint32_t stream)
{
    m_streams[stream].isReserved = true;
}

ChainLayout::Place
ChainLayout::AddBehind(uint32_t stream)
{
    m_streams[stream].isReserved = false;
    return {stream, ++m_streams[stream].nodes};
}

uint32_t
ChainLayout::GetStreams() const
{
    return static_cast<uint32_t>(m_streams.size());
}

} // namespace ns3::rails
