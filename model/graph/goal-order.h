// SPDX-License-Identifier: GPL-2.0-only
#ifndef GOAL_ORDER_H
#define GOAL_ORDER_H

#include "goal-schedule.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rails
{

/// Place of an operation in a schedule.
struct GoalPlace
{
    uint32_t rank;
    uint32_t operation;
};

/// A schedule that cannot run.
class GoalError : public std::logic_error
{
  public:
    /**
     * \param places the operations concerned; the message is about the first one
     * \param message the mistake and its remedy
     */
    GoalError(std::vector<GoalPlace> places, const std::string& message)
        : std::logic_error(message),
          m_places(std::move(places))
    {
    }

    const std::vector<GoalPlace>& GetPlaces() const
    {
        return m_places;
    }

  private:
    std::vector<GoalPlace> m_places;
};

/// A send and its recv.
struct GoalMessage
{
    GoalPlace send;
    GoalPlace recv;
};

/**
 * \return all messages, sorted by source, destination, tag and operation. The n-th send of a
 * source, destination and tag matches the n-th recv, in the order in which a rank lists its
 * operations.
 * \throws GoalError for a send or recv without a counterpart, or with one of another size
 */
std::vector<GoalMessage> MatchGoal(const GoalSchedule& schedule);

/// The begin or the end of an operation of a rank.
struct GoalEvent
{
    uint32_t operation;
    bool isEnd;
};

/**
 * \param messages of the schedule, from MatchGoal()
 * \return by rank, all begins and ends of its operations in a possible order
 * \throws GoalError for a deadlock, or for more than 46 days of computing in a row
 */
std::vector<std::vector<GoalEvent>> OrderGoal(const GoalSchedule& schedule,
                                              const std::vector<GoalMessage>& messages);

} // namespace ns3::rails

#endif // GOAL_ORDER_H
