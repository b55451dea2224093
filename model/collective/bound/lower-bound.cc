// SPDX-License-Identifier: GPL-2.0-only
#include "lower-bound.h"

#include "server-cuts.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

using Wide = boost::multiprecision::uint128_t;

/// Traffic of a server or GPU, in bytes.
struct Volume
{
    uint64_t interWire{0}; //!< between servers, with headers, messages unsplit
    uint64_t inter{0};     //!< between servers, payload
    uint64_t frames{0};    //!< between servers
    uint64_t intra{0};     //!< inside the server
};

/// Traffic out of a group of GPUs, or into it.
struct Crossing
{
    uint64_t bytes{0};
    bool hasInside{false}; //!< part of the traffic stays inside the server
};

/// Traffic of all servers and GPUs.
struct Volumes
{
    std::vector<Volume> out;         //!< by GPU
    std::vector<Volume> in;          //!< the same
    std::vector<uint64_t> links;     //!< GPU-to-GPU traffic inside servers, by server and link
    std::vector<Crossing> groups[2]; //!< by group: traffic into it, and out of it
};

/// Bounds of single phases on one cluster.
class PhaseBounder
{
  public:
    PhaseBounder(const ClusterShape& shape, const ClusterSpeeds& speeds)
        : m_shape(shape),
          m_speeds(speeds),
          m_cuts(shape, speeds),
          m_path(FindPathTimes(speeds))
    {
        const ServerInterior& interior = *speeds.interior;
        m_isUniform = shape.nicsPerServer == shape.gpusPerServer;
        for (uint32_t other = 1; other < shape.gpusPerServer; ++other)
        {
            const uint32_t port = interior.GetHop(interior.GetFirstHop(0, other)).links.front();
            m_isUniform =
                m_isUniform && interior.GetLinks()[port].kind != ServerInterior::LinkKind::Pcie;
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
            for (uint32_t lane = 0; lane < scheduled.lanes; ++lane)
            {
                AddChain(scheduled, lane, bound);
            }
            FindBinding(bound);
        }
        return bound;
    }

  private:
    Volumes MakeVolumes() const
    {
        return {std::vector<Volume>(m_shape.GetGpus()),
                std::vector<Volume>(m_shape.GetGpus()),
                std::vector<uint64_t>(m_shape.servers * m_speeds.interior->GetLinks().size()),
                {std::vector<Crossing>(m_cuts.CountGroups()),
                 std::vector<Crossing>(m_cuts.CountGroups())}};
    }

    PhaseBound Bound(const TrafficMatrix& traffic) const
    {
        Volumes volumes = MakeVolumes();
        Measure(traffic, volumes);
        PhaseBound bound = Bound(volumes);
        FindBinding(bound);
        return bound;
    }

    // Steps from a time on end no earlier than this time plus their own bound.
    PhaseBound BoundReleases(const std::vector<TrafficStep>& steps) const
    {
        PhaseBound bound;
        Volumes volumes = MakeVolumes();
        const TimePs first = steps.front().start;
        for (size_t step = steps.size(); step-- > 0;)
        {
            Measure(*steps[step].traffic, volumes);
            if (step > 0 && steps[step - 1].start == steps[step].start)
            {
                continue;
            }
            const TimePs offset = steps[step].start - first;
            const PhaseBound rest = Bound(volumes);
            RaiseWithAcks(bound, rest.timeWithAcks, offset);
            for (const auto& [name, term] : rest.terms)
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

    // Longest chain of messages, each starting after the delivery of its predecessor.
    void AddChain(const ScheduledPhase& scheduled, uint32_t lane, PhaseBound& bound) const
    {
        const uint32_t inLane = scheduled.CountSteps() / scheduled.lanes;
        BoundTerm& chain = bound.terms["chain"];
        // Key: the two GPUs if NICs differ, otherwise whether the message stays inside a server;
        // and bytes.
        std::map<std::tuple<uint32_t, uint32_t, uint64_t>, PhaseBound> known;
        const bool nicsDiffer = !m_speeds.bestRatesBps.empty() || !m_isUniform;
        std::vector<TimePs> ready(m_shape.GetGpus(), 0);
        for (uint32_t step = lane * inLane; step < (lane + 1) * inLane; ++step)
        {
            std::vector<TimePs> next = ready;
            for (uint32_t source = 0; source < ready.size(); ++source)
            {
                for (const Demand& demand : scheduled.GetSends(source, step))
                {
                    const uint32_t to = demand.destination;
                    const bool inside = m_shape.GetServer(source) == m_shape.GetServer(to);
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
        if (*last > chain.time)
        {
            chain.time = *last;
            chain.where = static_cast<uint32_t>(last - ready.begin());
        }
    }

    PhaseBound BoundMessage(uint32_t source, uint32_t destination, uint64_t bytes) const
    {
        TrafficMatrix alone(m_shape);
        alone.Add(source, destination, bytes);
        return Bound(alone);
    }

    PhaseBound Bound(const Volumes& volumes) const
    {
        const std::vector<Volume>& out = volumes.out;
        const std::vector<Volume>& in = volumes.in;
        const uint32_t gpus = m_shape.GetGpus();
        PhaseBound bound;
        BoundTerm& serverSend = bound.terms["server_send"];
        BoundTerm& serverReceive = bound.terms["server_receive"];
        for (uint32_t server = 0; server < m_shape.servers; ++server)
        {
            Raise(serverSend,
                  server,
                  ServerTime(out, server),
                  m_path.afterSending,
                  m_path.ackReturn);
            RaiseWithAcks(bound, ServerTime(out, server, &in), m_path.afterSending);
            Raise(serverReceive,
                  server,
                  ServerTime(in, server),
                  m_path.beforeReceiving,
                  m_path.ackReturn);
            RaiseWithAcks(bound, ServerTime(in, server, &out), m_path.beforeReceiving);
        }
        AddLinks(volumes.links, bound);
        for (const bool sends : {true, false})
        {
            BoundTerm& ofGpus = bound.terms[sends ? "gpu_send" : "gpu_receive"];
            for (uint32_t gpu = 0; gpu < gpus; ++gpu)
            {
                const Volume& volume = (sends ? out : in)[gpu];
                RaiseCut(ofGpus,
                         gpu,
                         {volume.inter + volume.intra, volume.intra > 0},
                         m_cuts.GetGpuRate(gpu, sends),
                         sends);
            }
            for (std::size_t group = 0; group < m_cuts.CountGroups(); ++group)
            {
                RaiseCut(bound.terms["pcie"],
                         m_cuts.GetServer(group),
                         volumes.groups[sends][group],
                         m_cuts.GetGroupRate(group, sends),
                         sends);
            }
        }
        return bound;
    }

    /// Raises a term to the time of traffic out of GPUs (sends), or into them, at a best rate.
    void RaiseCut(BoundTerm& term,
                  uint32_t where,
                  const Crossing& moved,
                  const ServerCuts::Rate& rate,
                  bool sends) const
    {
        const FrameFormat& frames = m_speeds.frames;
        const uint64_t frame = frames.GetDataWire(frames.mtu, 1);
        const TimePs time = rate == 0 ? 0 : GetTransferTime(moved.bytes, rate, frame);
        const auto ofEnd = [&](TimePs network) {
            return moved.hasInside ? std::min(m_path.crossing, network) : network;
        };
        if (!sends)
        {
            // The receiving NIC acknowledges before bytes cross NVLink to their GPU, so this says
            // nothing about the sender.
            Raise(term, where, time, ofEnd(m_path.beforeReceiving), std::nullopt);
            return;
        }
        // The last byte may stay inside the server, or go to another and be acknowledged.
        const TimePs after = ofEnd(m_path.afterSending);
        Raise(term, where, time, after, ofEnd(m_path.afterSending + m_path.ackReturn) - after);
    }

    /// Adds the traffic of a matrix by GPU, group and link inside servers.
    void Measure(const TrafficMatrix& traffic, Volumes& volumes) const
    {
        std::vector<Volume>& out = volumes.out;
        std::vector<Volume>& in = volumes.in;
        const FrameFormat& frames = m_speeds.frames;
        for (uint32_t source = 0; source < m_shape.GetGpus(); ++source)
        {
            for (const Demand& demand : traffic.GetRow(source))
            {
                const bool isInside =
                    m_shape.GetServer(source) == m_shape.GetServer(demand.destination);
                if (isInside)
                {
                    out[source].intra += demand.bytes;
                    in[demand.destination].intra += demand.bytes;
                    Cross(source, demand.destination, demand.bytes, volumes.links);
                }
                m_cuts.VisitGroups(source, demand.destination, [&](std::size_t group, bool leaves) {
                    Crossing& crossing = volumes.groups[leaves][group];
                    crossing.bytes += demand.bytes;
                    crossing.hasInside = crossing.hasInside || isInside;
                });
                if (isInside)
                {
                    continue;
                }
                const uint64_t count = frames.CountFrames(demand.bytes);
                for (Volume* volume : {&out[source], &in[demand.destination]})
                {
                    volume->inter += demand.bytes;
                    volume->interWire += frames.GetDataWire(demand.bytes, count);
                    volume->frames += count;
                }
            }
        }
    }

    /// \return transfer time of a server's wire bytes. \param acknowledged traffic of the other
    ///     direction, whose ACKs share the NICs; null: no ACKs
    TimePs ServerTime(const std::vector<Volume>& volumes,
                      uint32_t server,
                      const std::vector<Volume>* acknowledged = nullptr) const
    {
        uint64_t wire = 0;
        for (uint32_t local = 0; local < m_shape.gpusPerServer; ++local)
        {
            const uint32_t gpu = server * m_shape.gpusPerServer + local;
            wire += volumes[gpu].interWire;
            wire += acknowledged ? m_speeds.frames.GetAckWire((*acknowledged)[gpu].frames) : 0;
        }
        Wide rate = 0;
        for (uint32_t rail = 0; rail < m_shape.nicsPerServer; ++rail)
        {
            rate += GetNicRate(m_speeds, m_shape, m_shape.GetNic(server, rail));
        }
        return rate == 0 ? 0 : GetTransferTime(wire, rate);
    }

    /// Adds bytes between two GPUs of a server to the links of their path.
    void Cross(uint32_t from, uint32_t to, uint64_t bytes, std::vector<uint64_t>& links) const
    {
        const ServerInterior& interior = *m_speeds.interior;
        const uint32_t hop = interior.GetFirstHop(m_shape.GetLocal(from), m_shape.GetLocal(to));
        const std::size_t first = m_shape.GetServer(from) * interior.GetLinks().size();
        for (const uint32_t link : interior.GetHop(hop).links)
        {
            links[first + link] += bytes;
        }
    }

    void AddLinks(const std::vector<uint64_t>& bytes, PhaseBound& bound) const
    {
        using Kind = ServerInterior::LinkKind;
        BoundTerm& send = bound.terms["nvlink_send"];
        BoundTerm& receive = bound.terms["nvlink_receive"];
        const std::vector<ServerInterior::Link>& links = m_speeds.interior->GetLinks();
        for (std::size_t number = 0; number < bytes.size(); ++number)
        {
            const ServerInterior::Link& link = links[number % links.size()];
            const auto server = static_cast<uint32_t>(number / links.size());
            const TimePs time = GetTransferTime(bytes[number], link.rateBps);
            if (link.kind == Kind::Pcie)
            {
                Raise(bound.terms["pcie"], server, time, m_path.crossing, 0);
                continue;
            }
            Raise(link.kind == Kind::NvlinkOut ? send : receive,
                  server * m_shape.gpusPerServer + link.gpu,
                  time,
                  m_path.crossing,
                  0);
        }
    }

    /**
     * Raises a term to the time of one server or GPU.
     * \param transfer time of its bytes; 0 without bytes
     * \param latency before or after the transfer
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

    static void RaiseWithAcks(PhaseBound& bound, TimePs transfer, TimePs latency)
    {
        bound.timeWithAcks = std::max(bound.timeWithAcks, transfer > 0 ? transfer + latency : 0);
    }

    static void FindBinding(PhaseBound& bound)
    {
        // In a fixed order, so that ties always name the same term.
        for (const char* name : {"server_send",
                                 "server_receive",
                                 "nvlink_send",
                                 "nvlink_receive",
                                 "gpu_send",
                                 "gpu_receive",
                                 "pcie",
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
        bound.timeWithAcks = std::max(bound.timeWithAcks, bound.time);
    }

    const ClusterShape m_shape;
    const ClusterSpeeds& m_speeds;
    ServerCuts m_cuts;
    PathTimes m_path;
    bool m_isUniform; // all GPUs of a server are alike
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
            wait.timeWithAcks = wait.time;
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
        m_timeWithAcks += phase.timeWithAcks;
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

} // namespace ns3::rails
