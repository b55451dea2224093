// SPDX-License-Identifier: GPL-2.0-only
#include "folded-program.h"

#include <utility>

namespace ns3::rails
{

namespace
{

/// The part of a transfer on the replicas that run.
class FoldedTransfer : public CommOp
{
  public:
    FoldedTransfer(std::shared_ptr<const CommOp> transfer,
                   std::shared_ptr<const ReplicaFold> fold,
                   uint32_t firstStep)
        : CommOp(transfer->GetTraits()),
          m_transfer(std::move(transfer)),
          m_fold(std::move(fold)),
          m_firstStep(firstStep)
    {
    }

    bool TakesPart(uint32_t gpu, uint32_t step) const override
    {
        return m_fold->IsComputed(gpu) && m_transfer->TakesPart(gpu, step);
    }

    /// All replicas send what the first sends, within themselves and to others.
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override
    {
        if (GetTraits().isExchange)
        {
            return m_transfer->GetSends(gpu, step); // replicas of exchanges are exactly equal
        }
        const uint32_t first = m_fold->MoveTo(gpu, 0);
        std::vector<Demand> sends = m_transfer->GetSends(first, step);
        for (Demand& demand : sends)
        {
            const uint32_t crossing =
                m_fold->FindCrossing(GetTraits().channel, first, demand.destination);
            demand.destination =
                m_fold->MoveTo(demand.destination,
                               m_fold->GetTarget(crossing, m_fold->GetReplica(gpu)));
        }
        SortByDestination(sends);
        return sends;
    }

    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override
    {
        const uint32_t lane = step / CountLaneSteps() * CountLaneSteps();
        const ReplicaFold::LaneStep at{m_firstStep + lane, m_firstStep + step};
        return m_transfer->GetReceived(m_fold->FindReceiver(at, gpu), step);
    }

    RailQueue GetRail(uint32_t gpu, uint32_t step) const override
    {
        return m_transfer->GetRail(gpu, step);
    }

    TimePs GetStart(uint32_t step) const override
    {
        return m_transfer->GetStart(step);
    }

  private:
    std::shared_ptr<const CommOp> m_transfer;
    std::shared_ptr<const ReplicaFold> m_fold;
    uint32_t m_firstStep; //!< in the program
};

} // namespace

FoldedProgram::FoldedProgram(std::shared_ptr<const GraphProgram> program,
                             std::shared_ptr<const ReplicaFold> fold)
    : m_program(std::move(program)),
      m_fold(std::move(fold))
{
}

const ClusterShape&
FoldedProgram::GetShape() const
{
    return m_program->GetShape();
}

const std::vector<std::string>&
FoldedProgram::GetKinds() const
{
    return m_program->GetKinds();
}

uint32_t
FoldedProgram::GetStreams() const
{
    return m_program->GetStreams();
}

uint32_t
FoldedProgram::CountStreams(uint32_t gpu) const
{
    return m_fold->IsComputed(gpu) ? m_program->CountStreams(gpu) : 0;
}

bool
FoldedProgram::GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const
{
    if (!m_fold->IsComputed(gpu) || !m_program->GetNode(gpu, stream, index, node))
    {
        return false;
    }
    if (node.transfer)
    {
        node.transfer =
            std::make_shared<const FoldedTransfer>(std::move(node.transfer), m_fold, node.step);
    }
    return true;
}

uint64_t
FoldedProgram::CountNodes(uint32_t gpu, uint32_t stream) const
{
    return m_fold->IsComputed(gpu) ? m_program->CountNodes(gpu, stream) : 0;
}

uint32_t
FoldedProgram::GetIterations() const
{
    return m_program->GetIterations();
}

WorkloadSchedule
FoldedProgram::GetSchedule() const
{
    return m_program->GetSchedule();
}

std::vector<std::pair<std::string, double>>
FoldedProgram::GetFigures(double seconds, const GraphRecord* record) const
{
    return m_program->GetFigures(seconds, record);
}

std::vector<std::string>
FoldedProgram::GetNotes() const
{
    return m_program->GetNotes();
}

std::optional<GraphAdvance>
FoldedProgram::FindAdvance(
    const std::function<uint64_t(uint32_t gpu, uint32_t stream)>& countOver) const
{
    return m_program->FindAdvance(
        [&](uint32_t gpu, uint32_t stream) { return countOver(m_fold->MoveTo(gpu, 0), stream); });
}

TrafficMatrix
FoldedProgram::GetTotal() const
{
    return m_program->GetTotal();
}

std::vector<CollectiveRecord>
FoldedProgram::GetCollectives() const
{
    return m_program->GetCollectives();
}

uint32_t
FoldedProgram::FindReceiver(uint32_t from, uint32_t to) const
{
    return m_fold->Fold(from, to);
}

const ReplicaFold*
FoldedProgram::GetFold() const
{
    return m_fold.get();
}

} // namespace ns3::rails
