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

/// An operation of a block, which is a layer with experts and the rest of the layer behind it.
struct BlockOperation
{
    /// What it does.
    enum Kind
    {
        PLAN,             //!< chooses shadows of the block for the next iteration
        PARAMETERS,       //!< Trans: parameters of shadows go out
        ALL_TO_ALL,       //!< A2A
        FORWARD_EXPERTS,  //!< FEC
        FORWARD_OTHER,    //!< FNEC
        BACKWARD_EXPERTS, //!< BEC
        BACKWARD_OTHER,   //!< BNEC
        GRADIENTS         //!< Agg: gradients of shadows come home
    };

    /// Operations of a stream follow each other in the order of the schedule.
    enum Stream
    {
        COMPUTE,
        COMMUNICATION
    };

    Kind kind{PLAN};
    uint32_t block{0}; //!< from 0
    uint32_t part{0};  //!< of several alike in an iteration, from 0
    double share{1};   //!< of the whole that this part is
    Stream stream{COMPUTE};
    std::vector<std::size_t> after; //!< numbers of operations that have to be over, all before it
};

/// \return a name such as "Trans 3 part 1" or "FEC 2": blocks and parts are counted from 1
std::string GetName(const BlockOperation& operation);

/// How transfers of a block are cut. What is not in the one window is in the other.
struct BlockCut
{
    double parameters{1}; //!< share under FNEC of the block before
    double gradients{1};  //!< share under BNEC of the block before
};

/**
 * \param transfer seconds that all experts take
 * \param experts how many there are
 * \param window seconds of computation
 * \return the share of the transfer that fits in, in whole experts
 */
double FindShare(double transfer, uint32_t experts, double window);

/**
 * \param before times of the block before
 * \param own times of the block whose transfers are cut
 * \return the cut that fills the window of the rest of a layer first, wherever that cuts an expert
 */
BlockCut FindCut(const LayerTime& before, const LayerTime& own);

/**
 * The schedule of an iteration (Pro-Prophet, arXiv 2411.10003, section 5; facts A.5). The plan of
 * a block runs under its first all-to-all. Parameters of a block go out in two parts, under FEC and
 * under FNEC of the block before; its gradients come home in two parts, under BNEC and under BEC of
 * the block before, as the way back goes from the last block to the first. Parameters of the first
 * block and its gradients have nothing to go under, and are in one part.
 * \param cuts by block; that of the first block means nothing
 * \return operations; each stream runs its own in this order
 */
std::vector<BlockOperation> MakeBlockSchedule(const std::vector<BlockCut>& cuts);

/// When an operation runs.
struct BlockSpan
{
    double start{0}; //!< seconds
    double end{0};   //!< seconds
};

/**
 * \param schedule what runs
 * \param times seconds of the operations, by block
 * \param planning seconds of planning a block
 * \return when each operation runs if all start as soon as they can
 */
std::vector<BlockSpan> RunBlockSchedule(const std::vector<BlockOperation>& schedule,
                                        const std::vector<LayerTime>& times,
                                        double planning);

} // namespace ns3::rails

#endif // BLOCK_SCHEDULE_H
