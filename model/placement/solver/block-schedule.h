// SPDX-License-Identifier: GPL-2.0-only
#ifndef BLOCK_SCHEDULE_H
#define BLOCK_SCHEDULE_H

#include "ns3/layer-time-model.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// An operation of a block: a layer with experts, and the rest of the layer after them.
struct BlockOperation
{
    /// Kind of operation.
    enum Kind
    {
        PLAN,             //!< chooses the block's shadows for the next iteration
        PARAMETERS,       //!< Trans: parameters of shadows are sent
        ALL_TO_ALL,       //!< A2A
        FORWARD_EXPERTS,  //!< FEC
        FORWARD_OTHER,    //!< FNEC
        BACKWARD_EXPERTS, //!< BEC
        BACKWARD_OTHER,   //!< BNEC
        GRADIENTS         //!< Agg: gradients of shadows are sent home
    };

    /// Operations of a stream follow each other in the order of the schedule.
    enum Stream
    {
        COMPUTE,
        COMMUNICATION
    };

    Kind kind{PLAN};
    uint32_t block{0}; //!< from 0
    uint32_t part{0};  //!< number among equal operations of an iteration, from 0
    double share{1};   //!< share of the transfer in this part
    Stream stream{COMPUTE};
    std::vector<std::size_t> after; //!< numbers of earlier operations that it waits for
};

/// \return a name such as "Trans 3 part 1" or "FEC 2"; blocks and parts count from 1
std::string GetName(const BlockOperation& operation);

/// Shares of a block's transfers under FNEC or BNEC; the remainders are under FEC or BEC.
struct BlockCut
{
    double parameters{1}; //!< under FNEC of the block before
    double gradients{1};  //!< under BNEC of the block before
};

/**
 * \param transfer seconds of the transfer of all experts
 * \param experts number of experts
 * \param window seconds of computation
 * \return largest share of the transfer that fits into the window, in whole experts
 */
double FindShare(double transfer, uint32_t experts, double window);

/**
 * \param before times of the block before
 * \param own times of the block whose transfers are split
 * \return the split that fills the window under FNEC or BNEC first; it may split an expert
 */
BlockCut FindCut(const LayerTime& before, const LayerTime& own);

/**
 * Schedule of an iteration (Pro-Prophet, arXiv 2411.10003, section 5). Planning of a block overlaps
 * with its first all-to-all. Parameters of a block are sent in two parts, under FEC and FNEC of the
 * block before. Its gradients are sent in two parts, under BNEC and BEC of the block before: the
 * backward pass goes from the last block to the first. No computation hides the transfers of the
 * first block, which are not split.
 * \param cuts by block; the first is ignored
 * \return operations in the order of each stream
 */
std::vector<BlockOperation> MakeBlockSchedule(const std::vector<BlockCut>& cuts);

/// When an operation runs.
struct BlockSpan
{
    double start{0}; //!< seconds
    double end{0};   //!< seconds
};

/**
 * \param schedule operations in order
 * \param times durations of operations in seconds, by block
 * \param planning seconds of planning a block
 * \return when each operation runs, as early as possible
 */
std::vector<BlockSpan> RunBlockSchedule(const std::vector<BlockOperation>& schedule,
                                        const std::vector<LayerTime>& times,
                                        double planning);

} // namespace ns3::rails

#endif // BLOCK_SCHEDULE_H
