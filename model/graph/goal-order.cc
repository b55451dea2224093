// SPDX-License-Identifier: GPL-2.0-only
#include "goal-order.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>

namespace ns3::rails
{

namespace
{

/// A send or a recv.
struct Half
{
    uint32_t source;
    uint32_t destination;
    uint64_t tag;
    uint32_t operation;
    uint64_t bytes;

    auto GetKey() const
    {
        return std::tie(source, destination, tag);
    }
};

/// \return all sends or all recvs, in the order of MatchGoal()
std::vector<Half>
FindHalves(const GoalSchedule& schedule, GoalOperation::Type type)
{
    std::vector<Half> halves;
    for (uint32_t rank = 0; rank < schedule.ranks.size(); ++rank)
    {
        const std::vector<GoalOperation>& operations = schedule.ranks[rank].operations;
        for (uint32_t number = 0; number < operations.size(); ++number)
        {
            const GoalOperation& operation = operations[number];
            if (operation.type == type)
            {
                Half half{rank, operation.peer, operation.tag, number, operation.amount};
                if (type == GoalOperation::Type::Recv)
                {
                    std::swap(half.source, half.destination);
                }
                halves.push_back(half);
            }
        }
    }
    std::sort(halves.begin(), halves.end(), [](const Half& one, const Half& other) {
        return std::tuple_cat(one.GetKey(), std::tie(one.operation)) <
               std::tuple_cat(other.GetKey(), std::tie(other.operation));
    });
    return halves;
}

/// \return the error message for a half without a counterpart
std::string
DescribeLone(const Half& half, const std::string& here, uint32_t peer, const std::string& there)
{
    return "rank " + std::to_string(peer) + " has no " + there + " for this " + here +
           " (from rank " + std::to_string(half.source) + " to rank " +
           std::to_string(half.destination) + ", tag " + std::to_string(half.tag) +
           "): a pair of ranks has as many sends of a tag as recvs";
}

/// The dependency graph of a schedule.
class EventGraph
{
  public:
    EventGraph(const GoalSchedule& schedule, const std::vector<GoalMessage>& messages)
        : m_schedule(schedule),
          m_messages(messages)
    {
        m_first.push_back(0);
        for (const GoalRank& rank : schedule.ranks)
        {
            m_first.push_back(m_first.back() + rank.operations.size());
        }
        if (m_first.back() > GoalSchedule::kMostOperations)
        {
            throw std::length_error("too many operations");
        }
        m_missing.resize(2 * m_first.back(), 0);
    }

    /// \return the result of OrderGoal(), by topological sorting
    std::vector<std::vector<GoalEvent>> Sort()
    {
        const std::size_t events = m_missing.size();
        std::vector<std::size_t> first(events + 1, 0); // by event, its first element of `behinds`
        Visit([&](uint32_t before, uint32_t behind) {
            ++first[before + 1];
            ++m_missing[behind];
        });
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<uint32_t> behinds(first.back());
        std::vector<std::size_t> next = first;
        Visit([&](uint32_t before, uint32_t behind) { behinds[next[before]++] = behind; });

        std::vector<uint32_t> order;
        order.reserve(events);
        for (uint32_t event = 0; event < events; ++event)
        {
            if (m_missing[event] == 0)
            {
                order.push_back(event);
            }
        }
        std::vector<uint64_t> times(events, 0); // ns: the longest path to an event
        for (std::size_t done = 0; done < order.size(); ++done)
        {
            const uint32_t event = order[done];
            const uint64_t time = AddTime(times[event], event);
            for (std::size_t at = first[event]; at < first[event + 1]; ++at)
            {
                times[behinds[at]] = std::max(times[behinds[at]], time);
                if (--m_missing[behinds[at]] == 0)
                {
                    order.push_back(behinds[at]);
                }
            }
        }
        if (order.size() < events)
        {
            FailCircle();
        }
        CheckCpus();
        return Split(order);
    }

  private:
    /// Calls a function with all pairs of an event and an event that depends on it.
    template <typename Function>
    void Visit(const Function& function) const
    {
        for (uint32_t rank = 0; rank < m_schedule.ranks.size(); ++rank)
        {
            for (uint32_t number = 0; number < m_schedule.ranks[rank].operations.size(); ++number)
            {
                function(GetEvent({rank, number}, false), GetEvent({rank, number}, true));
            }
            for (const GoalNeed& need : m_schedule.ranks[rank].needs)
            {
                function(GetEvent({rank, need.other}, !need.isBegin),
                         GetEvent({rank, need.operation}, false));
            }
        }
        for (const GoalMessage& message : m_messages)
        {
            function(GetEvent(message.send, false), GetEvent(message.recv, true));
        }
    }

    uint32_t GetEvent(const GoalPlace& place, bool isEnd) const
    {
        return static_cast<uint32_t>(2 * (m_first[place.rank] + place.operation) + (isEnd ? 1 : 0));
    }

    GoalPlace GetPlace(uint32_t event) const
    {
        const auto behind = std::upper_bound(m_first.begin(), m_first.end(), event / 2);
        const auto rank = static_cast<uint32_t>(behind - m_first.begin() - 1);
        return {rank, static_cast<uint32_t>(event / 2 - m_first[rank])};
    }

    static constexpr uint64_t kLongest = 4'000'000'000'000'000; // ns; TimePs holds about twice that

    /// Checks the sum of each cpu: its calcs follow each other even without dependencies.
    void CheckCpus() const
    {
        for (uint32_t rank = 0; rank < m_schedule.ranks.size(); ++rank)
        {
            std::map<uint32_t, uint64_t> times; // by cpu
            const std::vector<GoalOperation>& operations = m_schedule.ranks[rank].operations;
            for (uint32_t number = 0; number < operations.size(); ++number)
            {
                const GoalOperation& operation = operations[number];
                const bool isCalc = operation.type == GoalOperation::Type::Calc;
                uint64_t& time = times[operation.cpu];
                time += isCalc ? operation.amount : 0;
                if (time > kLongest)
                {
                    throw GoalError({{rank, number}},
                                    "this calc and others of its cpu take more than 46 days: "
                                    "expected nanoseconds");
                }
            }
        }
    }

    /// \return the time of an event, with the duration of a calc added at its end
    uint64_t AddTime(uint64_t time, uint32_t event) const
    {
        const GoalPlace place = GetPlace(event);
        const GoalOperation& operation = m_schedule.ranks[place.rank].operations[place.operation];
        if (event % 2 == 0 || operation.type != GoalOperation::Type::Calc)
        {
            return time;
        }
        if (operation.amount > kLongest - time)
        {
            throw GoalError({place},
                            "this calc and those before it take more than 46 days: expected "
                            "nanoseconds");
        }
        return time + operation.amount;
    }

    /// Throws an error about a cycle of dependencies.
    [[noreturn]] void FailCircle() const
    {
        // Each waiting event depends on a waiting event, so walking back leads into a cycle.
        std::vector<uint32_t> before(m_missing.size());
        Visit([&](uint32_t one, uint32_t other) {
            if (m_missing[one] > 0)
            {
                before[other] = one;
            }
        });
        auto event = static_cast<uint32_t>(
            std::find_if(m_missing.begin(), m_missing.end(), [](uint32_t n) { return n > 0; }) -
            m_missing.begin());
        for (std::size_t i = 0; i < m_missing.size(); ++i)
        {
            event = before[event];
        }
        std::vector<GoalPlace> places;
        const uint32_t begin = event;
        do
        {
            const GoalPlace place = GetPlace(event);
            if (places.empty() || place.rank != places.back().rank ||
                place.operation != places.back().operation)
            {
                places.push_back(place);
            }
            event = before[event];
        } while (event != begin);
        if (places.size() > 1 && places.front().rank == places.back().rank &&
            places.front().operation == places.back().operation)
        {
            places.pop_back();
        }
        throw GoalError(places,
                        "this operation waits for itself, in a circle of " +
                            std::to_string(places.size()) +
                            ": take one of the dependencies away, or send before you wait");
    }

    /// \return events by rank
    std::vector<std::vector<GoalEvent>> Split(const std::vector<uint32_t>& order) const
    {
        std::vector<std::vector<GoalEvent>> split(m_schedule.ranks.size());
        for (std::size_t rank = 0; rank < split.size(); ++rank)
        {
            split[rank].reserve(2 * m_schedule.ranks[rank].operations.size());
        }
        for (const uint32_t event : order)
        {
            const GoalPlace place = GetPlace(event);
            split[place.rank].push_back({place.operation, event % 2 == 1});
        }
        return split;
    }

    const GoalSchedule& m_schedule;
    const std::vector<GoalMessage>& m_messages;
    std::vector<uint64_t> m_first;   //!< by rank, number of operations of earlier ranks
    std::vector<uint32_t> m_missing; //!< by event, number of dependencies that have not happened
};

} // namespace

std::vector<GoalMessage>
MatchGoal(const GoalSchedule& schedule)
{
    const std::vector<Half> sends = FindHalves(schedule, GoalOperation::Type::Send);
    const std::vector<Half> recvs = FindHalves(schedule, GoalOperation::Type::Recv);
    std::vector<GoalMessage> messages;
    messages.reserve(sends.size());
    for (std::size_t i = 0; i < std::max(sends.size(), recvs.size()); ++i)
    {
        const Half* send = i < sends.size() ? &sends[i] : nullptr;
        const Half* recv = i < recvs.size() ? &recvs[i] : nullptr;
        if (!recv || (send && send->GetKey() < recv->GetKey()))
        {
            throw GoalError({{send->source, send->operation}},
                            DescribeLone(*send, "send", send->destination, "recv"));
        }
        if (!send || recv->GetKey() < send->GetKey())
        {
            throw GoalError({{recv->destination, recv->operation}},
                            DescribeLone(*recv, "recv", recv->source, "send"));
        }
        messages.push_back({{send->source, send->operation}, {recv->destination, recv->operation}});
        if (send->bytes != recv->bytes)
        {
            throw GoalError({messages.back().recv, messages.back().send},
                            "this recv expects " + std::to_string(recv->bytes) +
                                " bytes, and the send that it gets has " +
                                std::to_string(send->bytes) + ": expected as many");
        }
    }
    return messages;
}

std::vector<std::vector<GoalEvent>>
OrderGoal(const GoalSchedule& schedule, const std::vector<GoalMessage>& messages)
{
    return EventGraph(schedule, messages).Sort();
}

} // namespace ns3::rails
