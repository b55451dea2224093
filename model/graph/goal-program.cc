// SPDX-License-Identifier: GPL-2.0-only
#include "goal-program.h"

#include "chain-layout.h"
#include "goal-order.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace ns3::rails
{

namespace
{

constexpr uint16_t kCompute = 0;
constexpr uint16_t kMessages = 1;

void
CheckGpus(std::size_t ranks, uint32_t gpus, const std::vector<uint32_t>& places)
{
    if (places.size() != ranks)
    {
        throw ConfigurationError("",
                                 "expected a GPU for each of the " + std::to_string(ranks) +
                                     " ranks, found " + std::to_string(places.size()));
    }
    std::vector<bool> isTaken(gpus, false);
    for (const uint32_t gpu : places)
    {
        if (gpu >= gpus || isTaken[gpu])
        {
            throw ConfigurationError("",
                                     "expected for each of the " + std::to_string(ranks) +
                                         " ranks another one of the " + std::to_string(gpus) +
                                         " GPUs, found GPU " + std::to_string(gpu) +
                                         (gpu < gpus ? " twice" : ""));
        }
        isTaken[gpu] = true;
    }
}

/// Finds the rails of messages from the NICs that they name.
class NicFinder
{
  public:
    NicFinder(const GoalSchedule& schedule,
              const ClusterShape& shape,
              const std::vector<uint32_t>& gpus,
              uint32_t gpusPerRank)
        : m_schedule(schedule),
          m_shape(shape),
          m_gpus(gpus),
          m_gpusPerRank(gpusPerRank),
          m_isNamed(schedule.NamesNics())
    {
    }

    /// \return the rail on which a message leaves and arrives
    uint16_t Find(const GoalPlace& send, const GoalPlace& recv) const
    {
        if (!m_isNamed ||
            m_shape.GetServer(m_gpus[send.rank]) == m_shape.GetServer(m_gpus[recv.rank]))
        {
            return kNoRail;
        }
        const uint32_t rail = FindRail(send);
        if (rail != FindRail(recv))
        {
            throw ConfigurationError(
                "",
                "a message of rank " + std::to_string(send.rank) + " leaves by " + Describe(send) +
                    ", and rank " + std::to_string(recv.rank) + " receives it by " +
                    Describe(recv) + ": not supported, both have to be on one rail");
        }
        return static_cast<uint16_t>(rail);
    }

  private:
    uint32_t GetNic(const GoalPlace& place) const
    {
        return m_schedule.ranks[place.rank].operations[place.operation].nic;
    }

    /// Throws when the rank has no such NIC.
    uint32_t FindRail(const GoalPlace& place) const
    {
        const uint64_t nics = m_shape.nicsPerServer;
        const uint32_t local = m_shape.GetLocal(m_gpus[place.rank]);
        const uint64_t behind =
            std::min<uint64_t>(uint64_t{local} + m_gpusPerRank, m_shape.gpusPerServer);
        const uint64_t first = local * nics / m_shape.gpusPerServer;
        const uint64_t last = (behind * nics - 1) / m_shape.gpusPerServer;
        if (GetNic(place) > last - first)
        {
            throw ConfigurationError("",
                                     "rank " + std::to_string(place.rank) + " has NICs 0 to " +
                                         std::to_string(last - first) +
                                         " of the topology, and a message of it names nic " +
                                         std::to_string(GetNic(place)));
        }
        return static_cast<uint32_t>(first + GetNic(place));
    }

    std::string Describe(const GoalPlace& place) const
    {
        return "nic " + std::to_string(GetNic(place)) + ", rail " + std::to_string(FindRail(place));
    }

    const GoalSchedule& m_schedule;
    const ClusterShape& m_shape;
    const std::vector<uint32_t>& m_gpus;
    uint32_t m_gpusPerRank;
    bool m_isNamed;
};

} // namespace

GoalTransfer::GoalTransfer(const Message& message)
    : CommOp({}),
      m_message(message)
{
}

bool
GoalTransfer::TakesPart(uint32_t gpu, uint32_t) const
{
    return gpu == m_message.source || gpu == m_message.destination;
}

std::vector<Demand>
GoalTransfer::GetSends(uint32_t gpu, uint32_t) const
{
    return m_message.source == gpu ? std::vector<Demand>{{m_message.destination, m_message.bytes}}
                                   : std::vector<Demand>();
}

uint64_t
GoalTransfer::GetReceived(uint32_t gpu, uint32_t) const
{
    return m_message.destination == gpu ? m_message.bytes : 0;
}

RailQueue
GoalTransfer::GetRail(uint32_t, uint32_t) const
{
    return {m_message.rail};
}

/// Turns the operations of a rank into nodes of its GPU.
class GoalProgram::RankBuilder
{
  public:
    /**
     * \param goal operations and dependencies of the rank
     * \param numbers by operation: the step of a message; for the recv of a message to the rank
     *     itself, its send
     * \param gpu gets the nodes
     */
    RankBuilder(uint32_t rank, const GoalRank& goal, const std::vector<uint32_t>& numbers, Gpu& gpu)
        : m_rank(rank),
          m_operations(goal.operations),
          m_needs(goal.needs),
          m_numbers(numbers),
          m_gpu(gpu),
          m_begins(goal.operations.size()),
          m_ends(goal.operations.size()),
          m_isWatched(goal.operations.size()),
          m_isMarked(goal.operations.size())
    {
        std::stable_sort(m_needs.begin(), m_needs.end(), IsEarlier);
        for (const GoalNeed& need : m_needs)
        {
            m_isWatched[need.other] = m_isWatched[need.other] || need.isBegin;
        }
        for (uint32_t number = 0; number < m_operations.size(); ++number)
        {
            if (IsOwn(number) && m_operations[number].type == GoalOperation::Type::Recv)
            {
                m_isWatched[m_numbers[number]] = true;
            }
        }
    }

    void Build(const std::vector<GoalEvent>& events)
    {
        for (const GoalEvent& event : events)
        {
            if (event.isEnd)
            {
                AddOperation(event.operation);
            }
            else if (m_isWatched[event.operation])
            {
                FindBegin(event.operation);
            }
        }
    }

  private:
    using Place = ChainLayout::Place;

    static bool IsEarlier(const GoalNeed& one, const GoalNeed& other)
    {
        return one.operation < other.operation;
    }

    /// \return true for a message of the rank to itself
    bool IsOwn(uint32_t operation) const
    {
        return m_operations[operation].type != GoalOperation::Type::Calc &&
               m_operations[operation].peer == m_rank;
    }

    /// Finds, or makes, a node whose end is the begin of an operation.
    void FindBegin(uint32_t operation)
    {
        const std::vector<Place> before = FindNeeds(operation);
        if (before.size() > 1)
        {
            m_begins[operation] = m_layout.Add(before);
            m_layout.Reserve(m_begins[operation].stream);
            m_isMarked[operation] = true;
            AddNode(m_begins[operation],
                    {0, 0, 0, GraphNode::kOwnUnit, GraphNode::Type::Compute},
                    before);
        }
        else if (!before.empty())
        {
            m_begins[operation] = before.front();
        }
    }

    void AddOperation(uint32_t number)
    {
        const GoalOperation& operation = m_operations[number];
        std::vector<Place> before;
        if (!m_isMarked[number])
        {
            before = FindNeeds(number);
        }
        Node node{0, 0, 0, GraphNode::kOwnUnit, GraphNode::Type::Compute};
        if (operation.type == GoalOperation::Type::Calc)
        {
            node.duration = static_cast<TimePs>(operation.amount) * kNanosecond;
            node.number = operation.cpu;
        }
        else if (!IsOwn(number))
        {
            node.type = GraphNode::Type::Transfer;
            node.number = m_numbers[number];
        }
        else if (operation.type == GoalOperation::Type::Recv)
        {
            before.push_back(m_begins[m_numbers[number]]);
            Sort(before);
        }
        m_ends[number] =
            m_isMarked[number] ? m_layout.AddBehind(m_begins[number].stream) : m_layout.Add(before);
        AddNode(m_ends[number], node, before);
    }

    /// \return dependencies of the begin of an operation
    std::vector<Place> FindNeeds(uint32_t operation) const
    {
        const auto [begin, end] = std::equal_range(m_needs.begin(),
                                                   m_needs.end(),
                                                   GoalNeed{operation, 0, false},
                                                   IsEarlier);
        std::vector<Place> places;
        for (auto need = begin; need != end; ++need)
        {
            places.push_back(need->isBegin ? m_begins[need->other] : m_ends[need->other]);
        }
        Sort(places);
        return places;
    }

    /// Sorts places by stream, and keeps only the last of each stream.
    static void Sort(std::vector<Place>& places)
    {
        std::sort(places.begin(), places.end(), [](const Place& one, const Place& other) {
            return std::tie(one.stream, other.count) < std::tie(other.stream, one.count);
        });
        const auto isSame = [](const Place& one, const Place& other) {
            return one.stream == other.stream;
        };
        places.erase(std::unique(places.begin(), places.end(), isSame), places.end());
        const auto isNone = [](const Place& place) { return place.count == 0; };
        places.erase(std::remove_if(places.begin(), places.end(), isNone), places.end());
    }

    void AddNode(const Place& place, Node node, const std::vector<Place>& before)
    {
        node.firstWait = m_gpu.waits.size();
        for (const Place& other : before)
        {
            if (other.stream != place.stream)
            {
                m_gpu.waits.push_back(other);
            }
        }
        node.waits = static_cast<uint32_t>(m_gpu.waits.size() - node.firstWait);
        m_gpu.streams.resize(m_layout.GetStreams());
        m_gpu.streams[place.stream].push_back(node);
    }

    uint32_t m_rank;
    const std::vector<GoalOperation>& m_operations;
    std::vector<GoalNeed> m_needs; //!< by operation
    const std::vector<uint32_t>& m_numbers;
    Gpu& m_gpu;
    ChainLayout m_layout;
    std::vector<Place> m_begins; //!< by watched operation, the node whose end is its begin
    std::vector<Place> m_ends;
    std::vector<bool> m_isWatched; //!< another operation depends on its begin
    std::vector<bool> m_isMarked;  //!< its begin has a node of its own
};

GoalProgram::GoalProgram(const GoalSchedule& schedule,
                         const ClusterShape& shape,
                         const std::vector<uint32_t>& gpus,
                         uint32_t gpusPerRank)
    : m_shape(shape),
      m_gpus(shape.GetGpus())
{
    CheckGpus(schedule.ranks.size(), shape.GetGpus(), gpus);
    std::vector<std::vector<uint32_t>> numbers;
    for (const GoalRank& rank : schedule.ranks)
    {
        numbers.emplace_back(rank.operations.size());
    }
    const std::vector<GoalMessage> messages = MatchGoal(schedule);
    const NicFinder nics(schedule, shape, gpus, gpusPerRank);
    double total = 0;
    for (const auto& [send, recv] : messages)
    {
        uint32_t& received = numbers[recv.rank][recv.operation];
        if (send.rank == recv.rank)
        {
            received = send.operation;
            continue;
        }
        received = static_cast<uint32_t>(m_messages.size());
        numbers[send.rank][send.operation] = received;
        const uint64_t bytes = schedule.ranks[send.rank].operations[send.operation].amount;
        m_messages.push_back({gpus[send.rank],
                              gpus[recv.rank],
                              std::max<uint64_t>(1, bytes),
                              nics.Find(send, recv)});
        total += static_cast<double>(bytes);
    }
    constexpr double kMostBytes = 4e18; // sums are to fit 64 bits
    if (total > kMostBytes)
    {
        throw ConfigurationError("", "the messages have more than 4 exabytes together");
    }
    const std::vector<std::vector<GoalEvent>> events = OrderGoal(schedule, messages);
    for (uint32_t rank = 0; rank < events.size(); ++rank)
    {
        Gpu& gpu = m_gpus[gpus[rank]];
        RankBuilder(rank, schedule.ranks[rank], numbers[rank], gpu).Build(events[rank]);
        m_streams = std::max(m_streams, static_cast<uint32_t>(gpu.streams.size()));
    }
}

const std::vector<std::string>&
GoalProgram::GetKinds() const
{
    static const std::vector<std::string> kinds{"compute", "messages"};
    return kinds;
}

uint32_t
GoalProgram::CountStreams(uint32_t gpu) const
{
    return static_cast<uint32_t>(m_gpus[gpu].streams.size());
}

bool
GoalProgram::GetNode(uint32_t gpu, uint32_t stream, uint64_t index, GraphNode& node) const
{
    const Gpu& nodes = m_gpus[gpu];
    if (stream >= nodes.streams.size() || index >= nodes.streams[stream].size())
    {
        return false;
    }
    const Node& known = nodes.streams[stream][index];
    if (known.type == GraphNode::Type::Compute)
    {
        node.kind = kCompute;
        node.duration = known.duration;
        node.unit = known.number;
    }
    else
    {
        node.kind = kMessages;
        node.step = known.number;
        node.Move(std::make_shared<const GoalTransfer>(m_messages[known.number]));
    }
    const auto first = nodes.waits.begin() + static_cast<std::ptrdiff_t>(known.firstWait);
    node.waits.assign(first, first + known.waits);
    return true;
}

TrafficMatrix
GoalProgram::GetTotal() const
{
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> bytes;
    for (const GoalTransfer::Message& message : m_messages)
    {
        bytes[{message.source, message.destination}] += message.bytes;
    }
    TrafficMatrix total(m_shape);
    for (const auto& [pair, sum] : bytes)
    {
        total.Add(pair.first, pair.second, sum);
    }
    return total;
}

} // namespace ns3::rails
