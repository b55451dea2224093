// SPDX-License-Identifier: GPL-2.0-only
#ifndef COLLECTIVE_CROSSINGS_H
#define COLLECTIVE_CROSSINGS_H

#include "collective-groups.h"

#include "ns3/fabric-paths.h"
#include "ns3/rail-queue.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/**
 * What groups that do the same collective send from server to server, by queue pair, and how much
 * of it comes together at links: NICs, and links of the fabric. Queue pairs have their numbers in
 * the order in which they are added, as those of a run have in which they are used.
 */
class CollectiveCrossings
{
  public:
    /// A queue pair; links of NICs come first, both ways, then those of FabricPaths.
    struct Crossing
    {
        /// What a group sends.
        struct Use
        {
            uint32_t group;
            uint32_t messages{0};
            double bytes{0}; //!< of all of them
        };

        FabricPaths::Way way; //!< with the NIC that sends as its first link, and the other as last
        std::vector<Use> uses{}; //!< of each group once
    };

    /// Of all queue pairs by which a group sends: how long its busiest link is busy, and latency,
    /// in seconds.
    struct Times
    {
        double mean{0};
        double longest{0};
        double latency{0}; //!< in the mean
    };

    explicit CollectiveCrossings(const CollectiveGroups& groups);

    /**
     * \param from a GPU that sends
     * \param to one of another server
     * \param on the rail of both NICs, and which queue pair; kNoRail: by a NIC near the GPU
     * \return number of the queue pair
     */
    uint32_t Number(uint32_t from, uint32_t to, const RailQueue& on);

    /// Adds a message. \param bytes of payload
    void Add(uint32_t from, uint32_t to, const RailQueue& on, double bytes);

    /// Forgets all bytes; queue pairs stay, and keep their numbers.
    void Clear();

    const Crossing& Get(uint32_t number) const;

    /// \return how many links there may be
    uint32_t CountLinks() const;

    /// \return by link, seconds per byte for which it is busy with what a group sends, while all
    /// others send what was added
    std::vector<double> FindTimesPerByte(uint32_t group) const;

    /// \return seconds of propagation, of storing frames, and of what lies in both servers
    double FindLatency(const Crossing& crossing, double bytes) const;

    /// \return by group; latencies are those of its mean message
    std::vector<Times> FindTimes() const;

  private:
    double GetRate(uint32_t link) const;

    const CollectiveGroups& m_groups;
    std::vector<uint32_t> m_queues; //!< queue pairs, by NIC that sends
    std::vector<Crossing> m_crossings;
    std::map<std::tuple<uint32_t, uint32_t, uint16_t>, uint32_t> m_numbers; //!< by NICs and queue
    std::vector<double> m_loads;                                            //!< bytes, by link
};

} // namespace ns3::rails

#endif // COLLECTIVE_CROSSINGS_H
