// SPDX-License-Identifier: GPL-2.0-only
#ifndef BENCH_PLANNING_H
#define BENCH_PLANNING_H

#include <cstddef>

namespace ns3::rails
{

/**
 * Checks and plans a sweep over fabrics of 1,024 GPUs, load balancers, frame sizes and matrices,
 * like `./rails sweep FILE --dry-run`.
 * \param points number of points, a multiple of 2,000
 * \return duration in seconds
 */
double RunBenchPlanning(std::size_t points);

} // namespace ns3::rails

#endif // BENCH_PLANNING_H
