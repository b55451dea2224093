// SPDX-License-Identifier: GPL-2.0-only
#ifndef GOAL_FIXTURES_H
#define GOAL_FIXTURES_H

#include "../collective/collective-fixtures.h"

#include "ns3/goal-file.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rails
{

/// \return the schedule of a file with a text
inline GoalSchedule
ReadText(const std::string& text)
{
    const TemporaryFile file(text);
    return ReadGoal(file.GetPath());
}

inline std::string
WriteText(const GoalSchedule& schedule)
{
    std::ostringstream text;
    WriteGoal(schedule, text);
    return text.str();
}

/**
 * \return any schedule of a few ranks that can be gone through: operations are drawn in an order in
 * which all can happen, and each waits for some of those before it
 */
inline GoalSchedule
DrawSchedule(uint32_t seed)
{
    std::mt19937 random(seed);
    GoalSchedule schedule;
    schedule.ranks.resize(1 + random() % 4);
    const auto ranks = static_cast<uint32_t>(schedule.ranks.size());
    const auto add = [&](uint32_t number, GoalOperation operation) {
        GoalRank& rank = schedule.ranks[number];
        operation.cpu = random() % 2;
        const auto place = static_cast<uint32_t>(rank.operations.size());
        for (uint32_t needs = place == 0 ? 0 : random() % 3; needs > 0; --needs)
        {
            // Mostly of those just before, so that there are chains.
            const uint32_t back = std::min<uint32_t>(place, 1 + random() % (1 + random() % 12));
            rank.needs.push_back({place, place - back, random() % 4 == 0});
        }
        rank.operations.push_back(operation);
    };
    for (uint32_t count = random() % 60; count > 0; --count)
    {
        GoalOperation operation;
        operation.amount = random() % 1000;
        const uint32_t rank = random() % ranks;
        if (random() % 2 == 0)
        {
            add(rank, operation);
            continue;
        }
        operation.type = GoalOperation::Type::Send;
        operation.tag = random() % 2;
        operation.nic = random() % 2;
        operation.peer = random() % ranks;
        const uint32_t peer = operation.peer;
        add(rank, operation);
        operation.type = GoalOperation::Type::Recv;
        operation.peer = rank;
        add(peer, operation);
    }
    return schedule;
}

} // namespace ns3::rails

#endif // GOAL_FIXTURES_H
