// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_SWAP_H
#define EXPERT_SWAP_H

#include "ns3/expert-placement.h"
#include "ns3/token-counts.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// Place of an expert on a GPU.
struct ExpertSlot
{
    uint32_t expert{0};
    uint32_t replica{0}; //!< of the expert: an index of its ExpertPlacement::hosts
    uint32_t gpu{0};
    uint64_t tokens{0}; //!< that are computed there
};

/// Two slots whose experts change places, as indices among all slots.
struct SlotSwap
{
    std::size_t heavy{0}; //!< on the GPU with more tokens
    std::size_t light{0}; //!< on the GPU with fewer
    uint64_t gain{0};     //!< tokens by which the larger load of the two GPUs falls
};

/// \return all slots of a placement, those of an expert side by side, when each source deals its
/// tokens of an expert evenly over them
std::vector<ExpertSlot> ListSlots(const TokenCounts& counts, const ExpertPlacement& placement);

/**
 * The swaps inside servers of EPIC (moe-runtime-2026, section 10). GPUs of a server are sorted by
 * their tokens: the heaviest is paired with the lightest, the next with the next, and one in the
 * middle stays alone. A pair makes the one swap that lowers its larger load most, if it gains
 * enough. Ours: of GPUs as heavy the first is the heavier; of swaps as good the first is taken, by
 * the slot of the heavier GPU; and no GPU gets an expert that it has already.
 * \param slots of all GPUs
 * \param cluster whose servers they are in
 * \param leastGain tokens that a swap gains at least; one, if that is less
 */
std::vector<SlotSwap> FindSwaps(const std::vector<ExpertSlot>& slots,
                                const ClusterView& cluster,
                                double leastGain);

} // namespace ns3::rails

#endif // EXPERT_SWAP_H
