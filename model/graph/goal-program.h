// SPDX-License-Identifier: GPL-2.0-only
#ifndef GOAL_PROGRAM_H
#define GOAL_PROGRAM_H

#include "goal-schedule.h"
#include "graph-program.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A send and its recv.
class GoalTransfer : public GraphTransfer
{
  public:
    struct Message
    {
        uint32_t source;
        uint32_t destination;
        uint64_t bytes;
        uint16_t rail; //!< kNoRail: a planner decides
    };

    explicit GoalTransfer(const Message& message);

    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;
    RailQueue GetRail(uint32_t gpu, uint32_t step) const override;

  private:
    Message m_message;
};

/**
 * A GOAL schedule as a program. What the LogGOPS model charges for a message (o, g, G, L) is not
 * charged: the network is simulated instead, and takes what it takes.
 *
 * - A calc is a node that computes so many nanoseconds on the unit `cpu` of its GPU; those of one
 *   unit follow each other, first come first served. FindComputeTime() leaves that out, and is a
 *   lower bound.
 * - A send and its recv are a transfer in a step of its own. The send is over when its sender knows
 *   that all bytes have arrived, the recv when they have arrived and the receiver has come to it.
 *   Neither takes time of a `cpu`.
 * - Where a message names a `nic` other than 0, each leaves and arrives by the NIC that it names,
 *   counted from the first one of its rank's GPUs; one that names none, by NIC 0. Otherwise the
 *   planner decides.
 * - A message without bytes is sent as one byte: something has to arrive.
 * - A message of a rank to itself takes no time and no network: the recv is over when the send has
 *   begun.
 * - What `irequires` another one begins when the other has all that it needs itself. A calc that
 *   waits for its `cpu` begins later than that, which this does not know.
 */
class GoalProgram : public GraphProgram
{
  public:
    /**
     * \param schedule what ranks do
     * \param shape the cluster
     * \param gpus by rank, its GPU; GPUs without a rank do nothing
     * \param gpusPerRank GPUs from its own on whose NICs a rank has, as far as its server has them
     * \throws ConfigurationError when that is not one GPU of the cluster for each rank, when a rank
     *     has no such NIC or a message two of different rails, or when the ranks move more than 4
     *     exabytes
     * \throws GoalError when the schedule cannot be gone through
     */
    GoalProgram(const GoalSchedule& schedule,
                const ClusterShape& shape,
                const std::vector<uint32_t>& gpus,
                uint32_t gpusPerRank = 1);

    const ClusterShape& GetShape() const override;
    const std::vector<std::string>& GetKinds() const override;
    uint32_t GetStreams() const override;
    uint32_t CountStreams(uint32_t gpu) const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    TrafficMatrix GetTotal() const override;

  private:
    /// A node, and where what it waits for begins among the waits of its GPU.
    struct Node
    {
        TimePs duration;
        std::size_t firstWait;
        uint32_t waits;
        uint32_t number; //!< unit of compute, step of a transfer
        GraphNode::Type type;
    };

    /// What a GPU does.
    struct Gpu
    {
        std::vector<std::vector<Node>> streams;
        std::vector<GraphNode::Wait> waits;
    };

    class RankBuilder;

    ClusterShape m_shape;
    std::vector<Gpu> m_gpus;
    std::vector<GoalTransfer::Message> m_messages; //!< by step
    uint32_t m_streams{0};
};

} // namespace ns3::rails

#endif // GOAL_PROGRAM_H
