// SPDX-License-Identifier: GPL-2.0-only
#include "flow-phase-recorder.h"

#include "ns3/fabric-ports.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ns3::rails
{

namespace
{

/// Data in bytes up to which a difference is a rounding error.
constexpr double kSmallestData = 0.5;

TimePs
GetCrossingTime(double bytes, uint64_t rateBps)
{
    const auto whole = static_cast<uint64_t>(std::floor(bytes + 0.5));
    return whole == 0 ? 0 : LongSerialisationTime(whole, rateBps);
}

} // namespace

std::string
GetDirectionName(const Wiring& wiring, uint32_t direction)
{
    const uint32_t cable = GetCableOfDirection(direction);
    const auto [lower, upper] = wiring.GetEndNames(wiring.GetCables()[cable]);
    return direction == GetUpDirection(cable) ? lower + " to " + upper : upper + " to " + lower;
}

FlowPhaseRecorder::FlowPhaseRecorder(Ptr<const FlowEngine> engine)
    : m_engine(engine),
      m_wiring(engine->GetWiring()),
      m_probes(2 * m_wiring.GetCables().size())
{
}

void
FlowPhaseRecorder::StartPhase()
{
    m_start = NowPs();
    m_lookedAt = m_start;
    m_isInPhase = true;
    const std::vector<FlowNetwork::Carried> carried = m_engine->GetCarried();
    for (uint32_t direction = 0; direction < m_probes.size(); ++direction)
    {
        Probe& probe = m_probes[direction];
        const uint64_t best = probe.bestRateBps;
        probe = {};
        probe.bestRateBps = best;
        probe.seen = carried[direction];
        probe.offeredUntil = m_start;
    }
    TakeRates();
}

void
FlowPhaseRecorder::NoteCables()
{
    if (m_isInPhase)
    {
        Examine(NowPs());
    }
    TakeRates();
}

void
FlowPhaseRecorder::TakeRates()
{
    for (uint32_t direction = 0; direction < m_probes.size(); ++direction)
    {
        const Cable& cable = m_wiring.GetCables()[GetCableOfDirection(direction)];
        Probe& probe = m_probes[direction];
        probe.rateBps = cable.rateBps;
        probe.bestRateBps = std::max(probe.bestRateBps, cable.rateBps);
        probe.isUp = cable.isUp;
    }
}

void
FlowPhaseRecorder::Examine(TimePs now)
{
    const std::vector<FlowNetwork::Carried> carried = m_engine->GetCarried();
    for (uint32_t direction = 0; direction < m_probes.size(); ++direction)
    {
        Account(m_probes[direction], carried[direction], now);
    }
    m_lookedAt = now;
}

/// Adds the time since the last Examine(), in which the rate was constant.
void
FlowPhaseRecorder::Account(Probe& probe, const FlowNetwork::Carried& carried, TimePs now) const
{
    const double data = carried.data - probe.seen.data;
    const double acks = carried.acks - probe.seen.acks;
    probe.seen = carried;
    probe.data += data;
    probe.acks += acks;
    const TimePs length = now - m_lookedAt;
    const double rate = probe.isUp ? static_cast<double>(probe.rateBps) : 0;
    if (!probe.isUp)
    {
        probe.down += length;
    }
    else
    {
        probe.busy += std::min(length, GetCrossingTime(data + acks, probe.rateBps));
    }
    if (data > kSmallestData)
    {
        const TimePs last = std::max(m_lookedAt, carried.last);
        probe.lastData = last;
        probe.offeredUntil = last;
        probe.offeredUntilThen = probe.offered + rate * static_cast<double>(last - m_lookedAt);
    }
    probe.offered += rate * static_cast<double>(length);
}

/// Limits times to the length of the phase, since loads of ACKs are only approximate.
FlowPhaseRecorder::Times
FlowPhaseRecorder::GetTimes(const Probe& probe, TimePs length) const
{
    Times times;
    times.first = std::min(length, GetCrossingTime(probe.data, probe.bestRateBps));
    times.carried = std::min(length, GetCrossingTime(probe.data + probe.acks, probe.bestRateBps));
    const auto before = static_cast<double>(probe.offeredUntil - m_start);
    const double lost = before - probe.offeredUntilThen / static_cast<double>(probe.bestRateBps);
    times.carriedAndLost =
        std::min(length, times.carried + static_cast<TimePs>(std::floor(lost + 0.5)));
    return times;
}

void
FlowPhaseRecorder::EndPhase()
{
    const TimePs now = NowPs();
    const TimePs length = now - m_start;
    Examine(now);
    m_isInPhase = false;
    WatchedPhase& phase = m_phases.emplace_back();
    TimePs lastNic = 0;
    TimePs lastCable = 0;
    uint32_t first = 0;
    std::map<std::string, std::pair<double, uint32_t>> classes; // sum, and number of ports
    for (uint32_t place = 0; place < m_probes.size(); ++place)
    {
        const uint32_t direction = GetPlace(place);
        const Probe& probe = m_probes[direction];
        const Times times = GetTimes(probe, length);
        if (times.first > phase.first)
        {
            phase.first = times.first;
            first = direction;
        }
        phase.carried = std::max(phase.carried, times.carried);
        phase.carriedAndLost = std::max(phase.carriedAndLost, times.carriedAndLost);
        auto& [sum, count] = classes[GetClass(direction)];
        sum += static_cast<double>(times.first);
        ++count;
        TimePs& last = IsNic(direction) ? lastNic : lastCable;
        if (probe.lastData > last)
        {
            last = probe.lastData;
            (IsNic(direction) ? phase.nic : phase.cable) =
                MakeShares(IsNic(direction) ? m_wiring.GetNicName(GetCableOfDirection(direction))
                                            : GetDirectionName(m_wiring, direction),
                           probe,
                           length);
        }
    }
    if (phase.first > 0)
    {
        const auto& [sum, count] = classes.at(GetClass(first));
        phase.firstCable = GetDirectionName(m_wiring, first);
        phase.firstOverMean = static_cast<double>(phase.first) * count / sum;
    }
}

/// \return a direction by its place in the order of the search: NICs come first, and win ties
uint32_t
FlowPhaseRecorder::GetPlace(uint32_t place) const
{
    const uint32_t nics = m_wiring.GetShape().GetNics();
    return place < nics       ? GetUpDirection(place)
           : place < 2 * nics ? GetDownDirection(place - nics)
                              : place;
}

bool
FlowPhaseRecorder::IsNic(uint32_t direction) const
{
    const uint32_t cable = GetCableOfDirection(direction);
    return m_wiring.GetCables()[cable].isNic && direction == GetUpDirection(cable);
}

const std::string&
FlowPhaseRecorder::GetClass(uint32_t direction) const
{
    const uint32_t cable = GetCableOfDirection(direction);
    const CableKind& kind = m_wiring.GetKind(m_wiring.GetCables()[cable]);
    return direction == GetUpDirection(cable) ? kind.lowerClass : kind.upperClass;
}

Explanation::Shares
FlowPhaseRecorder::MakeShares(std::string name, const Probe& probe, TimePs length)
{
    Explanation::Shares shares;
    shares.name = std::move(name);
    const TimePs busy = std::min(probe.busy, length - probe.down);
    shares.times[static_cast<std::size_t>(PortState::Busy)] = busy;
    shares.times[static_cast<std::size_t>(PortState::Down)] = probe.down;
    shares.times[static_cast<std::size_t>(PortState::Idle)] = length - probe.down - busy;
    return shares;
}

} // namespace ns3::rails
