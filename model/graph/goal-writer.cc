// SPDX-License-Identifier: GPL-2.0-only
#include "goal-writer.h"

#include "graph-times.h"

#include "ns3/rails-error.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::rails
{

namespace
{

class Writer
{
  public:
    Writer(const GraphProgram& program, uint64_t limit)
        : m_program(program),
          m_gpus(program.GetShape().GetGpus()),
          m_limit(limit)
    {
    }

    GoalSchedule Write()
    {
        CollectMessages();
        m_operations = 0;
        GoalSchedule schedule;
        for (uint32_t gpu = 0; gpu < m_gpus; ++gpu)
        {
            m_rank = {};
            m_gpu = gpu;
            WriteRank();
            schedule.ranks.push_back(std::move(m_rank));
        }
        return schedule;
    }

  private:
    /// Stands for the begin of the run, which needs no dependency.
    static constexpr uint32_t kNone = static_cast<uint32_t>(GoalSchedule::kMostOperations);

    /// A stream of the GPU that is being written.
    struct Stream
    {
        GraphNode node;
        bool isLoaded{false};
        bool isEnded{false};
        TimePs rest{0};                //!< time not written yet, less than a nanosecond
        std::vector<uint32_t> ends;    //!< by node, the operation whose end is the node's end
        std::vector<uint32_t> waiting; //!< streams that wait for this one
    };

    /// Finds the messages that each GPU receives, since a program only lists sends.
    void CollectMessages()
    {
        for (uint32_t gpu = 0; gpu < m_gpus; ++gpu)
        {
            for (uint32_t stream = 0; stream < m_program.GetStreams(); ++stream)
            {
                GraphNode node;
                for (uint64_t index = 0; m_program.GetNode(gpu, stream, index, node); ++index)
                {
                    CollectNode(gpu, node);
                    node = GraphNode();
                }
            }
        }
    }

    void CollectNode(uint32_t gpu, const GraphNode& node)
    {
        if (node.type == GraphNode::Type::Barrier)
        {
            throw ConfigurationError("",
                                     "GOAL has no barriers, and '" +
                                         m_program.GetKinds()[node.kind] +
                                         "' is one, or a phase of a job, which ends for all GPUs "
                                         "at once: write a run without it");
        }
        if (node.type == GraphNode::Type::Compute)
        {
            Count(node.duration >= kNanosecond ? 1 : 0);
            return;
        }
        for (uint32_t place = 0; place < node.transfer->GetTraits().steps; ++place)
        {
            const uint32_t step = node.step + place;
            for (const Demand& demand : node.transfer->GetSends(gpu, place))
            {
                m_received[GraphTimes::MakeKey(demand.destination, step)].emplace_back(
                    gpu,
                    demand.bytes);
                Count(2);
            }
        }
    }

    void Count(uint64_t operations)
    {
        m_operations += operations;
        if (m_operations > std::min(m_limit, GoalSchedule::kMostOperations))
        {
            throw ConfigurationError("",
                                     "as GOAL it has at least " + std::to_string(m_operations) +
                                         " operations, and at most " + std::to_string(m_limit) +
                                         " are to be written: shorten the run (iterations, layers, "
                                         "micro-batches), or allow more");
        }
    }

    void WriteRank()
    {
        m_streams.assign(m_program.GetStreams(), {});
        std::vector<uint32_t> open;
        for (uint32_t stream = m_program.GetStreams(); stream-- > 0;)
        {
            open.push_back(stream);
        }
        while (!open.empty())
        {
            const uint32_t stream = open.back();
            open.pop_back();
            while (WriteNext(stream))
            {
                std::vector<uint32_t>& waiting = m_streams[stream].waiting;
                open.insert(open.end(), waiting.begin(), waiting.end());
                waiting.clear();
            }
        }
        for (const Stream& stream : m_streams)
        {
            if (!stream.isEnded)
            {
                throw std::logic_error("a program waits for ever");
            }
        }
    }

    /// Writes the next node of a stream. \return false when there is none, or it has to wait
    bool WriteNext(uint32_t number)
    {
        Stream& stream = m_streams[number];
        if (!stream.isLoaded && !stream.isEnded)
        {
            stream.node = GraphNode();
            stream.isLoaded = m_program.GetNode(m_gpu, number, stream.ends.size(), stream.node);
            stream.isEnded = !stream.isLoaded;
        }
        if (stream.isEnded)
        {
            return false;
        }
        std::vector<uint32_t> before;
        if (!stream.ends.empty())
        {
            before.push_back(stream.ends.back());
        }
        for (const GraphNode::Wait& wait : stream.node.waits)
        {
            Stream& other = m_streams[wait.stream];
            if (other.ends.size() < wait.count)
            {
                other.waiting.push_back(number);
                return false;
            }
            if (wait.count > 0)
            {
                before.push_back(other.ends[wait.count - 1]);
            }
        }
        stream.ends.push_back(stream.node.type == GraphNode::Type::Compute
                                  ? WriteCompute(number, before)
                                  : WriteTransfer(number, before));
        stream.isLoaded = false;
        return true;
    }

    uint32_t WriteCompute(uint32_t number, const std::vector<uint32_t>& before)
    {
        Stream& stream = m_streams[number];
        const uint32_t unit = stream.node.unit;
        stream.rest += stream.node.duration;
        const auto time = static_cast<uint64_t>(stream.rest / kNanosecond);
        stream.rest %= kNanosecond;
        if (time == 0)
        {
            return Join(number, before);
        }
        GoalOperation operation;
        operation.cpu = number;
        if (unit != GraphNode::kOwnUnit)
        {
            if (unit > GoalOperation::kLargestCpu - m_program.GetStreams())
            {
                throw ConfigurationError("",
                                         "there are too many units: GOAL counts cpus up to " +
                                             std::to_string(GoalOperation::kLargestCpu));
            }
            operation.cpu = m_program.GetStreams() + unit;
        }
        operation.amount = time;
        return Add(operation, before);
    }

    uint32_t WriteTransfer(uint32_t number, const std::vector<uint32_t>& before)
    {
        const GraphNode& node = m_streams[number].node;
        const uint32_t first = Join(number, before);
        uint32_t begin = first; // of a step
        std::vector<uint32_t> all;
        for (uint32_t place = 0; place < node.transfer->GetTraits().steps; ++place)
        {
            const uint32_t step = node.step + place;
            if (place > 0 && place % node.transfer->CountLaneSteps() == 0)
            {
                all.push_back(begin); // the end of a lane
                begin = first;
            }
            for (const Demand& demand : node.transfer->GetSends(m_gpu, place))
            {
                all.push_back(Add(
                    {GoalOperation::Type::Send, number, 0, demand.destination, step, demand.bytes},
                    {begin}));
            }
            const auto found = m_received.find(GraphTimes::MakeKey(m_gpu, step));
            if (found == m_received.end())
            {
                continue;
            }
            std::vector<uint32_t> received;
            for (const auto& [source, bytes] : found->second)
            {
                received.push_back(
                    Add({GoalOperation::Type::Recv, number, 0, source, step, bytes}, {begin}));
            }
            begin = Join(number, std::move(received));
        }
        all.push_back(begin);
        return Join(number, std::move(all));
    }

    /// \return an operation that is over when all given operations are
    uint32_t Join(uint32_t stream, std::vector<uint32_t> operations)
    {
        SortOut(operations);
        if (operations.empty())
        {
            return kNone;
        }
        GoalOperation join;
        join.cpu = stream;
        return operations.size() == 1 ? operations.front() : Add(join, operations);
    }

    /// Removes duplicates and kNone.
    static void SortOut(std::vector<uint32_t>& operations)
    {
        std::sort(operations.begin(), operations.end());
        operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
        if (!operations.empty() && operations.back() == kNone)
        {
            operations.pop_back();
        }
    }

    uint32_t Add(const GoalOperation& operation, std::vector<uint32_t> before)
    {
        Count(1);
        SortOut(before);
        const auto number = static_cast<uint32_t>(m_rank.operations.size());
        for (const uint32_t other : before)
        {
            m_rank.needs.push_back({number, other, false});
        }
        m_rank.operations.push_back(operation);
        return number;
    }

    const GraphProgram& m_program;
    uint32_t m_gpus;
    uint64_t m_limit;
    uint64_t m_operations{0};
    /// By step and receiver: senders and bytes.
    std::unordered_map<uint64_t, std::vector<std::pair<uint32_t, uint64_t>>> m_received;
    uint32_t m_gpu{0}; //!< which is being written
    GoalRank m_rank;
    std::vector<Stream> m_streams;
};

} // namespace

GoalSchedule
MakeGoal(const GraphProgram& program, uint64_t limit)
{
    return Writer(program, limit).Write();
}

} // namespace ns3::rails
