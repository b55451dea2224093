// SPDX-License-Identifier: GPL-2.0-only
#ifndef GOAL_SCHEDULE_H
#define GOAL_SCHEDULE_H

#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace ns3::rails
{

/// An operation of a rank of a GOAL schedule.
struct GoalOperation
{
    /// Type of an operation.
    enum class Type : uint8_t
    {
        Calc, //!< computes
        Send, //!< sends a message to another rank
        Recv  //!< receives a message from another rank
    };

    static constexpr uint32_t kLargestCpu = std::numeric_limits<uint32_t>::max() - 1;

    Type type{Type::Calc};
    uint32_t cpu{0};    //!< of its rank
    uint32_t nic{0};    //!< of a message: NIC of the rank
    uint32_t peer{0};   //!< of a message: the other rank
    uint64_t tag{0};    //!< of a message: distinguishes messages of a pair of ranks
    uint64_t amount{0}; //!< nanoseconds of a calc, bytes of a message

    bool operator==(const GoalOperation& other) const
    {
        return std::tie(type, cpu, nic, peer, tag, amount) ==
               std::tie(other.type, other.cpu, other.nic, other.peer, other.tag, other.amount);
    }
};

/// A dependency between operations of a rank: `requires` or `irequires`.
struct GoalNeed
{
    uint32_t operation;
    uint32_t other; //!< on which the operation depends
    bool isBegin;   //!< `irequires`: on the other's begin, not on its end

    bool operator==(const GoalNeed& need) const
    {
        return operation == need.operation && other == need.other && isBegin == need.isBegin;
    }
};

/// Operations of a rank; each begins as soon as its dependencies are fulfilled.
struct GoalRank
{
    std::vector<GoalOperation> operations;
    std::vector<GoalNeed> needs;

    bool operator==(const GoalRank& other) const
    {
        return operations == other.operations && needs == other.needs;
    }
};

/// The content of a file in the GOAL format, without its labels and comments.
struct GoalSchedule
{
    static constexpr uint64_t kMostOperations = 2'000'000'000; //!< of all ranks

    std::vector<GoalRank> ranks;

    /// \return true when a message names a NIC other than 0, the default
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
