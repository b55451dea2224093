// SPDX-License-Identifier: GPL-2.0-only
#ifndef MEMBER_LISTS_H
#define MEMBER_LISTS_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

namespace ns3::rails
{

/**
 * Many unordered lists of any lengths in one piece of memory. A list is a chain of chunks of which
 * only the newest is not full, so a list that grows moves nothing, one that shrinks gives its
 * chunks to others, and a member is added or taken out at the same cost in the longest list.
 */
class MemberLists
{
  public:
    /// No chunk, slot or incidence.
    static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

    /// A class of flows that uses a resource.
    struct Member
    {
        uint32_t flowClass;
        uint32_t incidence; //!< the number of this use among all uses of all classes
    };

    /// Where a list begins; an empty list after its construction.
    struct List
    {
        uint32_t newest{kNone}; //!< chunk
        uint32_t size{0};
    };

    /**
     * From now on different lists may grow and shrink on different threads at once.
     * \param chunks as many as all lists will have together at most
     */
    void Share(std::size_t chunks);

    /// The lists belong to one thread again.
    void Unshare()
    {
        m_isShared = false;
    }

    /// Members of a chunk, which is as large as two cache lines.
    static constexpr uint32_t kChunk = 15;

    /// \return the slot of the new member
    uint32_t Append(List& list, const Member& member);

    /**
     * Takes a member out; the newest member of the list gets its slot.
     * \return that newest member, which is the removed one itself when it was the newest
     */
    Member Remove(List& list, uint32_t slot);

    /**
     * Calls a function with every member, from the newest on. It may remove the member that it is
     * called with, and may append to other lists.
     */
    template <typename Function>
    void ForEach(const List& list, Function function) const
    {
        uint32_t chunk = list.newest;
        for (uint32_t left = list.size; left > 0;)
        {
            const uint32_t previous = m_chunks[chunk].previous;
            for (uint32_t offset = (left - 1) % kChunk + 1; offset > 0; --offset, --left)
            {
                function(Member(m_chunks[chunk].members[offset - 1]));
            }
            chunk = previous;
        }
    }

  private:
    struct Chunk
    {
        uint32_t previous; //!< in the list, or among the unused ones
        Member members[kChunk];
    };

    /// \return a lock of what all lists share, where that is needed
    std::unique_lock<std::mutex> Lock()
    {
        return m_isShared ? std::unique_lock<std::mutex>(m_mutex) : std::unique_lock<std::mutex>();
    }

    uint32_t TakeChunk();

    std::vector<Chunk> m_chunks;
    uint32_t m_unused{kNone}; //!< chunk
    bool m_isShared{false};
    std::mutex m_mutex; //!< of the unused chunks, and of how many there are
};

} // namespace ns3::rails

#endif // MEMBER_LISTS_H
