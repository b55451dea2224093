// SPDX-License-Identifier: GPL-2.0-only
#ifndef STAGE_PROGRAM_H
#define STAGE_PROGRAM_H

#include "graph-program.h"

#include "ns3/collective-record.h"
#include "ns3/collective.h"
#include "ns3/traffic-matrix.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rails
{

/// A stage of an iteration: one node of each GPU.
struct Stage
{
    std::string name; //!< the kind of its nodes
    GraphNode::Type type{GraphNode::Type::Compute};
    TimePs duration{0};               //!< of compute; delay of a barrier
    std::string stream{"compute"};    //!< name of its stream
    std::vector<std::size_t> after{}; //!< earlier stages, by index, on which it depends
    std::vector<std::shared_ptr<const TrafficMatrix>> steps{}; //!< of a transfer: traffic by step
    bool isDataDependent{false};                    //!< see CommOpTraits::isDataDependent
    std::shared_ptr<const Collective> collective{}; //!< the transfer, instead of steps
};

/**
 * A program in which all GPUs run the same stages, iteration after iteration; the stages of a
 * stream in the given order. A GPU begins an iteration when it has ended the one before.
 */
class StageProgram : public GraphProgram
{
  public:
    /**
     * \param shape the cluster
     * \param stages of an iteration
     * \throws std::logic_error for more than 2^32 - 1 steps in all, or when a stage depends on
     *     itself or a later one
     */
    StageProgram(const ClusterShape& shape, std::vector<Stage> stages, uint32_t iterations);

    const ClusterShape& GetShape() const override
    {
        return m_shape;
    }

    const std::vector<std::string>& GetKinds() const override
    {
        return m_kinds;
    }

    uint32_t GetStreams() const override;

    uint32_t GetIterations() const override
    {
        return m_iterations;
    }

    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    std::vector<CollectiveRecord> GetCollectives() const override;
    TrafficMatrix GetTotal() const override;

    const std::vector<Stage>& GetStages() const
    {
        return m_stages;
    }

  private:
    /// Place of a stage.
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
    std::vector<Place> m_places;                            //!< by stage
    std::vector<std::vector<std::size_t>> m_streams;        //!< by stream, stages in order
    std::vector<std::shared_ptr<const CommOp>> m_transfers; //!< by stage; may be null
    std::shared_ptr<const GraphBarrier> m_barrier;
    uint64_t m_steps{0}; //!< of an iteration
};

} // namespace ns3::rails

#endif // STAGE_PROGRAM_H
