// SPDX-License-Identifier: GPL-2.0-only
#ifndef REPLICA_FIXTURES_H
#define REPLICA_FIXTURES_H

#include "ns3/matrix-transfer.h"
#include "ns3/stage-program.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::rails::test
{

/// Servers of two GPUs that are a replica each: all compute, the GPUs of each exchange something,
/// and the first GPU of each sends to that of the next.
class ReplicaProgram : public StageProgram
{
  public:
    static constexpr TimePs kCompute = 7'000'000;
    static constexpr uint64_t kInside = 3'000;
    static constexpr uint64_t kAcross = 50'000;

    /// \param slow a GPU that computes for longer; none where there is no such GPU
    /// \param more bytes for the matrix that goes across
    explicit ReplicaProgram(uint32_t replicas,
                            uint32_t slow = 0xffffffff,
                            const std::vector<std::pair<uint32_t, Demand>>& more = {})
        : StageProgram({replicas, 2}, MakeStages(replicas, more), 2),
          m_slow(slow)
    {
    }

    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override
    {
        const bool isThere = StageProgram::GetNode(gpu, stream, index, node);
        node.duration += isThere && gpu == m_slow && node.type == GraphNode::Type::Compute ? 1 : 0;
        return isThere;
    }

    std::vector<std::vector<uint32_t>> GetReplicas() const override
    {
        std::vector<std::vector<uint32_t>> replicas;
        for (uint32_t server = 0; server < GetShape().servers; ++server)
        {
            replicas.push_back({2 * server, 2 * server + 1});
        }
        return replicas;
    }

  private:
    static std::vector<Stage> MakeStages(uint32_t replicas,
                                         const std::vector<std::pair<uint32_t, Demand>>& more)
    {
        const ClusterShape shape{replicas, 2};
        TrafficMatrix inside(shape);
        TrafficMatrix across(shape);
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> bytes; // by source and destination
        for (uint32_t server = 0; server < replicas; ++server)
        {
            inside.Add(2 * server, 2 * server + 1, kInside);
            inside.Add(2 * server + 1, 2 * server, kInside);
            bytes[{2 * server, 2 * ((server + 1) % replicas)}] = kAcross;
        }
        for (const auto& [gpu, demand] : more)
        {
            bytes[{gpu, demand.destination}] += demand.bytes;
        }
        for (const auto& [ends, sum] : bytes)
        {
            across.Add(ends.first, ends.second, sum);
        }
        Stage compute;
        compute.name = "compute";
        compute.duration = kCompute;
        return {compute, Move("inside", inside, 0), Move("across", across, 1)};
    }

    static Stage Move(const char* name, const TrafficMatrix& matrix, std::size_t after)
    {
        Stage stage;
        stage.name = name;
        stage.type = GraphNode::Type::Transfer;
        stage.stream = "communication";
        stage.after = {after};
        stage.steps = {std::make_shared<const TrafficMatrix>(matrix)};
        return stage;
    }

    uint32_t m_slow;
};

} // namespace ns3::rails::test

#endif // REPLICA_FIXTURES_H
