// SPDX-License-Identifier: GPL-2.0-only
#include "member-lists.h"

namespace ns3::rails
{

uint32_t
MemberLists::TakeChunk()
{
    const uint32_t chunk = m_unused;
    if (chunk == kNone)
    {
        m_chunks.emplace_back();
        return static_cast<uint32_t>(m_chunks.size() - 1);
    }
    m_unused = m_chunks[chunk].previous;
    return chunk;
}

uint32_t
MemberLists::Append(List& list, const Member& member)
{
    const uint32_t offset = list.size % kChunk;
    if (offset == 0)
    {
        const uint32_t chunk = TakeChunk();
        m_chunks[chunk].previous = list.newest;
        list.newest = chunk;
    }
    m_chunks[list.newest].members[offset] = member;
    ++list.size;
    return list.newest * kChunk + offset;
}

MemberLists::Member
MemberLists::Remove(List& list, uint32_t slot)
{
    --list.size;
    const uint32_t offset = list.size % kChunk;
    Chunk& newest = m_chunks[list.newest];
    const Member moved = newest.members[offset];
    m_chunks[slot / kChunk].members[slot % kChunk] = moved;
    if (offset == 0)
    {
        const uint32_t chunk = list.newest;
        list.newest = newest.previous;
        newest.previous = m_unused;
        m_unused = chunk;
    }
    return moved;
}

} // namespace ns3::rails
