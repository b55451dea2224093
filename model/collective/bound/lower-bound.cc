// SPDX-License-Identifier: GPL-2.0-only
#include "lower-bound.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <tuple>
#include <utility>

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

    PhaseBound Bound(const ScheduledPhase& scheduled) const
    {
        if (!scheduled.steps.empty() && !scheduled.isChained)
        {
            return BoundReleases(scheduled.steps);
        }
        PhaseBound bound = Bound(*scheduled.traffic);
        if (scheduled.isChained)
        {
            AddChain(scheduled.steps, bound);
            FindBinding(bound);
        }
        return bound;
    }

  private:
    PhaseBound Bound(const TrafficMatrix& traffic) const
    {
        std::vector<Volume> out(m_shape.GetGpus());
        std::vector<Volume> in(m_shape.GetGpus());
        Measure(traffic, out, in);
        PhaseBound bound = Bound(out, in);
        FindBinding(bound);
        return bound;
    }

    // What starts at a time or later cannot be over before that time and what it needs by itself.
    PhaseBound BoundReleases(const std::vector<TrafficStep>& steps) const
    {
        PhaseBound bound;
        std::vector<Volume> out(m_shape.GetGpus());
        std::vector<Volume> in(m_shape.GetGpus());
        const TimePs first = steps.front().start;
        for (size_t step = steps.size(); step-- > 0;)
        {
            Measure(*steps[step].traffic, out, in);
            if (step > 0 && steps[step - 1].start == steps[step].start)
            {
                continue;
            }
            const TimePs offset = steps[step].start - first;
            for (auto& [name, term] : Bound(out, in).terms)
            {
                BoundTerm& largest = bound.terms[name];
                if (term.time > 0 && offset + term.time > largest.time)
                {
                    largest.time = offset + term.time;
                    largest.where = term.where;
                }
                if (term.senderTime > 0)
                {
                    largest.senderTime = std::max(largest.senderTime, offset + term.senderTime);
                }
            }
        }
        FindBinding(bound);
        return bound;
    }

    // The longest chain of messages, each of which cannot start before the one before is delivered.
    void AddChain(const std::vector<TrafficStep>& steps, PhaseBound& bound) const
    {
        BoundTerm& chain = bound.terms["chain"];
        // By what makes a difference: the two GPUs if their NICs differ, or being inside a server.
        std::map<std::tuple<uint32_t, uint32_t, uint64_t>, PhaseBound> known;
        const bool nicsDiffer = !m_speeds.nicRatesBps.empty();
        std::vector<TimePs> ready(m_shape.GetGpus(), 0);
        for (const TrafficStep& step : steps)
        {
            std::vector<TimePs> next = ready;
            for (uint32_t source = 0; source < ready.size(); ++source)
            {
                for (const Demand& demand : step.traffic->GetRow(source))
                {
                    const uint32_t to = demand.destination;
                    const bool inside = m_shape.GetDomain(source) == m_shape.GetDomain(to);
                    const auto [message, isNew] = known.try_emplace(
                        {nicsDiffer ? source : inside, nicsDiffer ? to : 0, demand.bytes});
                    if (isNew)
                    {
                        message->second = BoundMessage(source, to, demand.bytes);
                    }
                    next[to] = std::max(next[to], ready[source] + message->second.time);
                    chain.senderTime =
                        std::max(chain.senderTime, ready[source] + message->second.senderTime);
                }
            }
            ready = std::move(next);
        }
        const auto last = std::max_element(ready.begin(), ready.end());
        chain.time = *last;
        chain.where = static_cast<uint32_t>(last - ready.begin());
    }

    PhaseBound BoundMessage(uint32_t source, uint32_t destination, uint64_t bytes) const
    {
        TrafficMatrix alone(m_shape);
        alone.Add(source, destination, bytes);
        return Bound(alone);
    }

    PhaseBound Bound(const std::vector<Volume>& out, const std::vector<Volume>& in) const
    {
        const uint32_t gpus = m_shape.GetGpus();
        PhaseBound bound;
        BoundTerm& serverSend = bound.terms["server_send"];
        BoundTerm& serverReceive = bound.terms["server_receive"];
        for (uint32_t server = 0; server < m_shape.domains; ++server)
        {
            Raise(serverSend, server, ServerTime(out, server), m_afterSending, m_ackReturn);
            Raise(serverReceive, server, ServerTime(in, server), m_beforeReceiving, m_ackReturn);
        }
        BoundTerm& nvlinkSend = bound.terms["nvlink_send"];
        BoundTerm& nvlinkReceive = bound.terms["nvlink_receive"];
        BoundTerm& gpuSend = bound.terms["gpu_send"];
        BoundTerm& gpuReceive = bound.terms["gpu_receive"];
        const TimePs crossing = m_speeds.nvlinkLatency;
        for (uint32_t gpu = 0; gpu < gpus; ++gpu)
        {
            Raise(nvlinkSend, gpu, NvlinkTime(out[gpu]), crossing, 0);
            Raise(nvlinkReceive, gpu, NvlinkTime(in[gpu]), crossing, 0);
            // The last byte may stay inside the server, or go to another and be acknowledged.
            const TimePs acknowledged = m_afterSending + m_ackReturn;
            const bool sendsInside = out[gpu].intra > 0;
            const TimePs after = sendsInside ? std::min(crossing, m_afterSending) : m_afterSending;
            const TimePs senderAfter =
                sendsInside ? std::min(crossing, acknowledged) : acknowledged;
            Raise(gpuSend, gpu, GpuTime(out[gpu], gpu), after, senderAfter - after);
            // The receiving NIC acknowledges before bytes cross NVLink to their GPU, so this says
            // nothing about the sender.
            const TimePs before =
                in[gpu].intra > 0 ? std::min(crossing, m_beforeReceiving) : m_beforeReceiving;
            Raise(gpuReceive, gpu, GpuTime(in[gpu], gpu), before, std::nullopt);
        }
        return bound;
    }

    /// Adds what a matrix has for every GPU.
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

    /// \return time of the bytes alone, as the two below
    TimePs ServerTime(const std::vector<Volume>& volumes, uint32_t server) const
    {
        uint64_t wire = 0;
        for (uint32_t local = 0; local < m_shape.gpusPerDomain; ++local)
        {
            wire += volumes[server * m_shape.gpusPerDomain + local].interWire;
        }
        Wide rate = 0;
        for (uint32_t local = 0; local < m_shape.gpusPerDomain; ++local)
        {
            rate += GetNicRate(server * m_shape.gpusPerDomain + local);
        }
        return rate == 0 ? 0 : TransferTime(wire, rate);
    }

    uint64_t GetNicRate(uint32_t nic) const
    {
        return m_speeds.nicRatesBps.empty() ? m_speeds.nicRateBps : m_speeds.nicRatesBps[nic];
    }

    TimePs NvlinkTime(const Volume& volume) const
    {
        return TransferTime(volume.intra, m_speeds.nvlinkRateBps);
    }

    TimePs GpuTime(const Volume& volume, uint32_t gpu) const
    {
        // Of the NIC's rate at most mtu / frame is payload: rate = R1 + R2 * mtu / frame.
        const FrameFormat& frames = m_speeds.frames;
        const uint64_t frame = frames.mtu + frames.dataHeader + frames.wireOverhead;
        const Wide rate = Wide(m_speeds.nvlinkRateBps) * frame + Wide(GetNicRate(gpu)) * frames.mtu;
        return TransferTime(volume.inter + volume.intra, rate, frame);
    }

    /**
     * Raises a term to what one server or GPU needs.
     * \param transfer time of its bytes; 0 when it has none
     * \param latency time before or after
     * \param untilAcknowledged from delivery to ACK; nothing when the two are not related
     */
    static void Raise(BoundTerm& term,
                      uint32_t where,
                      TimePs transfer,
                      TimePs latency,
                      std::optional<TimePs> untilAcknowledged)
    {
        if (transfer == 0)
        {
            return;
        }
        if (transfer + latency > term.time)
        {
            term.time = transfer + latency;
            term.where = where;
        }
        if (untilAcknowledged)
        {
            term.senderTime = std::max(term.senderTime, transfer + latency + *untilAcknowledged);
        }
    }

    static void FindBinding(PhaseBound& bound)
    {
        // In a fixed order, so that of equal terms always the same is named.
        for (const char* name : {"server_send",
                                 "server_receive",
                                 "nvlink_send",
                                 "nvlink_receive",
                                 "gpu_send",
                                 "gpu_receive",
                                 "chain"})
        {
            const auto found = bound.terms.find(name);
            if (found == bound.terms.end())
            {
                continue;
            }
            const BoundTerm& term = found->second;
            if (term.time > bound.time)
            {
                bound.time = term.time;
                bound.binding = name;
            }
            if (term.senderTime > bound.senderTime)
            {
                bound.senderTime = term.senderTime;
                bound.senderBinding = name;
            }
        }
    }

    const ClusterShape m_shape;
    const ClusterSpeeds& m_speeds;
    TimePs m_afterSending{0};    //!< from the end of a server's sending to the last arrival
    TimePs m_beforeReceiving{0}; //!< from the first post to the start of a server's receiving
    TimePs m_ackReturn{0};       //!< from the last arrival to its ACK's
};

} // namespace

ClusterSpeeds
FindSpeeds(const Wiring& wiring, const FabricTraits& traits)
{
    ClusterSpeeds speeds;
    speeds.nicRateBps = wiring.GetNicKind().rateBps;
    speeds.nvlinkRateBps = wiring.GetNvlink().rateBps;
    speeds.nvlinkLatency = wiring.GetNvlink().latency;
    speeds.path.assign(CountBoundedLinks(wiring, traits),
                       {speeds.nicRateBps, wiring.GetNicKind().delay});
    return speeds;
}

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
            found = known.emplace(scheduled.traffic.get(), bounder.Bound(scheduled)).first;
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
