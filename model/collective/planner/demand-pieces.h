// SPDX-License-Identifier: GPL-2.0-only
#ifndef DEMAND_PIECES_H
#define DEMAND_PIECES_H

#include "planner.h"

#include "ns3/rails-units.h"

#include <vector>

namespace ns3::rails
{

/**
 * Cuts what a server has to send into pieces: as many of the full size as fit, then the remainder.
 * \param view what the server knows
 * \param chunk largest size of a piece; ByteSize::Special() leaves every demand whole
 * \return the pieces in the order of the demands, not yet placed on rails
 */
std::vector<Piece> CutDemands(const ServerView& view, ByteSize chunk);

/**
 * Cuts bytes into parts for several rails, in proportion to the speeds of their NICs.
 * \param bytes how many
 * \param rails those that get a part
 * \param layout knows the speeds
 * \param turn which of the rails is the first to get a byte that is left over; moved on behind the
 * last one that got one
 * \return what each rail gets, possibly nothing
 */
std::vector<uint64_t> SplitOverRails(uint64_t bytes,
                                     const std::vector<uint16_t>& rails,
                                     const ServerLayout& layout,
                                     uint32_t& turn);

/// \return the checker of a planner's attribute Chunk, which knows the word "whole"
Ptr<const AttributeChecker> MakeChunkChecker();

} // namespace ns3::rails

#endif // DEMAND_PIECES_H
