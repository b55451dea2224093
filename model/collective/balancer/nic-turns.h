// SPDX-License-Identifier: GPL-2.0-only
#ifndef NIC_TURNS_H
#define NIC_TURNS_H

#include "balancer.h"

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Which of the NICs near its two GPUs a piece takes, counted in a circle
/// (ServerView::GetNearNic()).
struct NicTurn
{
    uint32_t source{0};      //!< at the source GPU
    uint32_t destination{0}; //!< at the destination GPU
};

/**
 * Deals pieces to the NICs near a GPU in turn, where a GPU has several. A source counts what it has
 * for others from the server behind its own on. So do all others: with the same number of pieces
 * for each GPU of its group, and as many of these on each server, a GPU gets from the others the
 * turns that follow each other, too. No NIC then sends or gets more pieces than the GPU's, divided
 * by its NICs and rounded up. What a source has for one GPU alone shows no group, and takes the
 * turn that it would have among all GPUs.
 * \param view what the server knows
 * \param pieces of its demands, those of a demand side by side
 * \return by piece; all the same where each GPU has one NIC
 */
std::vector<NicTurn> FindNicTurns(const ServerView& view, const std::vector<Piece>& pieces);

} // namespace ns3::rails

#endif // NIC_TURNS_H
