// SPDX-License-Identifier: GPL-2.0-only
#ifndef GROUP_COLLECTIVE_H
#define GROUP_COLLECTIVE_H

#include "ring-steps.h"

#include "ns3/gpu-groups.h"

#include <cstdint>

namespace ns3::rails
{

/// What the GPUs of each group do together.
struct GroupCollective
{
    /// What it is for.
    enum class Operation : uint8_t
    {
        AllReduce,
        AllGather,
        ReduceScatter,
        Broadcast,
        Reduce
    };

    Operation operation{Operation::AllReduce};
    uint64_t bytes{1};  //!< the whole buffer of a GPU
    uint32_t root{0};   //!< of broadcast and reduce: which member of its group has it, or gets it
    uint32_t chunks{1}; //!< of broadcast and reduce: parts of the buffer that follow each other

    /// \return whether one GPU of a group has the buffer before or behind it
    bool IsRooted() const
    {
        return operation == Operation::Broadcast || operation == Operation::Reduce;
    }
};

/**
 * A broadcast, or a reduce, on one ring of the GPUs of each group, cut at the root.
 * \param groups the GPUs of the cluster, at least two in a group
 * \param collective what they do
 * \return what each step moves
 */
CollectiveSteps MakeFlatSteps(const GpuGroups& groups, const GroupCollective& collective);

/// \return how many steps MakeFlatSteps() makes
uint64_t CountFlatSteps(const GpuGroups& groups, const GroupCollective& collective);

} // namespace ns3::rails

#endif // GROUP_COLLECTIVE_H
