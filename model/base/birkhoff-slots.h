// SPDX-License-Identifier: GPL-2.0-only
#ifndef BIRKHOFF_SLOTS_H
#define BIRKHOFF_SLOTS_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Bytes from each server (row) to each (column).
using ByteSquare = std::vector<std::vector<uint64_t>>;

/// A matching of servers, for a while: every server sends to one server and receives from one.
struct BirkhoffSlot
{
    std::vector<uint32_t> destinations; //!< by server, each once; itself when it sends nothing
    uint64_t bytes{0};                  //!< that each of them sends
};

/**
 * Adds as little as it takes for all rows and columns to have the sum of the largest of them: first
 * to what servers have for themselves, which is to stay idle, then to pairs in the order of their
 * numbers.
 */
ByteSquare PadToEqualSums(ByteSquare square);

/**
 * The decomposition of Birkhoff and von Neumann. Each slot is the matching whose smallest entry is
 * the largest that there is, for as long as that lasts, so slots become shorter and shorter, and
 * are few; (n - 1)^2 + 1 at most. \param square whose rows and columns have equal sums \return
 * slots that add up to it exactly \throws std::invalid_argument when the sums differ
 */
std::vector<BirkhoffSlot> DecomposeIntoSlots(ByteSquare square);

/**
 * Takes a slot out of what there is, without padding.
 * \param slot of the decomposition
 * \param left what earlier slots have left
 * \return by server what it sends in the slot; 0 where the slot is padding
 */
std::vector<uint64_t> TakeSlot(const BirkhoffSlot& slot, ByteSquare& left);

} // namespace ns3::rails

#endif // BIRKHOFF_SLOTS_H
