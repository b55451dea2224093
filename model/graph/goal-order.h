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

/// Where an operation is in a schedule.
struct GoalPlace
{
    uint32_t rank;
    uint32_t operation;
};

/// A schedule that cannot be gone through.
class GoalError : public std::logic_error
{
  public:
    /**
     * \param places the operations it is about, of which the message speaks as the first
     * \param message what is wrong with it and what would be right
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

/// A send, and the recv that it is for.
struct GoalMessage
{
    GoalPlace send;
    GoalPlace recv;
};

/**
 * \param schedule what ranks do
 * \return all messages: the n-th send of a source, a destination and a tag is for the n-th recv, in
 * the order in which a rank lists its operations; sorted by these. A send or recv without its
 * counterpart, or with one of another size, throws GoalError.
 */
std::vector<GoalMessage> MatchGoal(const GoalSchedule& schedule);

/// The begin or the end of an operation of a rank.
struct GoalEvent
{
    uint32_t operation;
    bool isEnd;
};

/**
 * \param schedule what ranks do
 * \param messages of it, from MatchGoal()
 * \return for each rank all begins and ends of its operations, in an order in which they can
 * happen. A schedule in which some wait for ever, or that computes for more than 46 days in a row,
 * throws GoalError.
 */
std::vector<std::vector<GoalEvent>> OrderGoal(const GoalSchedule& schedule,
                                              const std::vector<GoalMessage>& messages);

} // namespace ns3::rails

#endif // GOAL_ORDER_H
