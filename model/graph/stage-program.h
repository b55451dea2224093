// SPDX-License-Identifier: GPL-2.0-only
#ifndef STAGE_PROGRAM_H
#define STAGE_PROGRAM_H

#include "graph-program.h"
#include "matrix-transfer.h"

#include "ns3/collective-record.h"
#include "ns3/traffic-matrix.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rails
{

/// What all GPUs do once in every iteration: a node of each of them.
struct Stage
{
    std::string name; //!< the kind of its nodes
    GraphNode::Type type{GraphNode::Type::Compute};
    TimePs duration{0};               //!< of compute; delay of a barrier
    std::string stream{"compute"};    //!< on which stream
    std::vector<std::size_t> after{}; //!< stages before it, by index, that a GPU must have ended
    std::vector<std::shared_ptr<const TrafficMatrix>> steps{}; //!< of a transfer, what each moves
    bool isDrawn{false};                                       //!< see TransferTraits::isDrawn
    uint32_t lanes{1};                                         //!< see TransferTraits::lanes
    std::optional<CollectiveRecord> collective{};              //!< what it is, if it is one
    MatrixTransfer::RailOf getRail{};
};

/**
 * A program in which all GPUs do the same stages, iteration after iteration: the stages of a stream
 * in the order in which they are given. A GPU begins an iteration when it has ended the one before.
 */
class StageProgram : public GraphProgram
{
  public:
    /**
     * \param shape the cluster
     * \param stages of an iteration
     * \param iterations how many; at most 2^32 steps in all, anything else throws std::logic_error,
     *     and so does a stage that is to be after itself or a later one
     */
    StageProgram(const ClusterShape& shape, std::vector<Stage> stages, uint32_t iterations);

    const ClusterShape& GetShape() const override;
    const std::vector<std::string>& GetKinds() const override;
    uint32_t GetStreams() const override;
    uint32_t GetIterations() const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    std::vector<CollectiveRecord> GetCollectives() const override;
    TrafficMatrix GetTotal() const override;

    const std::vector<Stage>& GetStages() const;

  private:
    /// Where a stage is.
    struct Place
    {
        uint32_t stream;
        uint64_t index;     //!< on its stream, in an iteration
        uint32_t firstStep; //!< in an iteration
    };

    GraphNode::Wait GetEnd(std::size_t stage, uint64_t iteration) const;

    ClusterShape m_shape;
    std::vector<Stage> m_stages;
    uint32_t m_iterations;
    std::vector<std::string> m_kinds;
    std::vector<Place> m_places;                                    //!< by stage
    std::vector<std::vector<std::size_t>> m_streams;                //!< their stages, in order
    std::vector<std::shared_ptr<const MatrixTransfer>> m_transfers; //!< by stage; null: none
    std::shared_ptr<const GraphBarrier> m_barrier;
    uint64_t m_steps{0}; //!< of an iteration
};

} // namespace ns3::rails

#endif // STAGE_PROGRAM_H
