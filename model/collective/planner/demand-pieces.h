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

/// \return the checker of a planner's attribute Chunk, which knows the word "whole"
Ptr<const AttributeChecker> MakeChunkChecker();

} // namespace ns3::rails

#endif // DEMAND_PIECES_H
