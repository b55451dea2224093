// SPDX-License-Identifier: GPL-2.0-only
#ifndef BIRKHOFF_SLOTS_H
#define BIRKHOFF_SLOTS_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Bytes from each server (row) to each (column).
using ByteSquare = std::vector<std::vector<uint64_t>>;

/// A matching of servers: every server sends to one server and receives from one.
struct BirkhoffSlot
{
    std::vector<uint32_t> destinations; //!< by server, each once; itself when it sends nothing
    uint64_t bytes{0};                  //!< sent by each server
};

/**
 * Pads all rows and columns to the largest of their sums, with as few bytes as possible: first on
 * the diagonal, where a server is idle, then on pairs of servers in row-major order.
 */
ByteSquare PadToEqualSums(ByteSquare square);

/**
 * The decomposition of Birkhoff and von Neumann. Each slot is the matching with the largest
 * smallest entry, and lasts for that entry. So slots become shorter and are few: at most
 * (n - 1)^2 + 1.
 * \param square its rows and columns have equal sums
 * \return slots that add up to the square exactly
 * \throws std::invalid_argument when the sums differ
 */
std::vector<BirkhoffSlot> DecomposeIntoSlots(ByteSquare square);

/**
 * Takes the bytes of a slot from the square before padding.
 * \param slot of the decomposition of the padded square
 * \param left bytes not taken by earlier slots
 * \return by server, the bytes it sends in the slot; 0 where the slot is padding
 */
std::vector<uint64_t> TakeSlot(const BirkhoffSlot& slot, ByteSquare& left);

} // namespace ns3::rails

#endif // BIRKHOFF_SLOTS_H
