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
class GoalTransfer : public CommOp
{
  public:
    struct Message
    {
        uint32_t source;
        uint32_t destination;
        uint64_t bytes;
        uint16_t rail; //!< kNoRail: a balancer decides
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
 * A GOAL schedule as a program. The LogGOPS costs of a message (o, g, G, L) do not apply, since the
 * network is simulated instead.
 *
 * - A calc is a node that computes so many nanoseconds on the unit `cpu` of its GPU. Calcs of one
 *   unit follow each other, first come first served; FindComputeTime() ignores that, and is a lower
 *   bound.
 * - A send and its recv are a transfer in a step of its own. The send is over when all of its bytes
 *   are acknowledged, the recv when they have arrived and the receiver has begun it. Neither takes
 *   time of a `cpu`.
 * - If any message names a `nic` other than 0, every message uses the NICs that its send and recv
 *   name (0 by default), counted from the first NIC of the rank's GPUs. Otherwise the balancer
 *   decides.
 * - A message without bytes is sent as one byte: something has to arrive.
 * - A message of a rank to itself takes no time and no network: the recv is over when the send has
 *   begun.
 * - An operation that `irequires` another begins when all dependencies of the other are over. A
 * calc that waits for its `cpu` begins later than that, which this ignores.
 */
class GoalProgram : public GraphProgram
{
  public:
    /**
     * \param gpus by rank, its GPU; GPUs without a rank do nothing
     * \param gpusPerRank GPUs of its server, from its own on, whose NICs a rank may use
     * \throws ConfigurationError when `gpus` is not one GPU of the cluster for each rank, a rank
     * has no such NIC, a message has NICs of two rails, or the ranks move more than 4 exabytes
     * \throws GoalError when the schedule cannot run
     */
    GoalProgram(const GoalSchedule& schedule,
                const ClusterShape& shape,
                const std::vector<uint32_t>& gpus,
                uint32_t gpusPerRank = 1);

    const ClusterShape& GetShape() const override
    {
        return m_shape;
    }

    const std::vector<std::string>& GetKinds() const override;

    uint32_t GetStreams() const override
    {
        return m_streams;
    }

    uint32_t CountStreams(uint32_t gpu) const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    TrafficMatrix GetTotal() const override;

  private:
    /// A node.
    struct Node
    {
        TimePs duration;
        std::size_t firstWait; //!< its first element of Gpu::waits
        uint32_t waits;
        uint32_t number; //!< unit of compute, step of a transfer
        GraphNode::Type type;
    };

    /// The nodes of a GPU.
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
