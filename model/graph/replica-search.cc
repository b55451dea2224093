// SPDX-License-Identifier: GPL-2.0-only
#include "replica-search.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

namespace ns3::rails
{

namespace
{

bool
AreEqual(const TransferTraits& one, const TransferTraits& other)
{
    const auto list = [](const TransferTraits& traits) {
        return std::tie(traits.steps,
                        traits.lanes,
                        traits.channel,
                        traits.isDrawn,
                        traits.isExchange,
                        traits.isTimed,
                        traits.endsWhenReceived,
                        traits.isAwaited);
    };
    return list(one) == list(other);
}

/// \return whether nodes are the same, but for what is sent
bool
AreEqual(const GraphNode& one, const GraphNode& other)
{
    const auto list = [](const GraphNode& node) {
        return std::tie(node.type, node.kind, node.duration, node.isOnHost, node.unit, node.step);
    };
    const auto isSame = [](const GraphNode::Wait& wait, const GraphNode::Wait& its) {
        return wait.stream == its.stream && wait.count == its.count;
    };
    return list(one) == list(other) &&
           std::equal(one.waits.begin(),
                      one.waits.end(),
                      other.waits.begin(),
                      other.waits.end(),
                      isSame) &&
           !one.transfer == !other.transfer &&
           (!one.transfer ||
            (AreEqual(one.transfer->GetTraits(), other.transfer->GetTraits()) &&
             one.transfer->CountDifferentSteps() == other.transfer->CountDifferentSteps()));
}

/// The replicas of a program, place by place.
class Comparison
{
  public:
    Comparison(const GraphProgram& program, ReplicaFold& fold, bool isClose)
        : m_program(program),
          m_fold(fold),
          m_isClose(isClose),
          m_nodes(fold.CountReplicas())
    {
    }

    bool AreAlike(uint32_t place)
    {
        const uint32_t streams = m_program.CountStreams(m_fold.GetGpu(0, place));
        for (uint32_t stream = 0; stream < streams; ++stream)
        {
            for (uint64_t index = 0;; ++index)
            {
                const bool isThere = GetNode(0, place, stream, index);
                for (uint32_t replica = 1; replica < m_fold.CountReplicas(); ++replica)
                {
                    if (GetNode(replica, place, stream, index) != isThere ||
                        !AreEqual(m_nodes[0], m_nodes[replica]))
                    {
                        return false;
                    }
                }
                if (!isThere)
                {
                    break;
                }
                // Barriers say nothing of where their members are.
                if (m_nodes[0].barrier || (m_nodes[0].transfer && !SendAlike(place)))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /// \return kind of the node that was looked at last
    uint16_t GetKind() const
    {
        return m_nodes[0].kind;
    }

  private:
    bool GetNode(uint32_t replica, uint32_t place, uint32_t stream, uint64_t index)
    {
        m_nodes[replica] = GraphNode();
        const uint32_t gpu = m_fold.GetGpu(replica, place);
        return stream < m_program.CountStreams(gpu) &&
               m_program.GetNode(gpu, stream, index, m_nodes[replica]);
    }

    /// What is sent is what is received, so that who sends alike receives alike.
    bool SendAlike(uint32_t place)
    {
        const GraphTransfer& first = *m_nodes[0].transfer;
        const uint32_t own = m_fold.GetGpu(0, place);
        for (uint32_t step = 0; step < first.GetTraits().steps; ++step)
        {
            if (step % first.CountLaneSteps() >= first.CountDifferentSteps())
            {
                continue;
            }
            const std::vector<Demand> sends = first.GetSends(own, step);
            const uint32_t lane = step / first.CountLaneSteps() * first.CountLaneSteps();
            if (!Learn(own, sends) || (MayDiffer() && !LearnArrivals(own, sends, lane, step)))
            {
                return false;
            }
            for (uint32_t replica = 1; replica < m_fold.CountReplicas(); ++replica)
            {
                const GraphTransfer& transfer = *m_nodes[replica].transfer;
                const uint32_t gpu = m_fold.GetGpu(replica, place);
                if (transfer.TakesPart(gpu, step) != first.TakesPart(own, step) ||
                    transfer.GetRail(gpu, step) != first.GetRail(own, step) ||
                    transfer.GetStart(step) != first.GetStart(step) ||
                    !AreEqual(sends, transfer.GetSends(gpu, step), replica))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /// \return false when it goes to other replicas in another way than to one GPU, each pair of
    /// servers equally far: plans and queue pairs would not be those of all replicas
    bool Learn(uint32_t own, const std::vector<Demand>& sends)
    {
        return std::all_of(sends.begin(), sends.end(), [&](const Demand& demand) {
            return m_fold.AddPair(own, demand.destination) &&
                   (sends.size() == 1 || m_fold.GetDistance(own, demand.destination) == 0);
        });
    }

    bool MayDiffer() const
    {
        return m_isClose && !m_nodes[0].transfer->GetTraits().isExchange;
    }

    /// Where replicas send nearly as much, it matters from which of them something comes.
    /// \param lane its first step
    /// \return false when something comes to a GPU from two of them
    bool LearnArrivals(uint32_t own, const std::vector<Demand>& sends, uint32_t lane, uint32_t step)
    {
        const ReplicaFold::LaneStep at{m_nodes[0].step + lane, m_nodes[0].step + step};
        return std::all_of(sends.begin(), sends.end(), [&](const Demand& demand) {
            return m_fold.AddArrival(at, own, demand.destination);
        });
    }

    bool AreEqual(uint64_t bytes, uint64_t other) const
    {
        constexpr uint64_t part = 1'000; // of which one may be too much or too little
        const uint64_t off = bytes > other ? bytes - other : other - bytes;
        return off == 0 || (MayDiffer() && off <= std::max<uint64_t>(1, bytes / part));
    }

    /// \param other what the counterpart in a replica sends
    bool AreEqual(const std::vector<Demand>& first,
                  const std::vector<Demand>& other,
                  uint32_t replica) const
    {
        return std::equal(first.begin(),
                          first.end(),
                          other.begin(),
                          other.end(),
                          [&](const Demand& one, const Demand& its) {
                              return AreEqual(one.bytes, its.bytes) &&
                                     m_fold.MoveTo(one.destination,
                                                   m_fold.GetReplica(one.destination) + replica) ==
                                         its.destination;
                          });
    }

    static bool AreEqual(const GraphNode& one, const GraphNode& other)
    {
        return rails::AreEqual(one, other);
    }

    const GraphProgram& m_program;
    ReplicaFold& m_fold;
    bool m_isClose;
    std::vector<GraphNode> m_nodes; //!< of a place, by replica
};

} // namespace

std::optional<std::string>
FindDifference(const GraphProgram& program, ReplicaFold& fold, bool isClose)
{
    Comparison comparison(program, fold, isClose);
    for (uint32_t place = 0; place < fold.GetSize(); ++place)
    {
        if (!comparison.AreAlike(place))
        {
            return program.GetKinds()[comparison.GetKind()];
        }
    }
    return std::nullopt;
}

} // namespace ns3::rails
