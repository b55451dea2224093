// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_COPY_H
#define EXPERT_COPY_H

#include <cstdint>

namespace ns3::rails
{

/// Why a GPU has an expert, the strongest reason first.
enum class ExpertRole : uint8_t
{
    Home,    //!< home GPU of the expert in its group of expert parallelism
    Replica, //!< permanent replica with optimizer state
    Copy     //!< replica fetched for one layer of one micro-batch
};

/// An expert of a layer on a GPU, with its tokens of one iteration.
struct ExpertCopy
{
    uint32_t expert{0};
    uint32_t gpu{0};
    ExpertRole role{ExpertRole::Home};
    uint64_t tokens{0}; //!< (token, expert) pairs computed here, of all micro-batches and sources
};

/// Iterations and layers of a table of replicas. Layers count from the first of the model, and may
/// have no experts.
struct ExpertExtent
{
    uint32_t iterations{0};
    uint32_t layers{0};
};

} // namespace ns3::rails

#endif // EXPERT_COPY_H
