// SPDX-License-Identifier: GPL-2.0-only
#ifndef OVERLAPPING_TRAFFIC_H
#define OVERLAPPING_TRAFFIC_H

#include "collective-chooser.h"
#include "collective.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rails
{

/**
 * Collectives of groups of GPUs that may share GPUs, all at the same time. They go by
 * the algorithm that is asked for, or by rings or two levels, whichever is faster: that is found
 * for groups together that are alike and share no GPU. Groups that share a GPU are on different
 * lanes, so that none waits for another; those that share none may be on the same.
 */
class OverlappingTraffic
{
  public:
    /// Bytes of a buffer by the GPUs that have it, ascending, at least two.
    using Buffers = std::map<std::vector<uint32_t>, uint64_t>;

    /// What all groups have in common.
    struct Setting
    {
        ClusterShape shape;
        ClusterRates rates;
        CollectiveChoice asked; //!< two levels become a ring where a group has none
        uint32_t mostSteps{RingSchedule::kAllSteps}; //!< of a ring
    };

    /**
     * \param operation all-reduce, all-gather or reduce-scatter
     * \param chooser which remembers what it has chosen
     */
    OverlappingTraffic(const Setting& setting,
                       CollectiveOperation operation,
                       const Buffers& buffers,
                       CollectiveChooser& chooser);

    /// \return at least 1
    uint32_t CountLanes() const
    {
        return m_lanes;
    }

    /// \return steps of all lanes together, at least one of each
    uint32_t CountSteps() const;

    /// \return what a GPU sends in a step, by destination
    std::vector<Demand> GetSends(uint32_t gpu, uint32_t step) const;

    /// \return bytes that a GPU gets in a step
    uint64_t GetReceived(uint32_t gpu, uint32_t step) const;

    /// \return the rail of what a GPU sends in a step, see Collective::GetRail()
    RailQueue GetRail(uint32_t gpu, uint32_t step) const;

    /// \return what results say of it, each way once. \param kind of the program
    std::vector<CollectiveRecord> Describe(uint16_t kind) const;

  private:
    /// That of some groups that are alike.
    struct Alike
    {
        std::unique_ptr<const Collective> collective;
        uint32_t steps; //!< of a lane
        uint32_t firstLane{0};
    };

    /// What a GPU does in a step.
    struct Part
    {
        const Collective* collective{nullptr}; //!< null: nothing
        uint32_t step{0};                      //!< of the collective
    };

    Part Find(uint32_t gpu, uint32_t step) const;

    std::vector<Alike> m_collectives;
    std::map<uint32_t, std::vector<std::size_t>> m_ofGpu; //!< which of them, in the order of lanes
    uint32_t m_lanes{1};
    uint32_t m_laneSteps{1};
};

} // namespace ns3::rails

#endif // OVERLAPPING_TRAFFIC_H
