// SPDX-License-Identifier: GPL-2.0-only
#ifndef MEMBER_LISTS_H
#define MEMBER_LISTS_H

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::rails
{

/**
 * Many unordered lists in one memory block. A list is a chain of chunks, and only its newest chunk
 * may be partly filled. So growing moves no members, shrinking frees chunks for other lists, and
 * adding or removing a member takes constant time.
 */
class MemberLists
{
  public:
    /// No chunk, slot or element.
    static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

    /// A use of a constraint by a variable.
    struct Member
    {
        uint32_t variable;
        uint32_t element; //!< the number of this use among all uses of all variables
    };

    /// Head of a list; by default an empty list.
    struct List
    {
        uint32_t newest{kNone}; //!< chunk
        uint32_t size{0};
    };

    /// Members per chunk, so that a chunk fills two cache lines.
    static constexpr uint32_t kChunk = 15;

    /// \return the slot of the new member
    uint32_t Append(List& list, const Member& member);

    /**
     * Removes a member; the newest member of the list gets its slot.
     * \return the newest member, possibly the removed one
     */
    Member Remove(List& list, uint32_t slot);

    /**
     * Calls a function with every member, from the newest on. The function may remove its member,
     * and may append to other lists.
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
        uint32_t previous; //!< in the list, or among unused chunks
        Member members[kChunk];
    };

    uint32_t TakeChunk();

    std::vector<Chunk> m_chunks;
    uint32_t m_unused{kNone}; //!< chunk
};

} // namespace ns3::rails

#endif // MEMBER_LISTS_H
