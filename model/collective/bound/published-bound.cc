// SPDX-License-Identifier: GPL-2.0-only
#include "published-bound.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ns3::rails
{

namespace
{

/// Times in the formulas.
struct FrameTimes
{
    explicit FrameTimes(const PublishedBoundFabric& fabric)
        : data(LongSerialisationTime(fabric.frames.mtu + fabric.frames.dataHeader, fabric.rateBps)),
          ack(LongSerialisationTime(fabric.frames.ack, fabric.rateBps)),
          gap(LongSerialisationTime(fabric.frames.wireOverhead, fabric.rateBps)),
          spacing(static_cast<double>(data + gap) / fabric.rho),
          oneWay(fabric.oneWay)
    {
        constexpr uint32_t ofHosts = 2;
        const uint32_t between = fabric.hops - std::min(fabric.hops, ofHosts);
        const uint64_t rate = fabric.betweenBps == 0 ? fabric.rateBps : fabric.betweenBps;
        const FrameFormat& frames = fabric.frames;
        dataOverAll = (fabric.hops - between) * data +
                      between * LongSerialisationTime(frames.mtu + frames.dataHeader, rate);
        ackOverAll =
            (fabric.hops - between) * ack + between * LongSerialisationTime(frames.ack, rate);
    }

    TimePs data;    //!< T_d
    TimePs ack;     //!< T_a
    TimePs gap;     //!< T_g
    double spacing; //!< D, from the start of a data frame to that of the next
    TimePs oneWay;  //!< p

    TimePs dataOverAll; //!< H T_d
    TimePs ackOverAll;  //!< H T_a
};

/// A schedule that the bound covers.
struct Exchange
{
    uint32_t destinations; //!< of every host
    uint64_t bytes;        //!< of every message
};

/// \return nothing when it is neither a permutation nor a uniform all-to-all
std::optional<Exchange>
Classify(const WorkloadSchedule& schedule)
{
    if (schedule.shape.gpusPerServer != 1 || schedule.shape.nicsPerServer != 1 ||
        schedule.phases.size() != 1 || !schedule.phases[0].traffic ||
        schedule.phases[0].CountSteps() > 1)
    {
        return std::nullopt;
    }
    const TrafficMatrix& traffic = *schedule.phases[0].traffic;
    const uint32_t hosts = schedule.shape.GetGpus();
    if (hosts < 2 || traffic.GetRow(0).empty())
    {
        return std::nullopt;
    }
    const Exchange exchange{static_cast<uint32_t>(traffic.GetRow(0).size()),
                            traffic.GetRow(0).front().bytes};
    std::set<uint32_t> reached;
    for (uint32_t source = 0; source < hosts; ++source)
    {
        const std::vector<Demand>& row = traffic.GetRow(source);
        const auto isEqual = [&](const Demand& demand) { return demand.bytes == exchange.bytes; };
        if (row.size() != exchange.destinations || !std::all_of(row.begin(), row.end(), isEqual))
        {
            return std::nullopt;
        }
        reached.insert(row.front().destination);
    }
    const bool isPermutation = exchange.destinations == 1 && reached.size() == hosts;
    const bool isAllToAll = exchange.destinations == hosts - 1;
    return isPermutation || isAllToAll ? std::optional<Exchange>(exchange) : std::nullopt;
}

} // namespace

uint64_t
GetFirstAnswered(const PublishedBoundFabric& fabric)
{
    const FrameTimes times(fabric);
    const TimePs before = times.oneWay + times.dataOverAll - times.data;
    return static_cast<uint64_t>(std::ceil(static_cast<double>(before) / times.spacing)) + 1;
}

std::optional<TimePs>
ComputePublishedBound(const WorkloadSchedule& schedule, const PublishedBoundFabric& fabric)
{
    const std::optional<Exchange> exchange = Classify(schedule);
    if (!exchange || fabric.hops == 0)
    {
        return std::nullopt;
    }
    const FrameTimes times(fabric);
    const uint64_t count = fabric.frames.CountFrames(exchange->bytes);
    const auto frames = static_cast<double>(count);
    const auto roundTrip =
        static_cast<double>(2 * times.oneWay + times.dataOverAll + times.ackOverAll);
    const uint64_t missing = count * fabric.frames.mtu - exchange->bytes; // in the last frame
    const auto saved = static_cast<double>(LongSerialisationTime(missing, fabric.rateBps));
    if (exchange->destinations > 1)
    {
        const double sending = frames * times.spacing - saved / fabric.rho;
        return std::llround(exchange->destinations * sending + roundTrip);
    }
    const uint64_t firstAnswered = GetFirstAnswered(fabric);
    if (count <= firstAnswered)
    {
        return std::llround((frames - 1) * times.spacing - saved + roundTrip);
    }
    const auto together = static_cast<double>(times.data + times.ack + 2 * times.gap);
    const auto alone = static_cast<double>(firstAnswered);
    const double sending = (alone - 1) * times.spacing +
                           (frames - alone) * std::max(times.spacing, together) +
                           (times.spacing < together ? static_cast<double>(times.gap) : 0);
    return std::llround(sending - saved + roundTrip);
}

} // namespace ns3::rails
