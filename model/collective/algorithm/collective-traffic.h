// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_TRAFFIC_H
#define COLLECTIVE_TRAFFIC_H

#include "collective-groups.h"
#include "group-collective.h"
#include "ring-transfer.h"

#include "ns3/collective-record.h"
#include "ns3/rail-queue.h"
#include "ns3/traffic-matrix.h"

#include <cstdint>
#include <memory>
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

/// Collectives of groups of GPUs by one algorithm: what each GPU sends and gets in each step.
/// Steps of a lane have numbers that follow each other, and so have lanes.
class CollectiveTraffic
{
  public:
    /**
     * \param groups who does them, at least two GPUs each
     * \param operation all-reduce, all-gather or reduce-scatter
     * \param choice how; nothing in it is automatic, and hierarchical only where
     *     CollectiveGroups::CountPerServer() is not 0
     * \param mostSteps of a ring; of more, several are taken together
     */
    CollectiveTraffic(std::shared_ptr<const CollectiveGroups> groups,
                      GroupCollective::Operation operation,
                      const CollectiveChoice& choice,
                      uint32_t mostSteps = RingTransfer::kAllSteps);

    const CollectiveGroups& GetGroups() const;
    const CollectiveChoice& GetChoice() const;

    uint32_t CountLanes() const;

    /// \return steps of all lanes together
    uint32_t CountSteps(uint64_t bytes) const;

    /// \return after how many steps of a lane those before come again. \param bytes of the buffer
    uint32_t CountDifferentSteps(uint64_t bytes) const;

    /// \return what a GPU sends in a step, by destination. \param bytes of the buffer
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step, uint64_t bytes) const;

    /// \return bytes that a GPU gets in a step. \param bytes of the buffer
    uint64_t GetReceived(uint32_t gpu, uint32_t step, uint64_t bytes) const;

    /**
     * \param bytes of the buffer
     * \return the rail by which what a GPU sends in a step leaves for another server, and a queue
     * pair of its ring or tree alone; kNoRail where a planner decides: of a single ring, or for
     * want of a NIC
     */
    RailQueue GetRail(uint32_t gpu, uint32_t step, uint64_t bytes) const;

    /// \return what results say of it. \param kind of the program \param bytes of the buffer
    CollectiveRecord Describe(uint16_t kind, uint64_t bytes) const;

    /// \return what all GPUs of a group together send. \param bytes of the buffer
    double CountBytes(double bytes) const;

    /// \return demands of all matrices that MakeSteps() makes. \param bytes of the buffer
    uint64_t CountDemands(uint64_t bytes) const;

    /// \return the steps as matrices; those that are equal share one. \param bytes of the buffer
    std::vector<std::shared_ptr<const TrafficMatrix>> MakeSteps(const ClusterShape& shape,
                                                                uint64_t bytes) const;

  private:
    GroupTransfer::Place FindPlace(uint32_t gpu, uint32_t step, uint64_t bytes) const;
    const GroupTransfer& GetTransfer(uint32_t gpu) const;

    std::shared_ptr<const CollectiveGroups> m_groups;
    CollectiveChoice m_choice;
    std::vector<std::unique_ptr<const GroupTransfer>> m_transfers; //!< by spread
};

} // namespace ns3::rails

#endif // COLLECTIVE_TRAFFIC_H
