// SPDX-License-Identifier: GPL-2.0-only
#ifndef TRAINING_COLLECTIVES_H
#define TRAINING_COLLECTIVES_H

#include "ns3/collective-chooser.h"
#include "ns3/collective-record.h"
#include "ns3/collective.h"
#include "ns3/training-kinds.h"
#include "ns3/training-spec.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Groups of GPUs for the collectives of a training.
enum class TrainingGroup : uint8_t
{
    Tensor,
    Context,
    Data,       //!< replicas of non-expert parameters, context parallelism included
    ExpertData, //!< replicas of an expert
    All         //!< all GPUs, for the norm of gradients
};

/// Algorithms of the collectives of a training; equal collectives share one object.
class TrainingCollectives
{
  public:
    using Group = TrainingGroup;

    explicit TrainingCollectives(const TrainingSpec& spec);

    /// \return the groups of GPUs
    const CollectiveGroups& GetGroups(Group group) const;

    /**
     * \param kind of the collective in results
     * \param group of at least two GPUs
     * \param operation all-gather, reduce-scatter or all-reduce
     * \param bytes of the buffer
     * \return a collective with the same algorithm, possibly of other bytes; the reference stays
     *     valid
     */
    const Collective& Choose(TrainingKind kind,
                             Group group,
                             CollectiveOperation operation,
                             uint64_t bytes);

    /// \return algorithms of all chosen collectives, each combination of kind and algorithm once
    std::vector<CollectiveRecord> GetRecords() const;

  private:
    using Key = std::tuple<Group, CollectiveOperation, CollectiveChoice>;

    CollectiveChoice m_asked;
    std::shared_ptr<CollectiveChooser> m_chooser;
    uint32_t m_mostSteps;
    std::array<std::shared_ptr<const CollectiveGroups>, 5> m_groups; //!< by Group
    std::map<Key, std::unique_ptr<const Collective>> m_known;
    /// Algorithm by group, operation and bytes.
    std::map<std::tuple<Group, CollectiveOperation, uint64_t>, CollectiveChoice> m_chosen;
    /// By kind and algorithm; records the smallest buffer.
    std::map<std::pair<TrainingKind, CollectiveChoice>, CollectiveRecord> m_used;
};

} // namespace ns3::rails

#endif // TRAINING_COLLECTIVES_H
