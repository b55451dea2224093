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
    uint32_t replica{0}; //!< index into the expert's ExpertPlacement::hosts
    uint32_t gpu{0};
    uint64_t tokens{0}; //!< tokens computed in the slot
};

/// Two slots whose experts are swapped, as indices among all slots.
struct SlotSwap
{
    std::size_t heavy{0}; //!< on the GPU with more tokens
    std::size_t light{0}; //!< on the GPU with fewer
    uint64_t gain{0};     //!< reduction of the larger load of the two GPUs, in tokens
};

/// \return all slots of a placement, slots of an expert contiguous; each source splits its tokens
///     of an expert evenly over them
std::vector<ExpertSlot> ListSlots(const TokenCounts& counts, const ExpertPlacement& placement);

/**
 * The swaps inside servers of EPIC (moe-runtime-2026, section 10). GPUs of a server are sorted by
 * tokens: the heaviest is paired with the lightest, the second with the second lightest, and so on;
 * a middle one is left out. A pair makes the swap that lowers its larger load most, if the gain
 * suffices. Ours: ties between GPUs go to the first as the heavier; ties between swaps to the first
 * by the slot of the heavier GPU; and no GPU gets an expert twice.
 * \param slots of all GPUs
 * \param cluster servers of the GPUs
 * \param leastGain least gain of a swap in tokens, at least one
 */
std::vector<SlotSwap> FindSwaps(const std::vector<ExpertSlot>& slots,
                                const ClusterView& cluster,
                                double leastGain);

} // namespace ns3::rails

#endif // EXPERT_SWAP_H
