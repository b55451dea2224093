// SPDX-License-Identifier: GPL-2.0-only
#ifndef EXPERT_COPY_H
#define EXPERT_COPY_H

#include <cstdint>

namespace ns3::rails
{

/// Why a GPU has an expert, the strongest reason first.
enum class ExpertRole : uint8_t
{
    Home,    //!< the expert lives there, in its group of expert parallelism
    Replica, //!< it is there for good as well, with its optimizer
    Copy     //!< it is brought for a layer of a micro-batch
};

/// An expert of a layer on a GPU, and what that computes of it in an iteration.
struct ExpertCopy
{
    uint32_t expert{0};
    uint32_t gpu{0};
    ExpertRole role{ExpertRole::Home};
    uint64_t tokens{0}; //!< pairs of a token and the expert, of all micro-batches and sources
};

/// How many iterations and layers there are copies of: layers are numbered from the first of the
/// model, and may have no experts.
struct ExpertExtent
{
    uint32_t iterations{0};
    uint32_t layers{0};
};

} // namespace ns3::rails

#endif // EXPERT_COPY_H
