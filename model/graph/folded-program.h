// SPDX-License-Identifier: GPL-2.0-only
#ifndef FOLDED_PROGRAM_H
#define FOLDED_PROGRAM_H

#include "graph-program.h"
#include "replica-fold.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// A program of which only two data-parallel replicas run (ReplicaFold); GPUs of the other replicas
/// are idle. Totals and results are those of all replicas.
class FoldedProgram : public GraphProgram
{
  public:
    /**
     * \param program without barriers
     * \param fold its replicas, which must behave alike (FindReplicas())
     */
    FoldedProgram(std::shared_ptr<const GraphProgram> program,
                  std::shared_ptr<const ReplicaFold> fold);

    const ClusterShape& GetShape() const override;
    const std::vector<std::string>& GetKinds() const override;
    uint32_t GetStreams() const override;
    uint32_t CountStreams(uint32_t gpu) const override;
    bool GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const override;
    uint64_t CountNodes(uint32_t gpu, uint32_t stream) const override;
    uint32_t GetIterations() const override;
    WorkloadSchedule GetSchedule() const override;
    std::vector<std::pair<std::string, double>> GetFigures(
        double seconds,
        const GraphRecord* record) const override;
    std::vector<std::string> GetNotes() const override;
    std::optional<GraphAdvance> FindAdvance(
        const std::function<uint64_t(uint32_t gpu, uint32_t stream)>& countOver) const override;
    TrafficMatrix GetTotal() const override;
    std::vector<CollectiveRecord> GetCollectives() const override;
    uint32_t FindReceiver(uint32_t from, uint32_t to) const override;
    const ReplicaFold* GetFold() const override;

  private:
    std::shared_ptr<const GraphProgram> m_program;
    std::shared_ptr<const ReplicaFold> m_fold;
};

} // namespace ns3::rails

#endif // FOLDED_PROGRAM_H
