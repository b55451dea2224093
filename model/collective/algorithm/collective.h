// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include "collective-groups.h"
#include "collective-schedule.h"
#include "ring-schedule.h"

#include "ns3/collective-record.h"
#include "ns3/comm-op.h"
#include "ns3/rail-queue.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// Which way the parts of a buffer take in a collective.
enum CollectiveAlgorithm
{
    ALGORITHM_RING,         //!< rings of all GPUs of a group
    ALGORITHM_HIERARCHICAL, //!< rings inside servers, and rings over servers
    ALGORITHM_TREE,         //!< double binary trees over servers
    ALGORITHM_DIRECT,       //!< from each GPU of a group to each other
    ALGORITHM_AUTOMATIC     //!< see ChooseCollective()
};

/// \return its name in descriptors and results
const char* GetName(CollectiveAlgorithm algorithm);

constexpr uint32_t kAutomaticRings = 0xffffffff; //!< as many as there are NICs

/// How a collective is done.
struct CollectiveChoice
{
    CollectiveAlgorithm algorithm{ALGORITHM_RING};
    uint32_t rings{1};

    bool operator<(const CollectiveChoice& other) const
    {
        return std::tie(algorithm, rings) < std::tie(other.algorithm, other.rings);
    }
};

/// A collective of groups of GPUs, each group for itself, by one algorithm. Steps of a lane have
/// numbers that follow each other, and so have lanes.
class Collective : public CommOp
{
  public:
    /// What the GPUs of each group do.
    struct Task
    {
        CollectiveOperation operation{CollectiveOperation::AllReduce};
        uint64_t bytes{1};  //!< the whole buffer of a GPU
        uint32_t root{0};   //!< of broadcast and reduce: the member that has the buffer, or gets it
        uint32_t chunks{1}; //!< of broadcast and reduce: parts of it that follow each other

        /// \return whether one GPU of a group has the buffer before or behind it
        bool IsRooted() const
        {
            return operation == CollectiveOperation::Broadcast ||
                   operation == CollectiveOperation::Reduce;
        }
    };

    /// Whether a GPU takes part, see CommOp::TakesPart().
    using IsMember = std::function<bool(uint32_t gpu)>;

    /**
     * \param groups who does it, at least two GPUs each
     * \param task what they do
     * \param choice how; nothing in it is automatic, and hierarchical only where
     *     GpuPartition::CountPerServer() is not 0. Of a broadcast or reduce a ring is a chain.
     * \param mostSteps of a ring; of more, several are taken together
     */
    Collective(std::shared_ptr<const CollectiveGroups> groups,
               const Task& task,
               const CollectiveChoice& choice,
               uint32_t mostSteps = RingSchedule::kAllSteps);

    /**
     * Done in the same way, with which it shares the schedules.
     * \param bytes of the buffer
     * \param traits all but steps and lanes
     * \param isMember none: all GPUs take part
     */
    Collective(const Collective& alike,
               uint64_t bytes,
               const CommOpTraits& traits,
               IsMember isMember = {});

    const CollectiveGroups& GetGroups() const;

    const CollectiveChoice& GetChoice() const
    {
        return m_choice;
    }

    uint64_t GetBytes() const;

    /// \return what results say of it. \param kind of the program
    CollectiveRecord Describe(uint16_t kind) const;

    /// \return what all GPUs of a group together send
    double CountBytes() const;

    uint32_t CountDifferentSteps() const override;
    bool TakesPart(uint32_t gpu, uint32_t step) const override;
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const override;
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const override;

    /**
     * \return the rail by which what a GPU sends in a step leaves for another server, and a queue
     * pair of its ring or tree alone; kNoRail where a balancer decides: of a single ring, or for
     * want of a NIC
     */
    RailQueue GetRail(uint32_t gpu, uint32_t step) const override;

  private:
    using Schedules = std::vector<std::unique_ptr<const CollectiveSchedule>>; // by spread

    Collective(std::shared_ptr<const CollectiveGroups> groups,
               const Task& task,
               const CollectiveChoice& choice,
               std::shared_ptr<const Schedules> schedules,
               const CommOpTraits& traits,
               IsMember isMember);

    static std::shared_ptr<const Schedules> MakeSchedules(const CollectiveGroups& groups,
                                                          const Task& task,
                                                          const CollectiveChoice& choice,
                                                          uint32_t mostSteps);
    static CommOpTraits MakeTraits();
    static CommOpTraits SetSteps(CommOpTraits traits, const Schedules& schedules, uint64_t bytes);
    CollectiveSchedule::Place FindPlace(uint32_t gpu, uint32_t step) const;
    const CollectiveSchedule& GetSchedule(uint32_t gpu) const;

    std::shared_ptr<const CollectiveGroups> m_groups;
    Task m_task;
    CollectiveChoice m_choice;
    std::shared_ptr<const Schedules> m_schedules;
    IsMember m_isMember;
};

} // namespace ns3::rails

#endif // COLLECTIVE_H
