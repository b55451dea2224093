// SPDX-License-Identifier: GPL-2.0-only
#include "collective-estimate.h"

#include "collective-crossings.h"
#include "tree-run.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

namespace ns3::rails
{

namespace
{

using Operation = CollectiveOperation;

/// What a GPU does inside its server, in seconds and bytes.
struct Inside
{
    explicit Inside(const CollectiveGroups& groups)
    {
        constexpr double bits = 8;
        constexpr double ps = 1e-12;
        rate = static_cast<double>(groups.GetRates().gpuBps) / bits;
        latency = static_cast<double>(groups.GetRates().insideLatency) * ps;
        staged = static_cast<double>(groups.GetRates().stagedBytes);
    }

    double rate;    //!< of NVLink
    double latency; //!< of a message
    double staged;  //!< bytes of a message that are stored at a time
};

/// A step of rings, or of two levels, in which all groups send to other servers.
class StepCrossings
{
  public:
    /// \param choice rings, or two levels
    StepCrossings(const CollectiveGroups& groups,
                  Operation operation,
                  const CollectiveChoice& choice)
        : m_collective(std::shared_ptr<const CollectiveGroups>(std::shared_ptr<void>(), &groups),
                       {operation, kParts * groups.GetSize()},
                       choice),
          m_crossings(groups)
    {
        for (const std::vector<uint32_t>& group : groups.GetGroups())
        {
            m_gpus.insert(m_gpus.end(), group.begin(), group.end());
        }
        std::sort(m_gpus.begin(), m_gpus.end());
    }

    /// \return steps of a lane
    uint32_t CountSteps() const
    {
        return m_collective.CountLaneSteps();
    }

    /// \return what a step needs, by group. \param bytes of the buffer
    std::vector<CollectiveCrossings::Times> Find(uint32_t step, double bytes)
    {
        const ClusterShape& shape = m_collective.GetGroups().GetShape();
        m_crossings.Clear();
        for (const uint32_t gpu : m_gpus)
        {
            for (uint32_t lane = 0; lane < m_collective.GetTraits().lanes; ++lane)
            {
                const uint32_t at = lane * CountSteps() + step;
                for (const Demand& send : m_collective.GetSends(gpu, at))
                {
                    if (shape.GetServer(gpu) != shape.GetServer(send.destination))
                    {
                        m_crossings.Add(gpu,
                                        send.destination,
                                        m_collective.GetRail(gpu, at),
                                        bytes * static_cast<double>(send.bytes) /
                                            static_cast<double>(m_collective.GetBytes()));
                    }
                }
            }
        }
        return m_crossings.FindTimes();
    }

  private:
    static constexpr uint64_t kParts = 720'720; //!< which up to 16 lanes divide

    Collective m_collective; //!< of a buffer whose messages stand for those of any other
    CollectiveCrossings m_crossings;
    std::vector<uint32_t> m_gpus; //!< of all groups
};

double
EstimateRing(const CollectiveGroups& groups,
             Operation operation,
             double bytes,
             const CollectiveChoice& choice)
{
    const Inside inside(groups);
    const double members = groups.GetSize();
    const double steps = (operation == Operation::AllReduce ? 2 : 1) * (members - 1);
    StepCrossings crossings(groups, operation, choice);
    const std::vector<CollectiveCrossings::Times> times = crossings.Find(0, bytes);
    const auto find = [&](uint32_t gpu, const CollectiveCrossings::Times& across) {
        const GroupSpread& spread = groups.GetSpreads()[groups.GetSpread(gpu)];
        const auto servers = static_cast<double>(spread.servers.size());
        const double rings = choice.rings;
        const double part = bytes / rings / members;
        const bool isFlat = members == servers; // a GPU on each
        const double inNvlink = isFlat ? 0 : part / inside.rate;
        if (servers == 1)
        {
            return steps * (rings * inNvlink + inside.latency);
        }
        // Where a NIC has one GPU near it, a ring leaves by a GPU that is near another one.
        const bool isRelayed = !isFlat && spread.servers.front().size() <= groups.CountRails();
        const double relay =
            isRelayed ? inside.latency + std::min(part, inside.staged) / inside.rate : 0;
        const double outside = std::ceil(steps * servers / members);
        const double way = outside * (across.mean + across.latency + relay) +
                           (steps - outside) * (inNvlink * (rings + 1) / 2 + inside.latency);
        return std::max(way, steps * std::max(across.longest, rings * inNvlink) + across.latency);
    };
    double longest = 0;
    for (std::size_t group = 0; group < times.size(); ++group)
    {
        longest = std::max(longest, find(groups.GetGroups()[group].front(), times[group]));
    }
    return longest;
}

double
EstimateLevels(const CollectiveGroups& groups,
               Operation operation,
               double bytes,
               const CollectiveChoice& choice)
{
    const Inside inside(groups);
    const double perServer = groups.CountPerServer();
    const double servers = groups.GetSize() / perServer;
    StepCrossings across(groups, operation, choice);
    const auto find = [&](uint32_t step) {
        double longest = 0;
        for (const CollectiveCrossings::Times& times : across.Find(step, bytes))
        {
            longest = std::max({longest,
                                (servers - 1) * (times.mean + times.latency),
                                (servers - 1) * times.longest + times.latency});
        }
        return longest + (perServer - 1) * (bytes / perServer / inside.rate + inside.latency);
    };
    // What is reduced goes from server to server last, what is gathered first, the other way round.
    switch (operation)
    {
    case Operation::AllReduce: {
        const double reduced = find(across.CountSteps() / 2 - 1);
        return reduced + find(across.CountSteps() / 2);
    }
    case Operation::AllGather:
        return find(0);
    default:
        return find(across.CountSteps() - 1);
    }
}

double
EstimateDirect(const CollectiveGroups& groups,
               Operation operation,
               double bytes,
               const CollectiveChoice& choice)
{
    const Inside inside(groups);
    StepCrossings crossings(groups, operation, choice);
    // All that a member does not send to another server goes inside, at most.
    double step = bytes * (groups.GetSize() - 1) / groups.GetSize() / inside.rate + inside.latency;
    for (const CollectiveCrossings::Times& times : crossings.Find(0, bytes))
    {
        step = std::max(step, times.longest + times.latency);
    }
    return (operation == Operation::AllReduce ? 2 : 1) * step;
}

/// \param ofOthers what is not faster than this need not be followed
double
EstimateTrees(const CollectiveGroups& groups,
              Operation operation,
              uint64_t bytes,
              uint32_t channels,
              double ofOthers)
{
    TreeRun all(groups, operation, channels, channels);
    const uint32_t group = all.FindSlowest(bytes);
    all.Follow(group);
    const double least = static_cast<double>(bytes) * all.FindBusiest();
    if (least >= ofOthers)
    {
        return least;
    }
    // Messages that are followed one way, of more where channels meet at links, and chunks of a
    // lane: others go as the last ones.
    constexpr uint32_t most = 16'000;
    constexpr uint32_t mostMeeting = 512'000;
    constexpr uint32_t lanes = 2 * TreeSchedule::kWindow; // of a channel
    const uint32_t chunks = std::clamp(most / (lanes * groups.GetSize()), 8U, 24U);
    const uint32_t followed = all.SharesLinks() ? mostMeeting : most;
    uint32_t some =
        std::clamp(followed / (lanes * chunks * groups.GetSize()), uint32_t{1}, channels);
    while (channels % some != 0) // else GPUs are dealt unevenly to the ports that stand for them
    {
        --some;
    }
    const uint64_t share = std::max<uint64_t>(1, bytes * some / channels);
    TreeRun run = some == channels ? std::move(all) : TreeRun(groups, operation, channels, some);
    run.Follow(group);
    // All further chunks take as long as the second half of those that are followed.
    const uint32_t total = run.CountChunks(share);
    const double half = total > chunks ? run.Run(share, chunks / 2, ofOthers) : 0;
    const double more =
        total > chunks ? static_cast<double>(total - chunks) / (chunks - chunks / 2) : 0;
    const double time = run.Run(share, chunks, (ofOthers + half * more) / (1 + more));
    return std::max(time + (time - half) * more, least);
}

} // namespace

double
EstimateCollective(const CollectiveGroups& groups,
                   Operation operation,
                   uint64_t bytes,
                   const CollectiveChoice& choice,
                   double ofOthers)
{
    switch (choice.algorithm)
    {
    case ALGORITHM_HIERARCHICAL:
        return EstimateLevels(groups, operation, static_cast<double>(bytes), choice);
    case ALGORITHM_TREE:
        return EstimateTrees(groups, operation, bytes, choice.rings, ofOthers);
    case ALGORITHM_DIRECT:
        return EstimateDirect(groups, operation, static_cast<double>(bytes), choice);
    default:
        return EstimateRing(groups, operation, static_cast<double>(bytes), choice);
    }
}

CollectiveChoice
ChooseCollective(const CollectiveGroups& groups,
                 Operation operation,
                 uint64_t bytes,
                 const CollectiveChoice& asked,
                 bool hasTrees)
{
    const bool isAutomatic = asked.rings == kAutomaticRings;
    const uint32_t perServer = groups.CountPerServer();
    const bool hasLevels = !groups.AreOnOneServer() && perServer > 1;
    const uint32_t rings = !isAutomatic                                     ? asked.rings
                           : groups.AreOnOneServer() || !groups.HaveRails() ? 1
                                                                            : groups.CountRails();
    const CollectiveChoice ring{ALGORITHM_RING, rings};
    const CollectiveChoice tree{ALGORITHM_TREE, rings};
    const bool isPinned = isAutomatic && groups.HaveRails();
    const CollectiveChoice levels{ALGORITHM_HIERARCHICAL,
                                  isPinned ? perServer * groups.CountOwnRails() : 1};
    if (asked.algorithm != ALGORITHM_AUTOMATIC || groups.AreOnOneServer())
    {
        return asked.algorithm == ALGORITHM_TREE     ? tree
               : asked.algorithm == ALGORITHM_DIRECT ? CollectiveChoice{ALGORITHM_DIRECT, 1}
               : asked.algorithm == ALGORITHM_HIERARCHICAL && hasLevels ? levels
                                                                        : ring;
    }
    CollectiveChoice best = ring;
    double least = EstimateCollective(groups, operation, bytes, ring);
    for (const CollectiveChoice& other : {levels, tree})
    {
        if (other.algorithm == ALGORITHM_TREE ? hasTrees : hasLevels)
        {
            const double time = EstimateCollective(groups, operation, bytes, other, least);
            best = time < least ? other : best;
            least = std::min(time, least);
        }
    }
    return best;
}

} // namespace ns3::rails
