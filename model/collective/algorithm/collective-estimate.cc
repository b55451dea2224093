// SPDX-License-Identifier: GPL-2.0-only
#include "collective-estimate.h"

#include "tree-transfer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3::rails
{

namespace
{

using Operation = GroupCollective::Operation;

/// Of what a NIC sends, frames of 4096 B of payload and an ACK for each that it gets taken off.
constexpr double kPayload = 4096.0 / (4178 + 84);

constexpr uint32_t kLanes = 2 * TreeTransfer::kWindow; //!< of a channel of trees

/// What a collective is estimated with, in seconds and bytes.
struct Speeds
{
    explicit Speeds(const CollectiveGroups& groups)
    {
        const ClusterRates& rates = groups.GetRates();
        constexpr double bits = 8;
        gpu = static_cast<double>(rates.gpuBps) / bits;
        nic = static_cast<double>(rates.packetBps) / bits * kPayload / groups.CountGroupsOfNic() /
              rates.oversubscription;
        constexpr double ps = 1e-12;
        inside = static_cast<double>(rates.insideLatency) * ps;
        next = static_cast<double>(rates.nextLatency) * ps;
        far = static_cast<double>(rates.farLatency) * ps;
        staged = static_cast<double>(rates.stagedBytes);
        stage = static_cast<double>(rates.stagedBps) / bits;
    }

    /// \return seconds in which a message is stored on its way between servers, once for each store
    double Store(double bytes) const
    {
        constexpr double kFrame = 4096;
        constexpr double kEnds = 2;
        return std::min(bytes, kFrame) / nic +
               (stage > 0 ? kEnds * std::min(bytes, staged) / stage : 0);
    }

    double gpu;    //!< of NVLink
    double nic;    //!< for one of the groups that share it
    double inside; //!< latency of a message in a server
    double next;   //!< the same to the next server
    double far;    //!< the same to any server, in the mean
    double staged; //!< bytes of a message that are stored at a time inside a server
    double stage;  //!< rate at which
};

double
EstimateRing(const CollectiveGroups& groups, double rounds, double bytes, uint32_t rings)
{
    const Speeds speeds(groups);
    const GroupSpread& spread = groups.GetSpreads().front();
    const double members = groups.GetSize();
    const auto servers = static_cast<double>(spread.servers.size());
    const double steps = rounds * (members - 1);
    const double part = bytes / rings / members;
    const bool isFlat = members == servers; // a GPU on each
    const double inNvlink = isFlat ? 0 : part / speeds.gpu;
    if (servers == 1)
    {
        return steps * (rings * inNvlink + speeds.inside);
    }
    const double perNic = std::max(1.0, rings / static_cast<double>(groups.CountRails()));
    const double inNic = part / speeds.nic;
    // Where a NIC has one GPU near it, a ring leaves by a GPU that is near another one.
    const bool isRelayed = !isFlat && spread.servers.front().size() <= groups.CountRails();
    const double inside = inNvlink * (rings + 1) / 2 + speeds.inside;
    const double crossings = std::ceil(steps * servers / members);
    const double across =
        perNic * inNic + speeds.next + speeds.Store(part) +
        (isRelayed ? speeds.inside + std::min(part, speeds.staged) / speeds.gpu : 0);
    const double way = crossings * across + (steps - crossings) * inside;
    return std::max(way, steps * std::max(perNic * inNic, rings * inNvlink) + speeds.next);
}

double
EstimateLevels(const CollectiveGroups& groups, double rounds, double bytes)
{
    const Speeds speeds(groups);
    const double perServer = groups.CountPerServer();
    const double servers = groups.GetSize() / perServer;
    const double inNic = bytes / servers / groups.CountRails() / speeds.nic;
    const double inNvlink = bytes / perServer / speeds.gpu;
    return rounds *
           ((servers - 1) * (inNic + speeds.next + speeds.Store(bytes / perServer / servers)) +
            (perServer - 1) * (inNvlink + speeds.inside));
}

/// Messages of some channels of trees, each of which takes its turn at the ports of both ends.
class TreeRun
{
  public:
    TreeRun(const CollectiveGroups& groups, Operation operation, uint32_t channels, uint64_t bytes)
        : m_speeds(groups),
          m_transfer(groups.GetSpreads().front(), channels, operation),
          m_steps(m_transfer.CountSteps(bytes)),
          m_chunks(m_transfer.CountChunks(bytes)),
          m_places(std::size_t{m_transfer.CountLanes()} * groups.GetSize()),
          m_come(m_places.size() * m_steps),
          m_serverOf(groups.GetSize()),
          m_nics(groups.CountRails())
    {
        const MembersByServer& servers = groups.GetSpreads().front().servers;
        for (uint32_t server = 0; server < servers.size(); ++server)
        {
            for (const uint32_t member : servers[server])
            {
                m_serverOf[member] = server;
            }
        }
        for (uint32_t lane = 0; lane < m_transfer.CountLanes(); ++lane)
        {
            for (uint32_t chunk = 0; chunk < m_chunks; ++chunk)
            {
                m_sizes.push_back(m_transfer.GetChunk(lane, bytes, chunk));
            }
        }
        m_out.resize(servers.size() * m_nics + groups.GetSize());
        m_in.resize(m_out.size());
    }

    /// \return when all is over, in seconds
    double Run()
    {
        for (uint32_t lane = 0; lane < m_transfer.CountLanes(); ++lane)
        {
            for (uint32_t member = 0; member < m_serverOf.size(); ++member)
            {
                Await(lane, member);
                GoOn(lane, member);
            }
        }
        double now = 0;
        Send(now);
        while (!m_next.empty())
        {
            const Turn turn = m_next.top();
            m_next.pop();
            now = turn.at;
            Port& port = m_in[turn.port];
            Arrive(port.coming.front().message);
            port.coming.pop_front();
            if (!port.coming.empty())
            {
                m_next.push({port.coming.front().at, port.coming.front().number, turn.port});
            }
            if (m_next.empty() || m_next.top().at > now)
            {
                Send(now);
            }
        }
        return now;
    }

  private:
    struct Message
    {
        uint32_t lane;
        uint32_t step;
        uint32_t from;
        uint32_t to;
        double bytes;
    };

    /// A message that gets where it goes.
    struct Arrival
    {
        double at;
        uint64_t number; //!< of equal times the first first
        Message message;
    };

    /// A port at which a message comes in, and all others later.
    struct Port
    {
        double free{0};               //!< when it has its next turn
        std::deque<Arrival> coming{}; //!< in their order
    };

    /// The first message that comes to a port.
    struct Turn
    {
        double at;
        uint64_t number;
        std::size_t port;

        bool operator<(const Turn& other) const
        {
            return std::tie(other.at, other.number) < std::tie(at, number);
        }
    };

    /// How far a member is in a lane.
    struct Place
    {
        uint32_t step{0};
        uint32_t missing{0}; //!< messages of the step
    };

    std::size_t GetPlace(uint32_t lane, uint32_t member) const
    {
        return lane * m_serverOf.size() + member;
    }

    /// \return bytes of a step
    uint64_t GetBytes(uint32_t lane, const TreeTransfer::Flow& flow, uint32_t step) const
    {
        const uint32_t chunk = m_transfer.FindChunk(flow, m_steps, step);
        return chunk < m_chunks
                   ? m_transfer.GetPartOf(flow, m_sizes[std::size_t{lane} * m_chunks + chunk])
                   : 0;
    }

    void Await(uint32_t lane, uint32_t member)
    {
        const std::size_t at = GetPlace(lane, member);
        Place& place = m_places[at];
        place.missing = 0;
        for (const TreeTransfer::Flow& flow : m_transfer.GetFlows(lane, member, false))
        {
            place.missing += GetBytes(lane, flow, place.step) > 0 ? 1 : 0;
        }
        place.missing -= m_come[at * m_steps + place.step];
    }

    void GoOn(uint32_t lane, uint32_t member)
    {
        Place& place = m_places[GetPlace(lane, member)];
        while (true)
        {
            for (const TreeTransfer::Flow& flow : m_transfer.GetFlows(lane, member, true))
            {
                if (const uint64_t bytes = GetBytes(lane, flow, place.step); bytes > 0)
                {
                    m_ready.push_back(
                        {lane, place.step, member, flow.member, static_cast<double>(bytes)});
                }
            }
            if (place.missing > 0 || ++place.step == m_steps)
            {
                return;
            }
            Await(lane, member);
        }
    }

    /// Sends all that can be sent now.
    void Send(double now)
    {
        for (const Message& message : m_ready)
        {
            const uint32_t server = m_serverOf[message.from];
            const uint32_t other = m_serverOf[message.to];
            const bool isInside = server == other;
            // NICs of servers, then members.
            const std::size_t nics = m_in.size() - m_serverOf.size();
            const uint32_t nic = message.lane / kLanes % m_nics;
            double& out = m_out[isInside ? nics + message.from : server * m_nics + nic];
            const std::size_t to = isInside ? nics + message.to : other * m_nics + nic;
            Port& in = m_in[to];
            const double time = message.bytes / (isInside ? m_speeds.gpu : m_speeds.nic);
            const double begin = std::max(now, out);
            out = begin + time;
            in.free = std::max(begin + (isInside ? m_speeds.inside
                                                 : m_speeds.far + m_speeds.Store(message.bytes)),
                               in.free) +
                      time;
            if (in.coming.empty())
            {
                m_next.push({in.free, m_number, to});
            }
            in.coming.push_back({in.free, m_number++, message});
        }
        m_ready.clear();
    }

    void Arrive(const Message& message)
    {
        const std::size_t at = GetPlace(message.lane, message.to);
        Place& place = m_places[at];
        ++m_come[at * m_steps + message.step];
        if (message.step == place.step && --place.missing == 0 && ++place.step < m_steps)
        {
            Await(message.lane, message.to);
            GoOn(message.lane, message.to);
        }
    }

    Speeds m_speeds;
    TreeTransfer m_transfer;
    uint32_t m_steps;
    uint32_t m_chunks;             //!< of a lane
    std::vector<uint64_t> m_sizes; //!< of these, by lane
    std::vector<Place> m_places;   //!< by lane and member
    std::vector<uint8_t> m_come;   //!< messages, by lane, member and step
    std::vector<uint32_t> m_serverOf;
    uint32_t m_nics;           //!< of a server
    std::vector<double> m_out; //!< when a port sends next
    std::vector<Port> m_in;
    std::vector<Message> m_ready; //!< that can be sent now
    std::priority_queue<Turn> m_next;
    uint64_t m_number{0};
};

/// \return bytes that the busiest GPU sends to others of its server, or gets from them, of each of
/// the buffer
double
CountNvlink(const CollectiveGroups& groups, Operation operation, uint32_t channels)
{
    const GroupSpread& spread = groups.GetSpreads().front();
    const TreeTransfer transfer(spread, channels, operation);
    const std::vector<uint32_t>& here = spread.servers[spread.servers.size() / 2];
    uint64_t most = 0;
    for (const uint32_t member : here)
    {
        for (const bool isSent : {true, false})
        {
            uint64_t sum = 0;
            for (uint32_t lane = 0; lane < transfer.CountLanes(); ++lane)
            {
                for (const TreeTransfer::Flow& flow : transfer.GetFlows(lane, member, isSent))
                {
                    const bool isInside =
                        std::find(here.begin(), here.end(), flow.member) != here.end();
                    sum += isInside ? flow.below : 0;
                }
            }
            most = std::max(most, sum);
        }
    }
    return static_cast<double>(most) / transfer.CountLanes() / groups.GetSize();
}

/// \param ofOthers what is not faster than this need not be followed
double
EstimateTrees(const CollectiveGroups& groups,
              Operation operation,
              uint64_t bytes,
              uint32_t channels,
              double ofOthers)
{
    const auto servers = static_cast<double>(groups.GetSpreads().front().servers.size());
    const Speeds speeds(groups);
    const double rounds = operation == Operation::AllReduce ? 2 : 1;
    const double perNic = rounds * static_cast<double>(bytes) * (servers - 1) / servers /
                          groups.CountRails() / speeds.nic;
    constexpr double kHalving = 3; // on fewer servers trees spare NICs some of that
    if (servers > kHalving && perNic >= ofOthers)
    {
        return perNic;
    }
    // Messages that are followed one way, and chunks of a lane: others go as the last ones.
    constexpr uint32_t most = 16'000;
    const uint32_t chunks = std::clamp(most / (kLanes * groups.GetSize()), 8U, 24U);
    const uint32_t some =
        std::clamp(most / (kLanes * chunks * groups.GetSize()), uint32_t{1}, channels);
    const uint64_t share = std::max<uint64_t>(1, bytes * some / channels);
    const uint64_t first = std::min(share, chunks * TreeTransfer::kChunkBytes * kLanes * some);
    double time = TreeRun(groups, operation, some, first).Run();
    if (share > first)
    {
        const double half = TreeRun(groups, operation, some, first / 2).Run();
        time += (time - half) * static_cast<double>(share - first) / static_cast<double>(first / 2);
    }
    return std::max(time,
                    static_cast<double>(bytes) * CountNvlink(groups, operation, channels) /
                        speeds.gpu);
}

} // namespace

double
EstimateCollective(const CollectiveGroups& groups,
                   Operation operation,
                   uint64_t bytes,
                   const CollectiveChoice& choice,
                   double ofOthers)
{
    const double rounds = operation == Operation::AllReduce ? 2 : 1;
    switch (choice.algorithm)
    {
    case ALGORITHM_HIERARCHICAL:
        return EstimateLevels(groups, rounds, static_cast<double>(bytes));
    case ALGORITHM_TREE:
        return EstimateTrees(groups, operation, bytes, choice.rings, ofOthers);
    default:
        return EstimateRing(groups, rounds, static_cast<double>(bytes), choice.rings);
    }
}

CollectiveChoice
ChooseCollective(const CollectiveGroups& groups,
                 Operation operation,
                 uint64_t bytes,
                 const CollectiveChoice& asked)
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
        return asked.algorithm == ALGORITHM_TREE                        ? tree
               : asked.algorithm == ALGORITHM_HIERARCHICAL && hasLevels ? levels
                                                                        : ring;
    }
    CollectiveChoice best = ring;
    double least = EstimateCollective(groups, operation, bytes, ring);
    for (const CollectiveChoice& other : {levels, tree})
    {
        if (other.algorithm == ALGORITHM_TREE || hasLevels)
        {
            const double time = EstimateCollective(groups, operation, bytes, other, least);
            best = time < least ? other : best;
            least = std::min(time, least);
        }
    }
    return best;
}

} // namespace ns3::rails
