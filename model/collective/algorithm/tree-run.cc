// SPDX-License-Identifier: GPL-2.0-only
#include "tree-run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace ns3::rails
{

using Operation = GroupCollective::Operation;

namespace
{

constexpr uint32_t kWindow = TreeTransfer::kWindow;

} // namespace

void
TreeRun::Port::Wait(uint64_t queue, const Message& message)
{
    ++waiting;
    const auto known =
        std::find_if(queues.begin(), queues.end(), [&](auto& its) { return its.first == queue; });
    if (known == queues.end())
    {
        queues.push_back({queue, {message}});
    }
    else
    {
        known->second.push_back(message);
    }
}

TreeRun::Message
TreeRun::Port::TakeNext()
{
    --waiting;
    do
    {
        turn = (turn + 1) % queues.size();
    } while (queues[turn].second.empty());
    const Message message = queues[turn].second.front();
    queues[turn].second.pop_front();
    return message;
}

TreeRun::TreeRun(const CollectiveGroups& groups,
                 Operation operation,
                 uint32_t channels,
                 uint32_t followed)
    : m_groups(groups),
      m_operation(operation),
      m_traffic(std::shared_ptr<const CollectiveGroups>(std::shared_ptr<void>(), &groups),
                operation,
                {ALGORITHM_TREE, channels}),
      m_followed(followed),
      m_nics(groups.CountRails()),
      m_crossings(groups)
{
    for (const GroupSpread& spread : groups.GetSpreads())
    {
        m_transfers.emplace_back(spread, followed, operation);
    }
    AddCrossings();
}

RailQueue
TreeRun::GetRail(uint32_t gpu, uint32_t tree) const
{
    const uint32_t perLane = m_traffic.CountSteps(1) / m_traffic.CountLanes();
    return m_traffic.GetRail(gpu, tree * kWindow * perLane, 1);
}

/// Adds what crosses the edges of trees of all groups, of each byte of the buffer.
void
TreeRun::AddCrossings()
{
    /// Over an edge.
    struct Send
    {
        uint32_t first; //!< step
        uint32_t gpu;
        uint32_t tree;
        uint32_t to;
        double bytes;

        bool operator<(const Send& other) const
        {
            return std::tie(first, gpu, tree, to) <
                   std::tie(other.first, other.gpu, other.tree, other.to);
        }
    };

    const ClusterShape& shape = m_groups.GetShape();
    std::vector<Send> sends;
    for (const std::vector<uint32_t>& group : m_groups.GetGroups())
    {
        const TreeTransfer& transfer = m_transfers[m_groups.GetSpread(group.front())];
        const uint32_t steps = transfer.CountSteps(1);
        for (uint32_t tree = 0; tree < 2 * m_followed; ++tree)
        {
            for (uint32_t member = 0; member < group.size(); ++member)
            {
                for (const TreeTransfer::Flow& flow :
                     transfer.GetFlows(tree * kWindow, member, true))
                {
                    const uint32_t gpu = group[member];
                    const uint32_t to = group[flow.member];
                    if (shape.GetServer(gpu) != shape.GetServer(to))
                    {
                        const bool isBackwards = m_operation == Operation::AllGather;
                        sends.push_back({isBackwards ? steps - 1 - flow.first : flow.first,
                                         gpu,
                                         tree,
                                         to,
                                         static_cast<double>(flow.below) / m_groups.GetSize() /
                                             (2 * m_followed)});
                    }
                }
            }
        }
    }
    std::sort(sends.begin(), sends.end());
    for (const Send& send : sends)
    {
        m_crossings.Add(send.gpu, send.to, GetRail(send.gpu, send.tree), send.bytes);
    }
    m_times = m_crossings.FindTimes();
}

uint32_t
TreeRun::FindSlowest(uint64_t bytes) const
{
    uint32_t slowest = 0;
    double longest = 0;
    for (uint32_t group = 0; group < m_times.size(); ++group)
    {
        const std::size_t spread = m_groups.GetSpread(m_groups.GetGroups()[group].front());
        const double time = static_cast<double>(bytes) * m_times[group].longest +
                            m_transfers[spread].CountSteps(1) * m_times[group].latency;
        slowest = time > longest ? group : slowest;
        longest = std::max(time, longest);
    }
    return slowest;
}

void
TreeRun::Follow(uint32_t group)
{
    const std::size_t spread = m_groups.GetSpread(m_groups.GetGroups()[group].front());
    m_group = group;
    m_spread = &m_groups.GetSpreads()[spread];
    m_transfer = &m_transfers[spread];
    m_perByte = m_crossings.FindTimesPerByte(group);
    NumberCrossings();
    SharePorts();
}

void
TreeRun::NumberCrossings()
{
    const std::vector<uint32_t>& members = m_groups.GetGroups()[m_group];
    const ClusterShape& shape = m_groups.GetShape();
    std::map<uint32_t, uint32_t> channelOf; // by link
    m_numbers.clear();
    m_sharesLinks = false;
    for (uint32_t tree = 0; tree < 2 * m_followed; ++tree)
    {
        for (uint32_t member = 0; member < members.size(); ++member)
        {
            const uint32_t gpu = members[member];
            std::vector<uint32_t>& numbers = m_numbers.emplace_back();
            for (const TreeTransfer::Flow& flow :
                 m_transfer->GetFlows(tree * kWindow, member, true))
            {
                const uint32_t to = members[flow.member];
                if (shape.GetServer(gpu) == shape.GetServer(to))
                {
                    numbers.push_back(kInside);
                    continue;
                }
                numbers.push_back(m_crossings.Number(gpu, to, GetRail(gpu, tree)));
                for (const FabricWays::Part& part : m_crossings.Get(numbers.back()).way.parts)
                {
                    m_sharesLinks |=
                        channelOf.try_emplace(part.link, tree / 2).first->second != tree / 2;
                }
            }
        }
    }
}

void
TreeRun::SharePorts()
{
    constexpr double bits = 8;
    const double perByte = bits / static_cast<double>(m_groups.GetRates().gpuBps);
    const double followed = static_cast<double>(m_followed) / m_traffic.GetChoice().rings;
    m_serverOf.resize(m_groups.GetSize());
    m_insides.resize(m_groups.GetSize());
    std::size_t ports = m_spread->servers.size() * m_nics;
    for (uint32_t server = 0; server < m_spread->servers.size(); ++server)
    {
        const std::vector<uint32_t>& members = m_spread->servers[server];
        const double share = followed * static_cast<double>(members.size());
        const double count = std::ceil(share);
        for (std::size_t place = 0; place < members.size(); ++place)
        {
            m_serverOf[members[place]] = server;
            m_insides[members[place]] = {ports + place % static_cast<std::size_t>(count),
                                         perByte * count / share};
        }
        ports += static_cast<std::size_t>(count);
    }
}

bool
TreeRun::SharesLinks() const
{
    return m_sharesLinks;
}

double
TreeRun::FindBusiest() const
{
    const MembersByServer& servers = m_spread->servers;
    uint64_t most = 0; // in parts of a chunk
    for (const uint32_t member : servers[servers.size() / 2])
    {
        for (const bool isSent : {true, false})
        {
            uint64_t sum = 0;
            for (uint32_t lane = 0; lane < m_transfer->CountLanes(); ++lane)
            {
                for (const TreeTransfer::Flow& flow : m_transfer->GetFlows(lane, member, isSent))
                {
                    const bool isInside = m_serverOf[member] == m_serverOf[flow.member];
                    sum += isInside ? flow.below : 0;
                }
            }
            most = std::max(most, sum);
        }
    }
    constexpr double bits = 8;
    const double inside = static_cast<double>(most) / m_transfer->CountLanes() /
                          m_groups.GetSize() * bits /
                          static_cast<double>(m_groups.GetRates().gpuBps);
    return std::max(inside, m_times[m_group].longest);
}

double
TreeRun::Run(uint64_t bytes)
{
    Start(bytes);
    for (uint32_t lane = 0; lane < m_transfer->CountLanes(); ++lane)
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
        Port& port = m_ports[turn.port];
        if (turn.isArrival)
        {
            Arrive(port.coming.front().message);
            port.coming.pop_front();
            if (!port.coming.empty())
            {
                m_next.push({port.coming.front().at, port.coming.front().number, turn.port, true});
            }
        }
        else
        {
            Leave(port.TakeNext(), port, now);
            if (port.waiting > 0)
            {
                m_next.push({port.sends, m_number++, turn.port, false});
            }
        }
        if (m_next.empty() || m_next.top().at > now)
        {
            Send(now);
        }
    }
    return now;
}

void
TreeRun::Start(uint64_t bytes)
{
    m_steps = m_transfer->CountSteps(bytes);
    m_chunks = m_transfer->CountChunks(bytes);
    m_sizes.clear();
    for (uint32_t lane = 0; lane < m_transfer->CountLanes(); ++lane)
    {
        for (uint32_t chunk = 0; chunk < m_chunks; ++chunk)
        {
            m_sizes.push_back(m_transfer->GetChunk(lane, bytes, chunk));
        }
    }
    const std::size_t servers = m_spread->servers.size();
    m_places.assign(m_transfer->CountLanes() * m_serverOf.size(), {});
    m_come.assign(m_places.size() * m_steps, 0);
    m_ports.assign(servers * m_nics + m_serverOf.size(), {});
    m_links.assign(m_crossings.CountLinks(), 0);
    m_number = 0;
}

std::size_t
TreeRun::GetPlace(uint32_t lane, uint32_t member) const
{
    return lane * m_serverOf.size() + member;
}

std::size_t
TreeRun::GetPort(uint32_t member, const Message& message) const
{
    return message.crossing == kInside
               ? m_insides[member].number
               : m_serverOf[member] * m_nics + message.lane / (2 * kWindow) % m_nics;
}

/// \return bytes of a step
uint64_t
TreeRun::GetBytes(uint32_t lane, const TreeTransfer::Flow& flow, uint32_t step) const
{
    const uint32_t chunk = m_transfer->FindChunk(flow, m_steps, step);
    return chunk < m_chunks
               ? m_transfer->GetPartOf(flow, m_sizes[std::size_t{lane} * m_chunks + chunk])
               : 0;
}

void
TreeRun::Await(uint32_t lane, uint32_t member)
{
    const std::size_t at = GetPlace(lane, member);
    Place& place = m_places[at];
    place.missing = 0;
    for (const TreeTransfer::Flow& flow : m_transfer->GetFlows(lane, member, false))
    {
        place.missing += GetBytes(lane, flow, place.step) > 0 ? 1 : 0;
    }
    place.missing -= m_come[at * m_steps + place.step];
}

void
TreeRun::GoOn(uint32_t lane, uint32_t member)
{
    Place& place = m_places[GetPlace(lane, member)];
    const TreeTransfer::Flows flows = m_transfer->GetFlows(lane, member, true);
    const std::vector<uint32_t>& numbers = m_numbers[GetPlace(lane / kWindow, member)];
    while (true)
    {
        for (const TreeTransfer::Flow& flow : flows)
        {
            if (const uint64_t bytes = GetBytes(lane, flow, place.step); bytes > 0)
            {
                m_ready.push_back({lane,
                                   place.step,
                                   member,
                                   flow.member,
                                   numbers[&flow - flows.begin()],
                                   static_cast<double>(bytes)});
            }
        }
        if (place.missing > 0 || ++place.step == m_steps)
        {
            return;
        }
        Await(lane, member);
    }
}

/// All that can be sent now waits for its turn.
void
TreeRun::Send(double now)
{
    for (const Message& message : m_ready)
    {
        const std::size_t at = GetPort(message.from, message);
        Port& port = m_ports[at];
        if (port.waiting == 0)
        {
            m_next.push({std::max(now, port.sends), m_number++, at, false});
        }
        port.Wait(uint64_t{message.crossing} << 32 | message.to, message);
    }
    m_ready.clear();
}

/// A message begins to leave.
void
TreeRun::Leave(const Message& message, Port& port, double now)
{
    const ClusterRates& rates = m_groups.GetRates();
    const std::size_t to = GetPort(message.to, message);
    Port& other = m_ports[to];
    if (message.crossing == kInside)
    {
        constexpr double ps = 1e-12;
        port.sends = now + message.bytes * m_insides[message.from].perByte;
        other.gets = std::max(now + static_cast<double>(rates.insideLatency) * ps, other.gets) +
                     message.bytes * m_insides[message.to].perByte;
    }
    else
    {
        const CollectiveCrossings::Crossing& crossing = m_crossings.Get(message.crossing);
        double begin = now;
        double end = now;
        for (const FabricWays::Part& part : crossing.way.parts)
        {
            double& link = m_links[part.link];
            begin = std::max(begin, link);
            link = begin + message.bytes * part.share * m_perByte[part.link];
            end = std::max(end, link);
        }
        port.sends = m_links[crossing.way.parts.front().link];
        other.gets = std::max(end + m_crossings.FindLatency(crossing, message.bytes), other.gets);
    }
    if (other.coming.empty())
    {
        m_next.push({other.gets, m_number, to, true});
    }
    other.coming.push_back({other.gets, m_number++, message});
}

void
TreeRun::Arrive(const Message& message)
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

} // namespace ns3::rails
