// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_STREAMS_H
#define RAILS_STREAMS_H

#include <cstdint>

namespace ns3::rails
{

// First streams of random numbers, by use: draws of the workload do not depend on the balancer.
constexpr int64_t kWorkloadStreams = 1'000;
constexpr int64_t kBalancerStreams = 1'000'000;
constexpr int64_t kOtherBalancerStreams = 1'500'000;
constexpr int64_t kEngineStreams = 2'000'000;
constexpr int64_t kFailureStreams = 9'000'000;
constexpr int64_t kCircuitStreams = 9'500'000;
constexpr int64_t kRunStreams = 10'000'000; //!< number of streams of a run

} // namespace ns3::rails

#endif // RAILS_STREAMS_H
