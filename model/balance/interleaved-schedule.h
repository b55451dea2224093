// SPDX-License-Identifier: GPL-2.0-only
#ifndef INTERLEAVED_SCHEDULE_H
#define INTERLEAVED_SCHEDULE_H

#include <cstdint>
#include <vector>

namespace ns3::rails
{

/// A port and its share.
struct WeightedPort
{
    uint16_t port;
    uint32_t weight; //!< relative to the others; 0 leaves the port out
};

/**
 * Interleaved weighted round robin: passes over the ports again and again, and takes in each pass
 * every port that has not had its share yet. Shares are the weights without their common divisor.
 * ("Load Balancing for AI Training Workloads", arXiv 2507.21372, appendix F)
 * \param order the ports, in the order in which a pass visits them
 * \return the ports of one cycle; empty when all weights are 0
 */
std::vector<uint16_t> MakeInterleavedSchedule(const std::vector<WeightedPort>& order);

} // namespace ns3::rails

#endif // INTERLEAVED_SCHEDULE_H
