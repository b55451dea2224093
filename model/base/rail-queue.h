// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAIL_QUEUE_H
#define RAIL_QUEUE_H

#include "cluster-shape.h"

#include <cstdint>
#include <tuple>

namespace ns3::rails
{

/// Largest number of queue pairs of a channel between two NICs (Message::subflow is below it).
constexpr uint32_t kMostSubflows = 256;

/// The NIC of the source server that sends a message, and the queue pair to the other NIC.
struct RailQueue
{
    uint16_t rail{kNoRail}; //!< kNoRail: a rail balancer decides
    uint16_t queue{0};      //!< modulo kMostSubflows

    bool operator==(const RailQueue& other) const
    {
        return rail == other.rail && queue == other.queue;
    }

    bool operator<(const RailQueue& other) const
    {
        return std::tie(rail, queue) < std::tie(other.rail, other.queue);
    }
};

} // namespace ns3::rails

#endif // RAIL_QUEUE_H
