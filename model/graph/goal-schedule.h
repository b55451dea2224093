// SPDX-License-Identifier: GPL-2.0-only
#ifndef GOAL_SCHEDULE_H
#define GOAL_SCHEDULE_H

#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// One thing that a rank of a GOAL schedule does.
struct GoalOperation
{
    /// What it does.
    enum class Type : uint8_t
    {
        Calc, //!< computes
        Send, //!< sends a message to another rank
        Recv  //!< gets one
    };

    static constexpr uint32_t kLargestCpu = std::numeric_limits<uint32_t>::max() - 1;

    Type type{Type::Calc};
    uint32_t cpu{0};    //!< what does it, of its rank
    uint32_t nic{0};    //!< of a message; which NIC of the rank is to move it
    uint32_t peer{0};   //!< of a message: the other rank
    uint64_t tag{0};    //!< of a message: messages of a pair of ranks are told apart by it
    uint64_t amount{0}; //!< of a calc nanoseconds, of a message bytes

    bool operator==(const GoalOperation& other) const
    {
        return std::tie(type, cpu, nic, peer, tag, amount) ==
               std::tie(other.type, other.cpu, other.nic, other.peer, other.tag, other.amount);
    }
};

/// That an operation waits for another one of its rank: `requires` and `irequires`.
struct GoalNeed
{
    uint32_t operation;
    uint32_t other;
    bool isBegin; //!< the other has to have begun, not to be over

    bool operator==(const GoalNeed& need) const
    {
        return operation == need.operation && other == need.other && isBegin == need.isBegin;
    }
};

/// What one rank does: operations begin as soon as they have what they need.
struct GoalRank
{
    std::vector<GoalOperation> operations;
    std::vector<GoalNeed> needs;

    bool operator==(const GoalRank& other) const
    {
        return operations == other.operations && needs == other.needs;
    }
};

/// What the ranks of a program do: a file in the GOAL format, without its labels and comments.
struct GoalSchedule
{
    static constexpr uint64_t kMostOperations = 2'000'000'000; //!< of all ranks

    std::vector<GoalRank> ranks;

    /// \return whether a message names another NIC than the usual 0
    bool NamesNics() const
    {
        for (const GoalRank& rank : ranks)
        {
            for (const GoalOperation& operation : rank.operations)
            {
                if (operation.nic > 0)
                {
                    return true;
                }
            }
        }
        return false;
    }

    bool operator==(const GoalSchedule& other) const
    {
        return ranks == other.ranks;
    }
};

} // namespace ns3::rails

#endif // GOAL_SCHEDULE_H
