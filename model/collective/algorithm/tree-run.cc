// SPDX-License-Identifier: GPL-2.0-only
#include "tree-run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace ns3::rails
{

using Operation = CollectiveOperation;

namespace
{

constexpr uint32_t kWindow = TreeSchedule::kWindow;

} // namespace

TreeRun::TreeRun(const CollectiveGroups& groups,
                 Operation operation,
                 uint32_t channels,
                 uint32_t followed)
    : m_groups(groups),
      m_operation(operation),
      m_collective(std::make_unique<const Collective>(
          std::shared_ptr<const CollectiveGroups>(std::shared_ptr<void>(), &groups),
          Collective::Task{operation},
          CollectiveChoice{ALGORITHM_TREE, channels})),
      m_followed(followed),
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
    return m_collective->GetRail(gpu, tree * kWindow * m_collective->CountLaneSteps());
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
        const TreeSchedule& transfer = m_transfers[m_groups.GetSpread(group.front())];
        const uint32_t steps = transfer.CountSteps(1);
        for (uint32_t tree = 0; tree < 2 * m_followed; ++tree)
        {
            for (uint32_t member = 0; member < group.size(); ++member)
            {
                for (const TreeSchedule::Flow& flow :
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
    SharePorts();
    NumberFlows();
}

void
TreeRun::SharePorts()
{
    constexpr double bits = 8;
    const double perByte = bits / static_cast<double>(m_groups.GetRates().gpuBps);
    const double followed = static_cast<double>(m_followed) / m_collective->GetChoice().rings;
    m_serverOf.resize(m_groups.GetSize());
    m_insides.resize(m_groups.GetSize());
    uint32_t ports = 0;
    for (uint32_t server = 0; server < m_spread->servers.size(); ++server)
    {
        const std::vector<uint32_t>& members = m_spread->servers[server];
        const double share = followed * static_cast<double>(members.size());
        const auto count = static_cast<uint32_t>(std::ceil(share));
        for (uint32_t place = 0; place < members.size(); ++place)
        {
            m_serverOf[members[place]] = server;
            m_insides[members[place]] = {ports + place % count, perByte * count / share};
        }
        ports += count;
    }
}

void
TreeRun::NumberFlows()
{
    const std::vector<uint32_t>& members = m_groups.GetGroups()[m_group];
    const std::vector<double> perByte = m_crossings.FindTimesPerByte(m_group);
    const uint32_t ports = m_crossings.CountLinks();
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> known; // flows, by crossing, or ends inside
    std::map<uint32_t, uint32_t> channelOf;                  // by link
    m_flows.clear();
    m_numbers.clear();
    m_sharesLinks = false;
    m_solver = std::make_unique<MaxMinSolver>();
    for (std::size_t link = 0; link < ports + 2 * m_serverOf.size(); ++link)
    {
        m_solver->AddConstraint(1); // all of its time
    }
    const auto number = [&](const std::pair<uint32_t, uint32_t>& key,
                            uint32_t crossing,
                            const std::vector<MaxMinSolver::Use>& uses) {
        const auto [at, isNew] = known.try_emplace(key, static_cast<uint32_t>(m_flows.size()));
        if (isNew)
        {
            m_flows.push_back({crossing});
            m_solver->Watch(m_solver->AddVariable(uses, {}));
        }
        m_numbers.back().push_back(at->second);
    };
    for (uint32_t tree = 0; tree < 2 * m_followed; ++tree)
    {
        for (uint32_t member = 0; member < members.size(); ++member)
        {
            m_numbers.emplace_back();
            for (const TreeSchedule::Flow& flow :
                 m_transfer->GetFlows(tree * kWindow, member, true))
            {
                if (m_serverOf[member] == m_serverOf[flow.member])
                {
                    const InsidePort& from = m_insides[member];
                    const InsidePort& to = m_insides[flow.member];
                    number({member, flow.member},
                           kInside,
                           {{ports + 2 * from.number, from.perByte},
                            {ports + 2 * to.number + 1, to.perByte}});
                    continue;
                }
                const uint32_t crossing = m_crossings.Number(members[member],
                                                             members[flow.member],
                                                             GetRail(members[member], tree));
                std::vector<MaxMinSolver::Use> uses;
                for (const FabricPaths::Part& part : m_crossings.Get(crossing).way.parts)
                {
                    uses.push_back({part.link, part.share * perByte[part.link]});
                    m_sharesLinks |=
                        channelOf.try_emplace(part.link, tree / 2).first->second != tree / 2;
                }
                number({crossing, kInside}, crossing, uses);
            }
        }
    }
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
                for (const TreeSchedule::Flow& flow : m_transfer->GetFlows(lane, member, isSent))
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

uint32_t
TreeRun::CountChunks(uint64_t bytes) const
{
    return m_transfer->CountChunks(bytes);
}

double
TreeRun::Run(uint64_t bytes, uint32_t chunks, double until)
{
    constexpr double ps = 1e-12;
    Start(bytes, chunks);
    BeginLanes();
    while (true)
    {
        if (m_next.empty() || m_next.top().at > m_now + ps)
        {
            ShareLinks();
        }
        if (m_next.empty() || m_now >= until)
        {
            return m_now;
        }
        const Event event = m_next.top();
        m_next.pop();
        if (event.flow != kArrival && event.turn != m_flows[event.flow].turn)
        {
            continue; // it was foretold anew
        }
        m_now = std::max(m_now, event.at);
        if (event.flow == kArrival)
        {
            Arrive(event.message);
        }
        else
        {
            End(event.flow);
        }
    }
}

/// Lanes take turns, step by step.
void
TreeRun::BeginLanes()
{
    std::vector<std::pair<uint32_t, uint32_t>> ready; // lanes and members
    for (uint32_t lane = 0; lane < m_transfer->CountLanes(); ++lane)
    {
        for (uint32_t member = 0; member < m_serverOf.size(); ++member)
        {
            ready.emplace_back(lane, member);
        }
    }
    while (!ready.empty())
    {
        ready.erase(
            std::remove_if(ready.begin(),
                           ready.end(),
                           [this](const auto& its) { return !Post(its.first, its.second); }),
            ready.end());
    }
}

void
TreeRun::Start(uint64_t bytes, uint32_t chunks)
{
    m_chunks = std::min(m_transfer->CountChunks(bytes), chunks);
    m_steps = m_transfer->CountSteps(bytes) - m_transfer->CountChunks(bytes) + m_chunks;
    m_sizes.clear();
    for (uint32_t lane = 0; lane < m_transfer->CountLanes(); ++lane)
    {
        for (uint32_t chunk = 0; chunk < m_chunks; ++chunk)
        {
            m_sizes.push_back(m_transfer->GetChunk(lane, bytes, chunk));
        }
    }
    m_places.assign(m_transfer->CountLanes() * m_serverOf.size(), {});
    m_come.assign(m_places.size() * m_steps, 0);
    m_next = {};
    m_number = 0;
    m_now = 0;
    m_begun.clear();
    for (uint32_t number = 0; number < m_flows.size(); ++number)
    {
        m_solver->SetWeight(number, 0);
        m_flows[number].messages.clear();
        m_flows[number].rate = 0;
    }
}

std::size_t
TreeRun::GetPlace(uint32_t lane, uint32_t member) const
{
    return lane * m_serverOf.size() + member;
}

/// \return bytes of a step
uint64_t
TreeRun::GetBytes(uint32_t lane, const TreeSchedule::Flow& flow, uint32_t step) const
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
    for (const TreeSchedule::Flow& flow : m_transfer->GetFlows(lane, member, false))
    {
        place.missing += GetBytes(lane, flow, place.step) > 0 ? 1 : 0;
    }
    place.missing -= m_come[at * m_steps + place.step];
}

/// Sends all of a step.
/// \return whether the next one follows at once
bool
TreeRun::Post(uint32_t lane, uint32_t member)
{
    Await(lane, member);
    Place& place = m_places[GetPlace(lane, member)];
    const TreeSchedule::Flows flows = m_transfer->GetFlows(lane, member, true);
    const std::vector<uint32_t>& numbers = m_numbers[GetPlace(lane / kWindow, member)];
    for (const TreeSchedule::Flow& flow : flows)
    {
        if (const uint64_t bytes = GetBytes(lane, flow, place.step); bytes > 0)
        {
            Send(numbers[&flow - flows.begin()],
                 {lane, place.step, flow.member, static_cast<double>(bytes)});
        }
    }
    return place.missing == 0 && ++place.step < m_steps;
}

void
TreeRun::Send(uint32_t number, const Message& message)
{
    Flow& flow = m_flows[number];
    flow.messages.push_back(message);
    if (flow.messages.size() > 1)
    {
        return;
    }
    flow.left = message.bytes;
    flow.since = m_now;
    m_solver->SetWeight(number, 1);
    m_begun.push_back(number);
}

/// A flow has sent its first message.
void
TreeRun::End(uint32_t number)
{
    Flow& flow = m_flows[number];
    const Message message = flow.messages.front();
    constexpr double ps = 1e-12;
    const double latency =
        flow.crossing == kInside
            ? static_cast<double>(m_groups.GetRates().insideLatency) * ps
            : m_crossings.FindLatency(m_crossings.Get(flow.crossing), message.bytes);
    m_next.push({m_now + latency, m_number++, kArrival, 0, message});
    flow.messages.pop_front();
    ++flow.turn;
    if (!flow.messages.empty())
    {
        flow.left = flow.messages.front().bytes;
        flow.since = m_now;
        Foretell(number);
        return;
    }
    flow.rate = 0;
    m_solver->SetWeight(number, 0);
}

/// Says when a flow will have sent its first message.
void
TreeRun::Foretell(uint32_t number)
{
    Flow& flow = m_flows[number];
    m_next.push({flow.since + flow.left / flow.rate, m_number++, number, ++flow.turn, {}});
}

/// Flows go on at the rates that they have beside the others.
void
TreeRun::ShareLinks()
{
    const std::vector<uint32_t>& changed = m_solver->Solve().watched;
    m_begun.insert(m_begun.end(), changed.begin(), changed.end());
    for (const uint32_t number : m_begun)
    {
        Flow& flow = m_flows[number];
        const double rate = m_solver->GetRate(number);
        if (!flow.messages.empty() && rate != flow.rate)
        {
            flow.left -= flow.rate * (m_now - flow.since);
            flow.since = m_now;
            flow.rate = rate;
            Foretell(number);
        }
    }
    m_begun.clear();
}

void
TreeRun::Arrive(const Message& message)
{
    const std::size_t at = GetPlace(message.lane, message.to);
    Place& place = m_places[at];
    ++m_come[at * m_steps + message.step];
    if (message.step == place.step && --place.missing == 0 && ++place.step < m_steps)
    {
        while (Post(message.lane, message.to))
        {
        }
    }
}

} // namespace ns3::rails
