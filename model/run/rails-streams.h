// SPDX-License-Identifier: GPL-2.0-only
#ifndef RAILS_STREAMS_H
#define RAILS_STREAMS_H

#include <cstdint>

namespace ns3::rails
{

// Streams of random numbers: what is drawn for the workload does not depend on the scheme.
constexpr int64_t kWorkloadStreams = 1'000;
constexpr int64_t kPlannerStreams = 1'000'000;
constexpr int64_t kOtherPlannerStreams = 1'500'000;
constexpr int64_t kEngineStreams = 2'000'000;
constexpr int64_t kFailureStreams = 9'000'000;
constexpr int64_t kCircuitStreams = 9'500'000;
constexpr int64_t kRunStreams = 10'000'000; //!< of all

} // namespace ns3::rails

#endif // RAILS_STREAMS_H
