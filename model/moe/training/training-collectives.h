// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_COLLECTIVES_H
#define TRAINING_COLLECTIVES_H

#include "ns3/collective-chooser.h"
#include "ns3/collective-record.h"
#include "ns3/collective-traffic.h"
#include "ns3/gpu-group-table.h"
#include "ns3/training-kinds.h"
#include "ns3/training-plan.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Who does a collective of a training together.
enum class TrainingGroup : uint8_t
{
    Tensor,
    Context,
    Data,       //!< replicas of attention, context parallelism included
    ExpertData, //!< replicas of an expert
    All         //!< GPUs: where their gradients have a norm
};

/// How the groups of a training do their collectives: one object for all that are done alike.
class TrainingCollectives
{
  public:
    using Group = TrainingGroup;

    explicit TrainingCollectives(const TrainingPlan& plan);

    /// \return who does collectives together
    const CollectiveGroups& GetGroups(Group group) const;

    /**
     * \param kind what it counts as
     * \param group of at least two GPUs
     * \param operation all-gather or reduce-scatter
     * \param bytes of the buffer
     * \return how it is done; it stays in place
     */
    const CollectiveTraffic& Choose(TrainingKind kind,
                                    Group group,
                                    GroupCollective::Operation operation,
                                    uint64_t bytes);

    /// \return how all that were chosen are done, each way of a kind once
    std::vector<CollectiveRecord> GetRecords() const;

  private:
    using Key = std::tuple<Group, GroupCollective::Operation, CollectiveChoice>;

    CollectiveChoice m_asked;
    std::shared_ptr<CollectiveChooser> m_chooser;
    uint32_t m_mostSteps;
    std::array<std::shared_ptr<const CollectiveGroups>, 5> m_groups; //!< by Group
    std::map<Key, std::unique_ptr<const CollectiveTraffic>> m_known;
    /// How a group does an operation with some bytes.
    std::map<std::tuple<Group, GroupCollective::Operation, uint64_t>, CollectiveChoice> m_chosen;
    /// By kind and how it is done; of fewest bytes.
    std::map<std::pair<TrainingKind, CollectiveChoice>, CollectiveRecord> m_used;
};

} // namespace ns3::rails

#endif // TRAINING_COLLECTIVES_H
