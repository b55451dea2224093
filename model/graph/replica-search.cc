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
AreEqual(const CommOpTraits& one, const CommOpTraits& other)
{
    const auto list = [](const CommOpTraits& traits) {
        return std::tie(traits.steps,
                        traits.lanes,
                        traits.channel,
                        traits.isDataDependent,
                        traits.isExchange,
                        traits.isTimed,
                        traits.endsWhenReceived,
                        traits.isAwaited);
    };
    return list(one) == list(other);
}

/// \return true when nodes are equal, apart from their demands
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

/// Nodes of a stream in a brief search: more than a layer has.
constexpr uint64_t kBriefNodes = 64;

/// Compares the replicas of a program, place by place.
class Comparison
{
  public:
    Comparison(const GraphProgram& program, ReplicaFold& fold, const ReplicaRules& rules)
        : m_program(program),
          m_fold(fold),
          m_rules(rules),
          m_nodes(fold.CountReplicas())
    {
    }

    bool AreAlike(uint32_t place)
    {
        const uint32_t streams = m_program.CountStreams(m_fold.GetGpu(0, place));
        for (uint32_t stream = 0; stream < streams; ++stream)
        {
            for (uint64_t index = 0; !m_rules.isBrief || index < kBriefNodes; ++index)
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
                // Barriers do not list their members, so they cannot be compared.
                if (m_nodes[0].barrier || (m_nodes[0].transfer && !SendAlike(place)))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /// \return kind of the node that was compared last
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

    /// Compares sends only: replicas that send alike also receive alike.
    bool SendAlike(uint32_t place)
    {
        const CommOp& first = *m_nodes[0].transfer;
        const uint32_t own = m_fold.GetGpu(0, place);
        for (uint32_t step = 0; step < first.GetTraits().steps; ++step)
        {
            if (step % first.CountLaneSteps() >= first.CountDifferentSteps())
            {
                continue;
            }
            const std::vector<Send> sends = ListSends(first, 0, place, step);
            const uint32_t lane = step / first.CountLaneSteps() * first.CountLaneSteps();
            if (!MayFold(sends) || (MayDiffer() && !LearnArrivals(sends, lane, step)))
            {
                return false;
            }
            for (uint32_t replica = 1; replica < m_fold.CountReplicas(); ++replica)
            {
                const CommOp& transfer = *m_nodes[replica].transfer;
                const uint32_t gpu = m_fold.GetGpu(replica, place);
                if (transfer.TakesPart(gpu, step) != first.TakesPart(own, step) ||
                    !(transfer.GetRail(gpu, step) == first.GetRail(own, step)) ||
                    transfer.GetStart(step) != first.GetStart(step) ||
                    !Match(sends, ListSends(transfer, replica, place, step), replica))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /// A demand of a GPU.
    struct Send
    {
        uint32_t place;    //!< of the destination
        uint32_t distance; //!< from the sender's to the destination's replica, modulo their number
        uint32_t replica;  //!< of the destination
        uint64_t bytes;

        bool operator<(const Send& other) const
        {
            return std::tie(place, distance) < std::tie(other.place, other.distance);
        }
    };

    std::vector<Send> ListSends(const CommOp& transfer,
                                uint32_t replica,
                                uint32_t place,
                                uint32_t step) const
    {
        const uint32_t count = m_fold.CountReplicas();
        std::vector<Send> sends;
        for (const Demand& demand : transfer.GetSends(m_fold.GetGpu(replica, place), step))
        {
            const uint32_t other = m_fold.GetReplica(demand.destination);
            sends.push_back({m_fold.GetPlace(demand.destination),
                             (other + count - replica) % count,
                             other,
                             demand.bytes});
        }
        std::sort(sends.begin(), sends.end());
        return sends;
    }

    /// Several sends of a step are planned together. They may go to other replicas only where the
    /// plan depends on the demands alone.
    bool MayFold(const std::vector<Send>& sends) const
    {
        return sends.size() == 1 || (m_rules.plansApart && !MayDiffer()) ||
               std::all_of(sends.begin(), sends.end(), [](const Send& send) {
                   return send.distance == 0;
               });
    }

    bool MayDiffer() const
    {
        return m_rules.isClose && !m_nodes[0].transfer->GetTraits().isExchange;
    }

    /// Records the receivers of the first replica, which matter where sizes may differ slightly.
    /// \param lane its first step
    /// \return false when two replicas have a receiver for the same place
    bool LearnArrivals(const std::vector<Send>& sends, uint32_t lane, uint32_t step)
    {
        const ReplicaFold::LaneStep at{m_nodes[0].step + lane, m_nodes[0].step + step};
        return std::all_of(sends.begin(), sends.end(), [&](const Send& send) {
            return m_fold.AddArrival(at, m_fold.GetGpu(send.replica, send.place));
        });
    }

    bool AreEqual(uint64_t bytes, uint64_t other) const
    {
        constexpr uint64_t part = 1'000; // tolerance: one part in so many
        const uint64_t off = bytes > other ? bytes - other : other - bytes;
        return off == 0 || (MayDiffer() && off <= std::max<uint64_t>(1, bytes / part));
    }

    /// \param first sends of a GPU of the first replica \param other sends of its counterpart
    /// \param replica of the counterpart
    bool Match(const std::vector<Send>& first, const std::vector<Send>& other, uint32_t replica)
    {
        const uint16_t channel = m_nodes[0].transfer->GetTraits().channel;
        return std::equal(
            first.begin(),
            first.end(),
            other.begin(),
            other.end(),
            [&](const Send& one, const Send& its) {
                return one.place == its.place && AreEqual(one.bytes, its.bytes) &&
                       (one.distance == 0) == (its.distance == 0) &&
                       (one.distance == 0 ||
                        m_fold.AddCrossing(channel, one.replica, replica, its.replica));
            });
    }

    static bool AreEqual(const GraphNode& one, const GraphNode& other)
    {
        return rails::AreEqual(one, other);
    }

    const GraphProgram& m_program;
    ReplicaFold& m_fold;
    const ReplicaRules& m_rules;
    std::vector<GraphNode> m_nodes; //!< counterparts of one place, by replica
};

} // namespace

std::optional<std::string>
FindDifference(const GraphProgram& program, ReplicaFold& fold, const ReplicaRules& rules)
{
    Comparison comparison(program, fold, rules);
    const uint32_t next = rules.isBrief ? std::max(1U, fold.GetSize() - 1) : 1;
    for (uint32_t place = 0; place < fold.GetSize(); place += next)
    {
        if (!comparison.AreAlike(place))
        {
            return program.GetKinds()[comparison.GetKind()];
        }
    }
    return fold.IsEven() ? std::nullopt : std::optional<std::string>("what comes from others");
}

} // namespace ns3::rails
