// SPDX-License-Identifier: GPL-2.0-only
#include "lower-bound.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

namespace ns3::rails
{

namespace
{

using Wide = boost::multiprecision::uint128_t; // bytes * 8e12 outgrows 64 bits

constexpr uint64_t kPicosecondBits = 8'000'000'000'000; // bits per byte * ps per second

/// \return time of bytes at a rate of `rate / scale` bit/s, rounded down
TimePs
TransferTime(uint64_t bytes, const Wide& rate, uint64_t scale = 1)
{
    return (Wide(bytes) * kPicosecondBits * scale / rate).convert_to<TimePs>();
}

/// What a server or GPU has to move, in bytes.
struct Volume
{
    uint64_t interWire{0}; //!< between servers, with headers, messages left whole
    uint64_t inter{0};     //!< between servers, payload
    uint64_t intra{0};     //!< inside the server
};

/// Bounds of single phases on one cluster.
class PhaseBounder
{
  public:
    PhaseBounder(const ClusterShape& shape, const ClusterSpeeds& speeds)
        : m_shape(shape),
          m_speeds(speeds)
    {
        const FrameFormat& frames = speeds.frames;
        const uint64_t smallest = 1 + frames.dataHeader + frames.wireOverhead;
        const uint64_t ack = frames.ack + frames.wireOverhead;
        for (size_t i = 0; i < speeds.path.size(); ++i)
        {
            const PathLink& link = speeds.path[i];
            const TimePs frameTime = TransferTime(smallest, link.rateBps);
            m_afterSending += link.delay + (i == 0 ? 0 : frameTime);
            m_beforeReceiving += link.delay + (i + 1 == speeds.path.size() ? 0 : frameTime);
            m_ackReturn += link.delay + TransferTime(ack, link.rateBps);
        }
    }

    PhaseBound Bound(const TrafficMatrix& traffic) const
    {
        const uint32_t gpus = m_shape.GetGpus();
        std::vector<Volume> out(gpus);
        std::vector<Volume> in(gpus);
        Measure(traffic, out, in);

        PhaseBound bound;
        for (uint32_t server = 0; server < m_shape.domains; ++server)
        {
            Add(bound, "server_send", server, ServerTime(out, server, m_afterSending), m_ackReturn);
            Add(bound,
                "server_receive",
                server,
                ServerTime(in, server, m_beforeReceiving),
                m_ackReturn);
        }
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            Add(bound, "nvlink_send", gpu, NvlinkTime(out[gpu]), 0);
            Add(bound, "nvlink_receive", gpu, NvlinkTime(in[gpu]), 0);
            // The last byte may go inside the server, or to another one and be acknowledged.
            const bool inside = out[gpu].intra > 0;
            const TimePs acknowledged = m_afterSending + m_ackReturn;
            const TimePs end = inside ? std::min(m_speeds.nvlinkLatency, m_afterSending)
                                      : m_afterSending;
            const TimePs senderEnd =
                inside ? std::min(m_speeds.nvlinkLatency, acknowledged) : acknowledged;
            Add(bound, "gpu_send", gpu, GpuTime(out[gpu], end), senderEnd - end);
            const TimePs begin = in[gpu].intra > 0
                                     ? std::min(m_speeds.nvlinkLatency, m_beforeReceiving)
                                     : m_beforeReceiving;
            // The receiving NIC acknowledges before the bytes cross NVLink to their GPU, so this
            // term says nothing about the sender.
            Add(bound, "gpu_receive", gpu, GpuTime(in[gpu], begin), kNoSenderTime);
        }
        return bound;
    }

  private:
    static constexpr TimePs kNoSenderTime = -1;

    void Measure(const TrafficMatrix& traffic,
                 std::vector<Volume>& out,
                 std::vector<Volume>& in) const
    {
        const FrameFormat& frames = m_speeds.frames;
        for (uint32_t source = 0; source < m_shape.GetGpus(); ++source)
        {
            for (const Demand& demand : traffic.GetRow(source))
            {
                if (m_shape.GetDomain(source) == m_shape.GetDomain(demand.destination))
                {
                    out[source].intra += demand.bytes;
                    in[demand.destination].intra += demand.bytes;
                    continue;
                }
                const uint64_t count = (demand.bytes + frames.mtu - 1) / frames.mtu;
                const uint64_t wire =
                    demand.bytes + count * (frames.dataHeader + frames.wireOverhead);
                for (Volume* volume : {&out[source], &in[demand.destination]})
                {
                    volume->inter += demand.bytes;
                    volume->interWire += wire;
                }
            }
        }
    }

    /// \return 0 where there is nothing to move, as the two below
    TimePs ServerTime(const std::vector<Volume>& volumes, uint32_t server, TimePs latency) const
    {
        uint64_t wire = 0;
        for (uint32_t local = 0; local < m_shape.gpusPerDomain; ++local)
        {
            wire += volumes[server * m_shape.gpusPerDomain + local].interWire;
        }
        const Wide rate = Wide(m_shape.gpusPerDomain) * m_speeds.nicRateBps;
        return wire == 0 ? 0 : TransferTime(wire, rate) + latency;
    }

    TimePs NvlinkTime(const Volume& volume) const
    {
        return volume.intra == 0
                   ? 0
                   : TransferTime(volume.intra, m_speeds.nvlinkRateBps) + m_speeds.nvlinkLatency;
    }

    TimePs GpuTime(const Volume& volume, TimePs latency) const
    {
        // Of the NIC's rate at most mtu / frame is payload: rate = R1 + R2 * mtu / frame.
        const FrameFormat& frames = m_speeds.frames;
        const uint64_t frame = frames.mtu + frames.dataHeader + frames.wireOverhead;
        const Wide rate =
            Wide(m_speeds.nvlinkRateBps) * frame + Wide(m_speeds.nicRateBps) * frames.mtu;
        const uint64_t bytes = volume.inter + volume.intra;
        return bytes == 0 ? 0 : TransferTime(bytes, rate, frame) + latency;
    }

    static void Add(PhaseBound& bound,
                    const std::string& name,
                    uint32_t where,
                    TimePs time,
                    TimePs untilAcknowledged)
    {
        BoundTerm& term = bound.terms[name];
        if (time > term.time)
        {
            term = {time, where};
        }
        if (time > bound.time)
        {
            bound.time = time;
            bound.binding = name;
        }
        const TimePs senderTime = time + untilAcknowledged;
        if (time > 0 && untilAcknowledged != kNoSenderTime && senderTime > bound.senderTime)
        {
            bound.senderTime = senderTime;
            bound.senderBinding = name;
        }
    }

    const ClusterShape m_shape;
    const ClusterSpeeds& m_speeds;
    TimePs m_afterSending{0};    //!< from the end of a server's sending to the last arrival
    TimePs m_beforeReceiving{0}; //!< from the first post to the start of a server's receiving
    TimePs m_ackReturn{0};       //!< from the last arrival to its ACK's
};

} // namespace

LowerBound::LowerBound(const WorkloadSchedule& schedule, const ClusterSpeeds& speeds)
{
    const PhaseBounder bounder(schedule.shape, speeds);
    std::map<const TrafficMatrix*, PhaseBound> known; // iterations repeat the same matrices
    for (const ScheduledPhase& scheduled : schedule.phases)
    {
        if (!scheduled.traffic)
        {
            PhaseBound wait;
            wait.time = scheduled.phase.duration;
            wait.binding = scheduled.phase.GetName();
            m_phases.push_back(wait);
            continue;
        }
        auto found = known.find(scheduled.traffic.get());
        if (found == known.end())
        {
            found = known.emplace(scheduled.traffic.get(), bounder.Bound(*scheduled.traffic)).first;
        }
        m_phases.push_back(found->second);
    }
    AddUp(schedule);
}

void
LowerBound::AddUp(const WorkloadSchedule& schedule)
{
    // Only what lies between the first post and the last delivery counts.
    const auto moves = [](const ScheduledPhase& scheduled) {
        return scheduled.traffic && scheduled.traffic->GetTotalBytes() > 0;
    };
    const auto& all = schedule.phases;
    const size_t first = std::find_if(all.begin(), all.end(), moves) - all.begin();
    const size_t end = all.rend() - std::find_if(all.rbegin(), all.rend(), moves);
    TimePs largest = 0;
    for (size_t i = first; i < end; ++i)
    {
        const PhaseBound& phase = m_phases[i];
        // The phase before ends with its last delivery, whenever its ACKs come back.
        m_senderTime = m_time + phase.senderTime;
        m_time += phase.time;
        for (const auto& [name, term] : phase.terms)
        {
            m_parts[name] += term.time;
        }
        if (!all[i].traffic)
        {
            m_parts["wait"] += phase.time;
        }
        else if (phase.time > largest)
        {
            largest = phase.time;
            m_binding = phase.binding;
        }
    }
}

TimePs
LowerBound::GetTime() const
{
    return m_time;
}

TimePs
LowerBound::GetSenderTime() const
{
    return m_senderTime;
}

const std::string&
LowerBound::GetBinding() const
{
    return m_binding;
}

const std::map<std::string, TimePs>&
LowerBound::GetParts() const
{
    return m_parts;
}

const std::vector<PhaseBound>&
LowerBound::GetPhases() const
{
    return m_phases;
}

} // namespace ns3::rails
